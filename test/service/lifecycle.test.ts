import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { startLocalService } from './localService';

describe('local service: start and end', () => {
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
    child = undefined;
  });

  it('rejects a port in use and releases the ports that it got', async () => {
    const first = await startLocalService();
    const taken = Number(new URL(first.streamOrigin).port);
    await assert.rejects(startLocalService({ ports: { api: 0, stream: taken, storage: 0 } }), {
      code: 'EADDRINUSE',
    });
    await first.close();
  });

  it('rejects pending waits for a request when it closes', async () => {
    const service = await startLocalService();
    const waiting = assert.rejects(
      service.waitForRequest(() => false),
      /closed/,
    );
    await service.close();
    await waiting;
  });

  it('leaves no socket or timer when it closes during streams, faults and waits', async () => {
    // Runs in a separate process, which only exits by itself when nothing is left.
    const script = `
      const { startLocalService } = require('./localService.ts');
      const { call, requestEchoUrl, createConversation, requestStreamUrl } = require('./support/testCalls.ts');
      const { echo } = require('./bots/echo.ts');
      const slow = {
        id: 'slow',
        name: 'Slow',
        async *reply({ signal }) {
          yield 'word ';
          await require('node:timers/promises').setTimeout(600_000, undefined, { signal }).catch(() => {});
          return {};
        },
      };
      const run = async (historyDelayMs) => {
        const service = await startLocalService({ pace: 'human', historyDelayMs, bots: [echo, slow] });
        const ignore = () => {};
        const open = async (url, init) => fetch(url, init).then((r) => r.text()).catch(ignore);
        service.inject({ name: 'stream-reset', afterChunks: 1 });
        await open(await requestStreamUrl(service, 'x', await createConversation(service, 'slow')));
        void open(await requestEchoUrl(service, 'word '.repeat(300)));
        service.inject({ name: 'stream-silence' });
        void open(await requestEchoUrl(service));
        service.inject({ name: 'stream-hold-after-end' });
        void open(await requestEchoUrl(service));
        const script = service.script();
        void open(await requestStreamUrl(service));
        await script.opened;
        void script.chunks(['a', 'b'], 50);
        for (const fault of ['hang', 'headers-trickle', 'slow']) {
          service.inject({ name: fault, on: 'GET /bots', delayMs: 60_000 });
          void call(service, 'GET /bots').catch(ignore);
        }
        service.waitForRequest(() => false, 60_000).catch(ignore);
        await service.waitForRequest(() => service.requests.filter((r) => r.path.endsWith('/bots')).length === 3);
        await service.close();
      };
      run(0).then(() => run(2000)).then(() => console.log('closed'));`;
    const spawned = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
      cwd: __dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = spawned;
    const [[output], [code]] = await Promise.all([once(spawned.stdout, 'data'), once(spawned, 'exit')]);
    assert.deepEqual([String(output).trim(), code], ['closed', 0]);
  });
});
