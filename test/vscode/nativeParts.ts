import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { npmCommand } from '../../scripts/run.mjs';
import { spawnGroup } from './processGroup';

/** The modules with which VS Code's server writes logs and opens terminals. */
const NATIVE_PARTS = ['@vscode/spdlog', 'node-pty'];

/** The build takes half a minute; on a slow machine with other work, more than three. */
const MAX_BUILD_MS = 900_000;

/**
 * Builds the native parts of the browser's VS Code. VS Code runs without them too, so the reason for a
 * failure (such as a missing compiler) is written to a file for `readMissingNativeParts`. `headers`: the
 * folder of the server's Node.js.
 */
export async function buildNativeParts(vscode: string, headers: string): Promise<void> {
  const { command, args, shell } = npmCommand(['rebuild', ...NATIVE_PARTS]);
  const group = spawnGroup(command, args, {
    cwd: vscode,
    shell,
    env: { ...process.env, npm_config_nodedir: headers },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [group.child.stdout, group.child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const limit = new AbortController();
  const late = sleep(MAX_BUILD_MS, 'late' as const, { signal: limit.signal }).catch(() => 'ended' as const);
  const end = await Promise.race([group.ended, late]);
  limit.abort();
  if (end === 0) return;
  await group.stop();
  const why = end === 'late' ? `npm rebuild took longer than ${MAX_BUILD_MS} ms.` : findReason(output);
  await writeFile(getMarkerFile(vscode), why);
}

/** Returns why VS Code in this folder has no log files and may have no terminal; undefined if it has both. */
export async function readMissingNativeParts(vscode: string): Promise<string | undefined> {
  const file = getMarkerFile(vscode);
  return existsSync(file) ? await readFile(file, 'utf8') : undefined;
}

function getMarkerFile(vscode: string): string {
  return path.join(vscode, 'native-parts-missing.txt');
}

/**
 * Returns the cause of a failed build: node-gyp's output is long, and the line of the error's stack has it.
 */
function findReason(output: string): string {
  return /gyp ERR! stack (?:Error: )?(.+)/.exec(output)?.[1] ?? (output.trim() || 'npm rebuild failed.');
}
