import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_LEASE_TIMES } from '../../../src/chat/store/files/lease';
import { ServiceError } from '../../../src/client/serviceError';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { createFile } from '../support/person';
import { UnwatchedStorage } from '../support/unwatchedStorage';

/** A window whose lease was removed would create it again. */
const withoutHeartbeats = { ...DEFAULT_LEASE_TIMES, heartbeatMs: 2 ** 30 };

/** Asserts that both windows have the conversation where it was created last, and as being there. */
function assertBothCreated(id: string, one: ChatFixture, other: Pick<ChatFixture, 'chat'>): void {
  const { baseUrl, conversations } = one.service;
  const [created] = conversations.keys();
  assert.deepEqual(
    [one, other].map(({ chat }) => chat.findConversation(id)?.remote),
    Array(2).fill({ baseUrl, id: created }),
  );
}

describe('A new conversation that two windows need on the service at the same time [fault 49]', () => {
  let fixture: ChatFixture;
  let other: ChatFixture;
  let id: string;

  beforeEach(async () => {
    fixture = await startChat();
    const bot = fixture.service.bots.find((each) => each.id === 'echo') ?? assert.fail();
    const turns = [{ kind: 'message', id: 'm', text: 'Hello', at: 1 }] as const;
    const about = { name: 'Imported', unread: false, pinned: false, draft: '', createdAt: 1 };
    id = crypto.randomUUID();
    fixture.chat.importConversation({ id, bot, turns, ...about });
    await fixture.chat.whenSaved(id);
    other = await fixture.otherWindow();
    await other.chat.openConversation(id);
  });
  afterEach(async () => {
    await other.close();
    await fixture.close();
  });

  const countCreations = () =>
    fixture.service.requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/conversations'),
    ).length;
  const getRemoteIds = () => [fixture, other].map(({ chat }) => chat.findConversation(id)?.remote?.id);

  it('is created once, with the message of one window and the document of the other', async () => {
    fixture.service.inject({ name: 'slow', on: 'POST /conversations', delayMs: 100, times: 2 });
    assert.equal(await fixture.replies.send(id, 'Is moss green?'), 'sent');
    const { finished } = other.uploads.add(id, createFile('moss.txt'));
    await Promise.all([finished, fixture.ended(id)]);
    fixture.service.clearFaults();
    const [conversationId] = fixture.service.conversations.keys();
    assert.deepEqual([countCreations(), getRemoteIds()], [1, [conversationId, conversationId]]);
    const { messages, documents } = fixture.service;
    const owners = [...messages.values(), ...documents.values()].map((each) => each.conversation_id);
    assert.deepEqual(
      owners,
      owners.map(() => conversationId),
    );
  });

  it('is created again once when it is gone', async () => {
    const gone = { baseUrl: fixture.service.baseUrl, id: 'gone', gone: true } as const;
    fixture.chat.update(id, { remote: gone });
    await waitUntil('the other window knows', () => other.chat.findConversation(id)?.remote?.gone);
    await Promise.all([fixture.remote.recreate(id), other.remote.recreate(id)]);
    const [conversationId] = fixture.service.conversations.keys();
    assert.deepEqual([countCreations(), getRemoteIds()], [1, [conversationId, conversationId]]);
  });

  it('is created again only if the service isn’t out of order when it is asked whether it is there', async () => {
    const { signal } = new AbortController();
    const remoteId = await fixture.remote.ensureCreated(id, fixture.connect(), signal);
    const gone = { baseUrl: fixture.service.baseUrl, id: remoteId, gone: true } as const;
    fixture.chat.update(id, { remote: gone });
    fixture.service.inject({ name: 'status', on: 'GET /conversations/{id}', status: 500, times: 1 });
    await assert.rejects(fixture.remote.recreate(id), { code: 'service', maySend: true });
    assert.deepEqual([countCreations(), fixture.chat.findConversation(id)?.remote], [1, gone]);
    fixture.service.inject({ name: 'status', on: 'GET /conversations/{id}', status: 501, times: 1 });
    await fixture.remote.recreate(id);
    assert.equal(countCreations(), 2);
  });

  it('isn’t created again if one window asks for it and finds it', async () => {
    const { signal } = new AbortController();
    const remoteId = await fixture.remote.ensureCreated(id, fixture.connect(), signal);
    fixture.chat.update(id, { remote: { baseUrl: fixture.service.baseUrl, id: remoteId, gone: true } });
    await waitUntil('the other window knows', () => other.chat.findConversation(id)?.remote?.gone);
    await Promise.all([fixture.remote.checkGone(id, signal), other.remote.recreate(id)]);
    await fixture.chat.readChanges(id);
    const places = [fixture, other].map(({ chat }) => chat.findConversation(id)?.remote);
    assert.deepEqual(places, Array(2).fill({ baseUrl: fixture.service.baseUrl, id: remoteId }));
    assert.equal(countCreations(), 1);
  });

  it('keeps its new place if one window still asks for the former, and its lease was taken over', async () => {
    const { signal } = new AbortController();
    const former = await fixture.remote.ensureCreated(id, fixture.connect(), signal);
    const gone = { baseUrl: fixture.service.baseUrl, id: former, gone: true } as const;
    fixture.chat.update(id, { remote: gone });
    await fixture.chat.whenSaved(id);
    const question = new EventEmitter();
    const isAsked = once(question, 'asked');
    const mayAnswer = once(question, 'answer');
    const asking = await fixture.otherWindow({
      leaseTimes: withoutHeartbeats,
      createStorage: (folder) => new UnwatchedStorage(folder),
      wrapFetch: (fetch) => async (url, init) => {
        const response = await fetch(url, init);
        question.emit('asked');
        await mayAnswer;
        return response;
      },
    });
    try {
      await asking.chat.openConversation(id);
      const checking = asking.remote.checkGone(id, signal);
      await isAsked;
      await rm(path.join(fixture.folder, `${id}.creation.lease`));
      await fixture.connect().client.deleteConversation(former);
      await fixture.remote.recreate(id);
      question.emit('answer');
      await checking;
      await asking.chat.whenSaved(id);
      await fixture.chat.readChanges(id);
      assertBothCreated(id, fixture, asking);
    } finally {
      question.emit('answer');
      await asking.close();
    }
  });

  it('is created by one window if the request of the other failed', async () => {
    fixture.service.inject({ name: 'status', on: 'POST /conversations', status: 500 });
    const { signal } = new AbortController();
    const creations = [fixture, other].map(({ remote, connect }) =>
      remote.ensureCreated(id, connect(), signal),
    );
    const results = await Promise.allSettled(creations);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    assert.equal(countCreations(), 2);
    await waitUntil('both windows know it', () => getRemoteIds().every((remoteId) => remoteId !== undefined));
    assert.equal(new Set(getRemoteIds()).size, 1);
  });

  it('is kept once if one window slept for so long that the other took its lease over', async () => {
    let wakeUp: () => void = assert.fail;
    const asleep = new Promise<void>((resolve) => {
      wakeUp = resolve;
    });
    const sleeping = await fixture.otherWindow({
      leaseTimes: withoutHeartbeats,
      wrapFetch: (fetch) => async (url, init) => {
        const response = await fetch(url, init);
        if (init.method === 'POST') {
          await asleep;
        }
        return response;
      },
    });
    try {
      await sleeping.chat.openConversation(id);
      const { signal } = new AbortController();
      const creating = sleeping.remote.ensureCreated(id, sleeping.connect(), signal);
      await waitUntil('the service has it', () => fixture.service.conversations.size === 1);
      await rm(path.join(fixture.folder, `${id}.creation.lease`));
      const remoteId = await other.remote.ensureCreated(id, other.connect(), signal);
      wakeUp();
      assert.equal(await creating, remoteId);
      assert.equal(sleeping.chat.findConversation(id)?.remote?.id, remoteId);
      assert.deepEqual([...fixture.service.conversations.keys()], [remoteId]);
    } finally {
      await sleeping.close();
    }
  });
});

