import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { runAll } from '../support/repetition';
import { openBarePage, type PageFunctions } from './barePage';
import { startBrowserVSCode } from './browserVSCode';
import { linkBuiltinExtensions } from './builtinExtensions';
import { chromiumArgs, findChromium } from './chromium';

/** Built-in extensions that most end-to-end tests don't need, but the tests of links in files and of reviews. */
const KEPT_EXTENSIONS: readonly string[] = [
  'css-language-features',
  'git',
  'git-base',
  'html-language-features',
  'json-language-features',
];

/**
 * Runs an extension's tests in the browser's VS Code, with the arguments of desktop VS Code. Resolves to the
 * exit code.
 */
export async function runTestsInBrowser(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    options: {
      extensionDevelopmentPath: { type: 'string', multiple: true },
      extensionTestsPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
    },
  });
  const userDataDir = path.resolve(String(values['user-data-dir']));
  const builtinExtensionsDir = runAll ? undefined : path.join(userDataDir, 'builtin');
  if (builtinExtensionsDir) await linkBuiltinExtensions(builtinExtensionsDir, KEPT_EXTENSIONS);
  const vscode = await startBrowserVSCode({
    userDataDir,
    extensionsDir: path.resolve(String(values['extensions-dir'])),
    ...(builtinExtensionsDir && { builtinExtensionsDir }),
    smokeTestDriver: true,
  });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  try {
    const toRemoteUri = (folder: string) => `vscode-remote://127.0.0.1:${vscode.port}${path.resolve(folder)}`;
    const payload = [
      ...[values.extensionDevelopmentPath ?? []]
        .flat()
        .map((folder) => ['extensionDevelopmentPath', toRemoteUri(String(folder))]),
      ['extensionTestsPath', toRemoteUri(String(values.extensionTestsPath))],
    ];
    const url = new URL(positionals[0] ? vscode.folderUrl(path.resolve(positionals[0])) : vscode.url);
    url.searchParams.set('payload', JSON.stringify(payload));
    return await new Promise<number>((resolve, reject) => {
      const functions: PageFunctions = {
        codeAutomationExit: (code) => resolve(Number(code)),
        codeAutomationLog: (_type, parts) => console.log(...(parts as unknown[])),
      };
      const onCrash = () => reject(new Error("The page of VS Code's window crashed."));
      openBarePage(browser, url.href, functions, onCrash).catch(reject);
      vscode.ended.then(
        () => reject(new Error("VS Code's server ended in the middle of the tests.")),
        reject,
      );
    });
  } finally {
    await browser.close();
    await vscode.stop();
  }
}
