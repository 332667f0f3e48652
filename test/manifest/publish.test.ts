import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageExtension } from '../../scripts/package';
import { runAll } from '../support/repetition';
import { skipSuite } from '../support/skip';
import { repositoryRoot } from '../vscode/cacheDir';

const run = promisify(execFile);

describe('The tools that publish a release', () => {
  let folder: string;
  let commands: readonly (readonly string[])[];

  before(async function () {
    // npm downloads them.
    if (!runAll) skipSuite(this, 'downloads these tools: npm run test:all');
    folder = await mkdtemp(path.join(tmpdir(), 'parley-publish-'));
    await cp(path.join(repositoryRoot, '.github/publish'), folder, { recursive: true });
    // npm is a script on Windows.
    await run('npm', ['ci', '--ignore-scripts', '--prefer-offline'], { cwd: folder, shell: true });
    const text = await readFile(path.join(repositoryRoot, '.github/workflows/release.yml'), 'utf8');
    commands = [...text.matchAll(/node_modules\/\.bin\/(.+)$/gm)].map(([, command = '']) =>
      command.split(' '),
    );
  });
  after(() => rm(folder ?? '', { recursive: true, force: true }));

  const runTool = (tool: string, args: readonly string[], env = {}) =>
    run(process.execPath, [path.join(folder, 'node_modules/.bin', tool), ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
    });

  it('know each flag that the workflow uses', async () => {
    assert.deepEqual(
      commands.map(([tool]) => tool),
      ['vsce', 'ovsx'],
    );
    for (const [tool = '', ...args] of commands) {
      const { stdout } = await runTool(tool, [args[0] ?? '', '--help']);
      for (const flag of args.filter((argument) => argument.startsWith('--')))
        assert.match(stdout, new RegExp(` ${flag}\\b`), tool);
    }
  });

  it('send the very bytes of the package to the Open VSX Registry', async () => {
    const received: { readonly path: string; readonly body: Buffer }[] = [];
    const registry = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { pathname } = new URL(request.url ?? '', 'http://localhost');
        received.push({ path: `${request.method} ${pathname}`, body: Buffer.concat(chunks) });
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ namespace: 'parley', name: 'parley', version: '0.1.0' }));
      });
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
      const vsix = await packageExtension();
      const [, args = []] = commands.map(([, ...rest]) => rest);
      const env = { OVSX_REGISTRY_URL: url, OVSX_PAT: 'a-token' };
      await runTool('ovsx', [...args.slice(0, -1), vsix], env);
      const sent = received.filter(({ path: requested }) => requested.startsWith('POST'));
      assert.deepEqual(sent, [{ path: 'POST /api/-/publish', body: await readFile(vsix) }]);
    } finally {
      registry.close();
    }
  });
});
