import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { WAIT_LIMIT_MS } from '../service/hang';

/**
 * Makes VS Code in the folder `vscode` wait for a webview's file as long as the tests do. By default its service worker
 * answers with status 408 after 30 s, though on a slow machine the file only takes longer. Throws an Error if VS Code no
 * longer has the limit.
 */
export async function raiseWebviewFileLimit(vscode: string): Promise<void> {
  const file = path.join(vscode, 'out/vs/workbench/contrib/webview/browser/pre/service-worker.js');
  const before = await readFile(file, 'utf8');
  // 3e4 where the file is minified.
  const after = before.replace(/(?<=\bresolveTimeout ?= ?)(?:3e4|30_000)(?=;)/, String(WAIT_LIMIT_MS));
  if (after === before) throw new Error(`${file} no longer has its limit of 30 s.`);
  await writeFile(file, after);
}
