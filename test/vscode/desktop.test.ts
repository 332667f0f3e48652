import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDesktopVSCode } from './desktop';
import { isRunning } from './processGroup';

// A fake `code` that logs its arguments. A window is a separate process that writes its id to code.lock, and
// --wait lasts as long as the window.
const fakeCode = `#!/usr/bin/env node
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
appendFileSync(__filename + '.log', JSON.stringify(process.argv.slice(2)) + '\\n');
if (process.argv.includes('--wait')) {
  const user = process.argv.find((arg) => arg.startsWith('--user-data-dir=')).slice('--user-data-dir='.length);
  const window = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  mkdirSync(user, { recursive: true });
  writeFileSync(user + '/code.lock', String(window.pid));
  window.on('exit', () => process.exit());
}
`;

describe('Desktop VS Code', () => {
  if (process.platform === 'win32') return; // The stand-in is a script with a shebang.

  let dir: string;
  before(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'parley-desktop-'));
    await writeFile(path.join(dir, 'code'), fakeCode);
    await chmod(path.join(dir, 'code'), 0o755);
  });
  after(() => rm(dir, { recursive: true, force: true }));

  it('installs the extensions in a separate profile, and stop closes its window', async () => {
    const userDataDir = path.join(dir, 'user');
    await mkdir(userDataDir);
    const vscode = await openDesktopVSCode(path.join(dir, 'code'), {
      userDataDir,
      extensionsDir: path.join(dir, 'extensions'),
      extensions: ['parley.vsix'],
      folder: dir,
    });
    const lock = path.join(userDataDir, 'code.lock');
    let pid = 0;
    while (pid === 0) pid = await readFile(lock, 'utf8').then(Number, () => 0);
    await vscode.stop();
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    const [install, open] = (await readFile(path.join(dir, 'code.log'), 'utf8')).split('\n');
    const profile = [`--user-data-dir=${userDataDir}`, `--extensions-dir=${path.join(dir, 'extensions')}`];
    assert.deepEqual(JSON.parse(install ?? ''), [...profile, '--install-extension=parley.vsix', '--force']);
    assert.deepEqual(JSON.parse(open ?? '').slice(0, 2), profile);
    assert.equal(JSON.parse(open ?? '').at(-1), dir);
  });
});
