import assert from 'node:assert/strict';
import type { Fault } from './faults/faults';
import type { LocalService } from './localService';
import { call, createConversation, requestStreamUrl, sendRaw } from './support/testCalls';
import { withLocalService } from './support/withLocalService';

describe('local service: late replies', () => {
  let clock = Date.now();
  let service: LocalService;
  let conversation_id: string;
  const restart = withLocalService(
    (started) => {
      service = started;
    },
    () => ({ profile: 'captured', now: () => clock, newestFirst: false }),
  );
  const start = async (options: Parameters<typeof restart>[0] = {}) => {
    await restart(options);
    conversation_id = await createConversation(service);
  };
  const requestUrl = (content = 'one two three') => requestStreamUrl(service, content, conversation_id);
  const postMessage = (signal: AbortSignal | null = null) =>
    fetch(`${service.baseUrl}/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ content: 'one two three', conversation_id }),
      signal,
    });
  /** Returns the texts in the history. */
  const readHistory = async (): Promise<string[]> => {
    const { data } = (await call(service, `GET /messages?conversation_id=${conversation_id}`)).body;
    return data.map(({ content }: { content: string }) => content);
  };
  const assertLate = async (question: string, reply: string) => {
    assert.deepEqual(await readHistory(), [question]);
    clock += 1999;
    assert.deepEqual(await readHistory(), [question]);
    clock += 1;
    assert.deepEqual(await readHistory(), [question, reply]);
  };
  const isClosed = ({ origin, closed }: { origin: string; closed: boolean }) => origin === 'stream' && closed;

  const breaks: readonly Fault[] = [
    { name: 'stream-no-end', afterChunks: 1 },
    { name: 'stream-reset', afterChunks: 1 },
    { name: 'stream-no-end' },
    { name: 'stream-bad-framing', afterChunks: 1 },
    { name: 'reset', on: 'GET stream' },
    { name: 'fin-before-headers', on: 'GET stream' },
  ];
  for (const fault of breaks) {
    const when = 'afterChunks' in fault ? 'halfway' : 'at its end or start';
    it(`the whole reply is in the history two seconds after the fault ${fault.name} ${when}`, async () => {
      await start();
      service.inject(fault);
      await sendRaw(await requestUrl());
      await service.waitForRequest(isClosed);
      await assertLate('one two three', 'one two three');
      const { data } = (await call(service, 'GET /messages')).body;
      assert.equal(data[1].failed_responding, 0);
      assert.equal((await call(service, `GET /messages/${data[1].id}`)).body.data.content, 'one two three');
    });
  }

  it('the whole reply is in the history two seconds after the client left a silent stream', async () => {
    for (const fault of [
      { name: 'stream-silence', afterChunks: 1 },
      { name: 'hang', on: 'GET stream' },
      { name: 'slow', on: 'GET stream', delayMs: Number.POSITIVE_INFINITY },
    ] as const) {
      await start();
      service.inject(fault);
      const url = await requestUrl();
      const controller = new AbortController();
      const left = fetch(url, { signal: controller.signal }).then(
        (response) => response.text(),
        () => '',
      );
      await service.waitForRequest(({ origin }) => origin === 'stream');
      controller.abort();
      await left.catch(() => '');
      await service.waitForRequest(isClosed);
      await assertLate('one two three', 'one two three');
    }
  });

  it('a scripted reply goes on after its connection broke, and is late until it ends', async () => {
    for (const how of ['close', 'reset'] as const) {
      await start();
      const script = service.script();
      const read = sendRaw(await requestUrl('x'));
      script.chunk('one ');
      script[how]();
      assert.doesNotMatch((await read).body, /END/);
      await script.closed;
      await script.chunks(['t', 'wo'], 1);
      clock += 2000;
      assert.deepEqual(await readHistory(), ['x']);
      script.end({ sources: [{ type: 'written', document_id: 'k3J9xQ2mZp0a' }] });
      assert.deepEqual(await readHistory(), ['x', 'one two']);
      const { data } = (await call(service, 'GET /messages?includes=sources')).body;
      assert.equal(data[1].sources.data.document_id, 'k3J9xQ2mZp0a');
    }
  });

  it('a reply is in the history when its stream has ended, and not before', async () => {
    await start();
    const script = service.script();
    const read = sendRaw(await requestUrl('x'));
    await script.opened;
    script.chunk('one');
    assert.deepEqual(await readHistory(), ['x']);
    script.end();
    await read;
    assert.deepEqual(await readHistory(), ['x', 'one']);
  });

  it('a stream that was refused can be read later, and isn’t a late reply', async () => {
    await start();
    service.inject({ name: 'status', on: 'GET stream', status: 503 });
    const url = await requestUrl();
    assert.equal((await sendRaw(url)).status, 503);
    assert.deepEqual(service.history.pending, []);
    assert.match((await sendRaw(url)).body, /"three"/);
  });

  it('the reply to POST /messages is in the history two seconds after its response was lost', async () => {
    await start();
    service.inject({ name: 'answer-lost', on: 'POST /messages' });
    await assert.rejects(postMessage());
    await service.waitForRequest(({ path, closed }) => path.endsWith('/messages') && closed);
    await assertLate('one two three', 'one two three');
    await postMessage();
    assert.equal((await readHistory()).length, 4);
  });

  it('the reply to POST /messages is late if the client gave up before it was there', async () => {
    await start();
    const script = service.script();
    const controller = new AbortController();
    const sent = postMessage(controller.signal);
    await script.opened;
    controller.abort();
    await assert.rejects(sent);
    await script.closed;
    script.chunk('one two');
    script.end();
    await assertLate('one two three', 'one two');
  });

  it('a late reply can’t be read by its ID, and the conversation doesn’t show its sources', async () => {
    await start({ historyDelayMs: Number.POSITIVE_INFINITY });
    const script = service.script();
    script.close();
    script.end({ sources: [{ type: 'written', document_id: 'k3J9xQ2mZp0a' }] });
    await sendRaw(await requestUrl());
    const [{ id } = assert.fail()] = service.history.pending;
    const read = async () => [
      (await call(service, `GET /messages/${id}`)).status,
      (await call(service, `GET /conversations/${conversation_id}`)).body.data.sources.data.length,
    ];
    assert.deepEqual(await read(), [404, 0]);
    service.history.publish();
    assert.deepEqual(await read(), [200, 1]);
  });

  it('a late reply is published when the test says so', async () => {
    await start({ historyDelayMs: Number.POSITIVE_INFINITY });
    assert.throws(() => service.history.publish(), /has all replies/);
    for (const question of ['first', 'second']) {
      service.inject({ name: 'stream-no-end' });
      await sendRaw(await requestUrl(question));
    }
    clock += 24 * 60 * 60 * 1000;
    assert.deepEqual(await readHistory(), ['first', 'second']);
    assert.deepEqual(
      service.history.pending.map(({ content }) => content),
      ['first', 'second'],
    );
    service.history.publish();
    assert.deepEqual(await readHistory(), ['first', 'first', 'second', 'second']);
    assert.deepEqual(service.history.pending, []);
  });

  it('the history has what was sent of a broken reply at once in the other profiles', async () => {
    for (const profile of ['lenient', 'hosted'] as const) {
      await start({ profile, wrapMessages: true });
      service.inject({ name: 'stream-reset', afterChunks: 1 });
      await sendRaw(await requestUrl());
      assert.deepEqual(await readHistory(), ['one two three', 'one ']);
      clock += 2000;
      assert.deepEqual(await readHistory(), ['one two three', 'one ']);
    }
  });
});
