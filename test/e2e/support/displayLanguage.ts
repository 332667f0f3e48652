import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Workbench } from './workbench';

/**
 * Opens the window again in a display language, as a language pack and Configure Display Language do. VS
 * Code's own strings stay English; extensions use their bundles for the language.
 */
export async function openInLanguage(workbench: Workbench, language: string): Promise<void> {
  const { userDataDir } = workbench;
  const words = path.join(userDataDir, 'pack', `${language}.json`);
  await mkdir(path.dirname(words), { recursive: true });
  await writeFile(words, JSON.stringify({ version: '1.0.0', contents: {} }));
  const pack = {
    hash: language,
    extensions: [{ extensionIdentifier: { id: `test.${language}` }, version: '1.0.0' }],
    translations: { vscode: words },
    label: language,
  };
  await writeFile(path.join(userDataDir, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
  await writeFile(path.join(userDataDir, 'User', 'argv.json'), JSON.stringify({ locale: language }));
  await workbench.openPage();
}
