import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Sets the display language of windows that open later, as a language pack and Configure Display Language do. VS
 * Code's own strings stay English; extensions use their bundles for the language.
 */
export async function setDisplayLanguage(userDataDir: string, language: string): Promise<void> {
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
}
