import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from './cacheDir';
import { spawnGroup } from './processGroup';

/** Starts a grandchild that would run for ever and doesn't mind SIGTERM, and prints its process id. */
const family = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')"]);
  child.stdout.once('data', () => console.log(child.pid));
`;

describe('Process group', () => {
  it('ends with all that its child started, also what ignores being asked', async () => {
    const group = spawnGroup(process.execPath, ['-e', family], { stdio: ['ignore', 'pipe', 'inherit'] });
    const grandchild = Number(await firstLine(group.child.stdout));
    assert.equal(isRunning(grandchild), true);
    await group.stop();
    await waitUntil(() => !isRunning(grandchild));
  });

  it('ends when the process that started it is told to', async () => {
    const script = `
      const { spawnGroup } = require(${JSON.stringify(path.join(repositoryRoot, 'test/vscode/processGroup.ts'))});
      spawnGroup(process.execPath, ['-e', ${JSON.stringify(family)}], { stdio: ['ignore', 'inherit', 'inherit'] });
    `;
    const parent = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const grandchild = Number(await firstLine(parent.stdout));
    parent.kill('SIGTERM');
    assert.deepEqual(await once(parent, 'exit'), [143, null]);
    await waitUntil(() => !isRunning(grandchild));
  });
});

async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  assert.ok(stream);
  const [line] = await once(createInterface({ input: stream }), 'line');
  return line;
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
