import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from './cacheDir';
import { isRunning, spawnGroup } from './processGroup';

/** Starts a grandchild that runs forever and ignores SIGTERM, and prints its process id. */
const FAMILY_SCRIPT = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')"]);
  child.stdout.once('data', () => console.log(child.pid));
`;

describe('A process group', () => {
  it('stops all processes started by its child, including those that ignore SIGTERM', async () => {
    const group = spawnGroup(process.execPath, ['-e', FAMILY_SCRIPT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const grandchild = Number(await readFirstLine(group.child.stdout));
    assert.equal(isRunning(grandchild), true);
    await group.stop();
    await waitUntil(() => !isRunning(grandchild));
  });

  it('stops when the process that started it is terminated', async () => {
    const script = `
      const { spawnGroup } = require(${JSON.stringify(path.join(repositoryRoot, 'test/vscode/processGroup.ts'))});
      spawnGroup(process.execPath, ['-e', ${JSON.stringify(FAMILY_SCRIPT)}], { stdio: ['ignore', 'inherit', 'inherit'] });
    `;
    const parent = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const grandchild = Number(await readFirstLine(parent.stdout));
    parent.kill('SIGTERM');
    assert.deepEqual(await once(parent, 'exit'), [143, null]);
    await waitUntil(() => !isRunning(grandchild));
  });
});

async function readFirstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  assert.ok(stream);
  const [line] = await once(createInterface({ input: stream }), 'line');
  return line;
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