describe('A conversation that is created again while a window still asks whether it is gone', () => {
  for (const creator of ['that window', 'another window'] as const) {
    it(`keeps its new place if ${creator} creates it`, async () => {
      const fixture = await startChat();
      const question = new EventEmitter();
      const isAsked = once(question, 'asked');
      const mayAnswer = once(question, 'answer');
      let isFirst = true;
      const asking = await fixture.otherWindow({
        createStorage: (folder) => new UnwatchedStorage(folder),
        wrapFetch: (fetch) => async (url, init) => {
          const response = await fetch(url, init);
          if (init.method === 'GET' && isFirst) {
            isFirst = false;
            question.emit('asked');
            await mayAnswer;
          }
          return response;
        },
      });
      try {
        const { id } = fixture.newConversation();
        await fixture.replies.send(id, 'Is moss green?');
        await fixture.ended(id);
        await fixture.replies.whenDone(id);
        const { remote } = (await asking.chat.openConversation(id)) ?? assert.fail();
        await fixture.connect().client.deleteConversation(remote?.id ?? assert.fail());
        const details = { operation: 'POST /messages/stream', message: 'no', maySend: true, status: 404 };
        const error = new ServiceError('notFound', details);
        const checked = asking.remote.checkConversation(id, asking.connect(), error);
        await isAsked;
        const creating = creator === 'that window' ? asking : fixture;
        assert.equal(await creating.remote.isGone(id, creating.connect(), error), true);
        await creating.remote.recreate(id);
        question.emit('answer');
        const state = await checked;
        await asking.chat.whenSaved(id);
        await fixture.chat.readChanges(id);
        assertBothCreated(id, fixture, asking);
        assert.equal(state, 'unknown');
      } finally {
        question.emit('answer');
        await asking.close();
        await fixture.close();
      }
    });
  }
});
