import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { npmCommand } from '../../scripts/run.mjs';
import { spawnGroup } from './processGroup';

/** What VS Code's server writes its logs with, and what it opens terminals with. */
const NATIVE_PARTS = ['@vscode/spdlog', 'node-pty'];

/** Half a minute's work; a machine that is busy takes longer. */
const MAX_BUILD_MS = 180_000;

/**
 * Builds the native parts of the browser's VS Code. It runs without them too, so what keeps them from being built (no compiler,
 * say) is written to a file for `readMissingNativeParts`. `headers`: the folder of the Node that the server runs on.
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
  await writeFile(markerFile(vscode), why);
}

/** Why VS Code in this folder has no log files and may have no terminal; undefined where it has both. */
export async function readMissingNativeParts(vscode: string): Promise<string | undefined> {
  const file = markerFile(vscode);
  return existsSync(file) ? await readFile(file, 'utf8') : undefined;
}

function markerFile(vscode: string): string {
  return path.join(vscode, 'native-parts-missing.txt');
}

/** node-gyp explains itself at length; its line of the error's stack says what is missing. */
function findReason(output: string): string {
  return /gyp ERR! stack (?:Error: )?(.+)/.exec(output)?.[1] ?? (output.trim() || 'npm rebuild failed.');
}
