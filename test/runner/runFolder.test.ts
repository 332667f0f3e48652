import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from '../vscode/cacheDir';

/** Uses a run's folder, prints what a grandchild sees of it, and runs until its input ends. */
const RUN_SCRIPT = `
  const { execFileSync } = require('node:child_process');
  const { endWithParent } = require(${JSON.stringify(path.join(repositoryRoot, 'test/vscode/processGroup.ts'))});
  const { useRunFolder } = require(${JSON.stringify(path.join(repositoryRoot, 'test/runner/runFolder.ts'))});
  endWithParent();
  useRunFolder(process.argv[1]);
  const print = 'console.log(JSON.stringify([os.tmpdir(), process.env.XDG_RUNTIME_DIR]))';
  process.stdout.write(execFileSync(process.execPath, ['-e', print]));
  process.stdin.on('end', () => process.exit(1)).resume();
`;

describe('The temporary folder of a test run', () => {
  let parent: string;
  let children: ChildProcess[];
  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'parley-runs-'));
    children = [];
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(parent, { recursive: true, force: true });
  });

  /** Starts a run and puts a file into its folder. */
  async function startRun(): Promise<{ readonly child: ChildProcess; readonly folders: readonly string[] }> {
    const child = spawn(process.execPath, ['--import', 'tsx', '-e', RUN_SCRIPT, parent], {
      cwd: repositoryRoot,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    assert.ok(child.stdout);
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const folders: string[] = JSON.parse(line);
    await mkdir(path.join(folders[0] ?? '', 'left'));
    await writeFile(path.join(folders[0] ?? '', 'left', 'behind.sock'), '');
    return { child, folders };
  }

  it('is the one of all child processes, and is removed when the run fails', async () => {
    const { child, folders } = await startRun();
    const [name = ''] = await readdir(parent);
    assert.deepEqual(folders, [path.join(parent, name), path.join(parent, name)]);
    child.stdin?.end();
    assert.deepEqual(await once(child, 'exit'), [1, null]);
    assert.deepEqual(await readdir(parent), []);
  });

  it('removes the temporary folder on Ctrl+C', async () => {
    const { child } = await startRun();
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [130, null]);
    assert.deepEqual(await readdir(parent), []);
  });

  it('is removed by the next run if the run was killed, and kept if the run is still going', async () => {
    const [killed, going] = [await startRun(), await startRun()];
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    await mkdir(path.join(parent, 'parley-e2e-abcdef'));
    await startRun();
    const names = await readdir(parent);
    const isListed = ({ folders }: typeof going) => names.includes(path.basename(folders[0] ?? ''));
    assert.deepEqual([names.length, isListed(killed), isListed(going)], [3, false, true]);
    assert.ok(names.includes('parley-e2e-abcdef'));
  });
});
