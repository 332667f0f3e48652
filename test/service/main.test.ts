import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

describe('npm run service', () => {
  let child: ChildProcess;
  const start = async (...flags: string[]): Promise<string> => {
    const script = join(root, 'test', 'service', 'main.ts');
    child = spawn(process.execPath, ['--import', 'tsx', script, ...flags], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // What it prints first, also if that is an error.
    return new Promise((resolve) => {
      for (const output of [child.stdout, child.stderr])
        output?.once('data', (text) => resolve(String(text)));
    });
  };
  afterEach(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('prints the URL, the key and the bots, and exits on Ctrl+C', async () => {
    const output = await start('--port', '0');
    assert.match(output, /Service URL {2}http:\/\/127\.0\.0\.1:\d+\/api\/v1\n/);
    assert.match(output, /API key {6}parley-local-[0-9a-f]{12}\n/);
    assert.match(output, /Bots {9}guide \(Guide\), echo \(Echo\)\nCtrl\+C/);
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('uses the hosted profile by default, or the one in --profile', async () => {
    for (const [flags, status] of [
      [[], 200],
      [['--profile', 'captured'], 200],
      [['--profile', 'minimal'], 404],
    ] as const) {
      const { baseUrl, key } = JSON.parse(await start('--json', '--port', '0', ...flags));
      const response = await fetch(`${baseUrl}/bots`, { headers: { Authorization: `Bearer ${key}` } });
      assert.equal(response.status, status);
      assert.equal(response.headers.has('x-ratelimit-limit'), status === 200);
      child.kill('SIGINT');
      await once(child, 'exit');
    }
  });

  it('prints one line of JSON for npm start, and takes free ports if its own are in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      const output = await start('--json', '--port', String(port), '--key', 'chosen');
      const { baseUrl, key, bots } = JSON.parse(output);
      assert.equal(key, 'chosen');
      assert.notEqual(Number(new URL(baseUrl).port), port);
      const response = await fetch(`${baseUrl}/bots`, { headers: { Authorization: 'Bearer chosen' } });
      const listed = ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
      assert.deepEqual(
        listed,
        bots.map(({ id }: { id: string }) => id),
      );
    } finally {
      blocker.close();
    }
  });

  it('answers from a recording in --replay, and names a file that isn’t one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-replay-'));
    const file = join(folder, 'recording.json');
    const bots = [{ id: 'kqpw', name: 'xxxx' }];
    const response = { at: 1, status: 203, headers: { 'content-type': 'application/json' }, body: bots };
    const listed = { at: 0, operation: 'GET /bots', origin: 'api', path: '/bots', request: { headers: {} } };
    const recording = { parleyRecording: 1, startedAt: '2025-02-14T09:00:00.000Z', textsKept: false };
    try {
      await writeFile(file, JSON.stringify({ ...recording, exchanges: [{ ...listed, response }] }));
      const address = JSON.parse(await start('--json', '--port', '0', '--key', 'mine', '--replay', file));
      assert.deepEqual([address.key, address.bots], ['mine', bots]);
      const answer = await fetch(`${address.baseUrl}/bots`);
      assert.deepEqual([answer.status, await answer.json()], [203, bots]);
      child.kill('SIGINT');
      await once(child, 'exit');
      await writeFile(file, '{}');
      const problem = 'recording.json can’t be replayed. The file is not a recording of Parley.\n';
      assert.ok((await start('--port', '0', '--replay', file)).endsWith(problem));
      if (child.exitCode === null) await once(child, 'exit');
      assert.equal(child.exitCode, 1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
