import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { canRetry } from '../../../src/chat/model/conversation';
import type { ReplyTurn } from '../../../src/chat/model/turn';
import { getSourceTarget, readReply, Sources } from '../../../src/chat/remote/replySources';
import { openBytes } from '../../../src/host/platform/openBytes';
import type { ReplyEnd } from '../../service/bots/bot';
import { demoBots } from '../../service/demo/demoBots';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';

const GET = 'GET /messages';

describe('Sources', () => {
  let fixture: ChatFixture;
  let sources: Sources;

  const start = async (options?: LocalServiceOptions) => {
    fixture = await startChat({ bots: demoBots, ...options });
    sources = new Sources(fixture.chat, fixture.remote, fixture.connect);
  };
  afterEach(async () => {
    sources.dispose();
    await fixture.close();
  });

  const getRequests = () => fixture.service.requests.filter(isMessagesRequest);
  const isMessagesRequest = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && new URL(path, 'http://service').pathname.endsWith('/messages');

  /** A conversation with the guide that has a document about quokkas. */
  const createWithDocument = async (name = 'quokka.md') => {
    const { id } = fixture.newConversation('guide');
    const text = '# Quokkas\n\nThe quokka is a small macropod.\n';
    const opened = openBytes(new TextEncoder().encode(text));
    const { finished } = fixture.uploads.add(
      id,
      confirmed({
        name,
        contentType: 'text/plain',
        uri: `file:///home/me/${name}`,
        opened,
        reopen: async () => opened,
      }),
    );
    await finished;
    return id;
  };

  /** Sends a message and returns the reply with its sources. */
  const sendAndWait = async (id: string, text: string): Promise<ReplyTurn> => {
    assert.equal(await fixture.replies.send(id, text), 'sent');
    const { id: turnId } = await fixture.ended(id);
    const event = await fixture.until(
      (each) =>
        each.type === 'turn' &&
        each.turn.id === turnId &&
        each.turn.kind === 'reply' &&
        each.turn.sources !== undefined,
    );
    assert.ok(event.type === 'turn' && event.turn.kind === 'reply');
    return event.turn;
  };

  it('adds each document once after the end, linked to the uploaded file', async () => {
    await start();
    const id = await createWithDocument();
    const reply = await sendAndWait(id, 'What is a quokka?');
    const [document] = [...fixture.service.documents.values()];
    assert.deepEqual(
      reply.sources?.map((source) => [source.id, source.name]),
      [[document?.id, 'quokka.md']],
    );
    assert.equal(reply.ending, 'complete');
    const kinds = fixture.events.filter((event) => 'turn' in event && event.turn.id === reply.id);
    assert.deepEqual(
      kinds.map(({ type }) => type),
      ['turn', 'ended', 'turn'],
    );
    const conversation = fixture.chat.findConversation(id);
    assert.ok(conversation && reply.sources?.[0]);
    assert.deepEqual(getSourceTarget(conversation, reply.sources[0]), {
      kind: 'file',
      uri: 'file:///home/me/quokka.md',
    });
    assert.equal(getRequests().length, 1);
  });

  for (const wrapMessages of [true, false]) {
    it(`finds the reply in a long conversation, ${wrapMessages ? 'by its pages' : 'in pages that are bare arrays'}`, async () => {
      await start({ wrapMessages });
      const id = await createWithDocument();
      for (let count = 0; count < 27; count++) await sendAndWait(id, 'What is a quokka?');
      // From the second page on, the next search starts there.
      const asked = getRequests().map(
        ({ path }) => new URL(path, 'http://service').searchParams.get('page') ?? '1',
      );
      assert.deepEqual(asked, [...Array(25).fill('1'), '1', '2', '2']);
    });
  }

  it('takes no earlier reply from elsewhere with the same text, in pages that are bare arrays', async () => {
    await start({ wrapMessages: false, messagePageSize: 10 });
    const id = await createWithDocument();
    const conversationId = fixture.chat.findConversation(id)?.remote?.id ?? assert.fail();
    for (let count = 0; count < 5; count++) {
      const stream = fixture.connect().client.streamReply({ conversationId, content: 'What is a quokka?' });
      for await (const _ of stream);
    }
    const reply = await sendAndWait(id, 'What is a quokka?');
    assert.equal(reply.remoteId, [...fixture.service.messages.keys()].at(-1));
  });

  it('takes no earlier reply with the same text, whatever the order, and if the list lags behind', async () => {
    await start({ newestFirst: true, omit: ['message.created_at'] });
    const id = await createWithDocument();
    const ask = () => sendAndWait(id, 'What is a quokka?');
    const ids = [(await ask()).remoteId, (await ask()).remoteId];
    assert.deepEqual(
      ids,
      [...fixture.service.messages.values()].filter(({ machine }) => machine).map((message) => message.id),
    );
    const [request] = getRequests();
    const { baseUrl, key } = fixture.service;
    const list = await fetch(new URL(request?.path ?? '', baseUrl), {
      headers: { authorization: `Bearer ${key}` },
    });
    fixture.service.inject({ name: 'status', on: GET, status: 200, body: await list.json(), times: 1 });
    await fixture.replies.send(id, 'What is a quokka?');
    const { id: turnId } = await fixture.ended(id);
    await sources.whenSettled(id);
    const turn = fixture.chat.findConversation(id)?.turns.find((each) => each.id === turnId);
    assert.deepEqual(turn?.kind === 'reply' && [turn.sources, turn.remoteId], [undefined, undefined]);
  });

  for (const status of [404, 405, 501]) {
    it(`does not ask again when the service answers ${status}, and shows nothing`, async () => {
      await start();
      fixture.service.inject({ name: 'status', on: GET, status, times: Number.POSITIVE_INFINITY });
      // A 404 may be about the conversation: it takes two of them.
      if (status === 404) {
        const otherId = await createWithDocument();
        await fixture.replies.send(otherId, 'What is a quokka?');
        await fixture.ended(otherId);
        await sources.whenSettled(otherId);
      }
      const id = await createWithDocument();
      await fixture.replies.send(id, 'What is a quokka?');
      await fixture.ended(id);
      await sources.whenSettled(id);
      const asked = getRequests().length;
      assert.ok(asked > 0);
      await fixture.replies.send(id, 'What is a quokka?');
      const reply = await fixture.ended(id);
      await sources.whenSettled(id);
      assert.equal(getRequests().length, asked);
      assert.deepEqual([reply.ending, reply.failure, reply.sources], ['complete', undefined, undefined]);
    });
  }

  it('asks again after a server error, and shows nothing', async () => {
    await start();
    for (const status of [500, 503, 400]) {
      fixture.service.inject({ name: 'status', on: GET, status, times: 4 });
      const id = await createWithDocument();
      await fixture.replies.send(id, 'What is a quokka?');
      const reply = await fixture.ended(id);
      await sources.whenSettled(id);
      assert.deepEqual([reply.ending, reply.failure, reply.sources], ['complete', undefined, undefined]);
      fixture.service.clearFaults();
      assert.equal((await sendAndWait(id, 'What is a quokka?')).sources?.length, 1);
    }
  });

  it('asks again in other conversations after one was deleted on the service', async () => {
    await start();
    const id = await createWithDocument();
    await sendAndWait(id, 'What is a quokka?');
    fixture.service.inject({ name: 'status', on: GET, status: 404 });
    fixture.service.inject({ name: 'status', on: 'GET /conversations/{id}', status: 404 });
    await fixture.replies.send(id, 'What is a quokka?');
    await fixture.ended(id);
    await sources.whenSettled(id);
    assert.equal(fixture.chat.findConversation(id)?.remote?.gone, true);
    assert.equal((await sendAndWait(await createWithDocument(), 'What is a quokka?')).sources?.length, 1);
  });

  it('delays neither the end nor the next message, and stops when the conversation is deleted', async () => {
    await start();
    const id = await createWithDocument();
    fixture.service.inject({ name: 'hang', on: GET, times: Number.POSITIVE_INFINITY });
    await fixture.replies.send(id, 'What is a quokka?');
    await fixture.ended(id);
    await fixture.service.waitForRequest(isMessagesRequest);
    assert.equal(await fixture.replies.send(id, 'And what else?'), 'sent');
    assert.equal((await fixture.ended(id)).ending, 'complete');
    await fixture.chat.deleteConversation(id);
    const left = (request: { method: string; path: string; aborted: boolean }) =>
      isMessagesRequest(request) && request.aborted;
    await fixture.service.waitForRequest(left);
  });

  it('are still looked up for one reply when those of another one are found', async () => {
    await start();
    const { id } = fixture.newConversation();
    const answers: ((page: { items: [] }) => void)[] = [];
    fixture.connect().client.listMessages = () => new Promise((resolve) => answers.push(resolve));
    for (const text of ['one', 'two']) {
      await fixture.replies.send(id, text);
      await fixture.ended(id);
      await fixture.replies.whenDone(id);
    }
    const [first, second] = answers;
    const steps: string[] = [];
    first?.({ items: [] });
    await setImmediate();
    const settled = sources.whenSettled(id).then(() => steps.push('settled'));
    await setImmediate();
    steps.push('found');
    second?.({ items: [] });
    await settled;
    assert.deepEqual(steps, ['found', 'settled']);
  });

  it('leaves no request behind when disposed', async () => {
    await start();
    const id = await createWithDocument();
    fixture.service.inject({ name: 'hang', on: GET });
    await fixture.replies.send(id, 'What is a quokka?');
    await fixture.service.waitForRequest(isMessagesRequest);
    sources.dispose();
    await fixture.service.waitForRequest((request) => isMessagesRequest(request) && request.aborted);
  });

  /** Requests a scripted reply, and returns it once the service was asked for its sources. */
  const sendScripted = async (end: ReplyEnd, text = 'So it is.'): Promise<ReplyTurn> => {
    const { id } = fixture.newConversation();
    const script = fixture.service.script();
    await fixture.replies.send(id, 'Is it so?');
    script.chunk(text);
    script.end(end);
    await fixture.ended(id);
    await sources.whenSettled(id);
    const reply = fixture.chat.findConversation(id)?.turns.at(-1);
    assert.ok(reply?.kind === 'reply');
    return reply;
  };

  it('adds sources of any form and kind with the best available name', async () => {
    await start({ profile: 'hosted' });
    const kinds = [
      { type: 'web', url: 'https://example.com/a', title: 'A page' },
      { type: 'web', url: 'https://example.com/b' },
      { type: 'note', id: 7 },
      { type: 'memory' },
    ];
    const all = await sendScripted({ sources: kinds });
    assert.deepEqual(
      all.sources?.map(({ name }) => name),
      ['A page', 'https://example.com/b', '7', 'memory'],
    );
    // The list of a hosted service has a single source as an object.
    assert.deepEqual((await sendScripted({ sources: kinds.slice(0, 1) })).sources, [
      { name: 'A page', url: 'https://example.com/a' },
    ]);
  });

  it('keeps at most 500 sources, and cuts their names', () => {
    const url = `https://example.com/${'a'.repeat(2000)}`;
    const all = Array.from({ length: 1000 }, (_, index) => ({ documentUrl: `${url}${index}` }));
    const { sources = [] } = readReply({ id: 'r', content: 'Yes.', sources: all });
    assert.deepEqual([sources.length, sources[499]?.name.length], [500, 1000]);
    assert.equal(sources[499]?.url, `${url}499`);
  });

  it('trims a long reply once, however many messages it is compared with', async () => {
    await start();
    const items = Array.from({ length: 100 }, (_, index) => ({
      ...{ id: `m${index}`, content: 'Other', machine: true, sources: [] },
    }));
    let calls = 0;
    fixture.connect().client.listMessages = async () => ({ items, total: 100 });
    const { trim } = String.prototype;
    String.prototype.trim = function (this: string) {
      if (this.length === 5000) calls++;
      return trim.call(this);
    };
    try {
      await sendScripted({}, 'a'.repeat(5000));
    } finally {
      String.prototype.trim = trim;
    }
    assert.ok(calls < 20, `${calls} times`);
  });

  it('adds the cost of the reply and reports it once', async () => {
    await start({ profile: 'hosted' });
    const usages: unknown[] = [];
    sources.onUsage(({ usage }) => usages.push(usage));
    const usage = { tokens: 120, credits: 2.5 };
    const reply = await sendScripted({ usage });
    assert.deepEqual([reply.ending, reply.usage, usages], ['complete', usage, [usage]]);
  });

  it('omits the cost when the service refuses it, and asks for it only once', async () => {
    await start({ profile: 'hosted' });
    for (const status of [400, 422]) {
      fixture.service.inject({ name: 'status', on: GET, status });
      const before = getRequests().length;
      const id = await createWithDocument();
      fixture.useBaseUrl(fixture.service.baseUrl);
      await fixture.replies.send(id, 'What is a quokka?');
      await fixture.ended(id);
      await sources.whenSettled(id);
      const asked = getRequests().slice(before);
      assert.deepEqual(
        asked.map(({ path }) => new URL(path, 'http://service').searchParams.get('includes')),
        ['sources,usage', 'sources'],
      );
      fixture.useDeadlines({});
    }
  });

  it('changes the ending when the service does not consider the reply an answer', async () => {
    await start({ profile: 'hosted' });
    for (const [end, code] of [
      [{ failed: true }, 'unanswered'],
      [{ flagged: true }, 'flagged'],
      [{ failed: true, flagged: true }, 'flagged'],
    ] as const) {
      const reply = await sendScripted(end);
      assert.deepEqual([reply.ending, reply.failure?.code, reply.text], ['failed', code, 'So it is.']);
      const conversation = fixture.chat
        .listConversations()
        .map(({ id }) => fixture.chat.findConversation(id))
        .find((each) => each?.turns.includes(reply));
      // Sending it again would violate the policy again.
      assert.equal(conversation && canRetry(conversation, reply.id), code === 'unanswered');
    }
  });

  it('opens only https: links, except for the file of the user', () => {
    const conversation = {
      id: 'c',
      name: '',
      turns: [],
      draft: '',
      unread: false,
      pinned: false,
      createdAt: 0,
    };
    const target = (url: string) => getSourceTarget(conversation, { name: 'a', id: '1', url });
    assert.deepEqual(target('https://example.com/a'), { kind: 'link', href: 'https://example.com/a' });
    for (const url of ['http://example.com', 'file:///etc/passwd', 'command:x', 'javascript:x', ''])
      assert.equal(target(url), undefined);
  });
});
