import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { getTranscriptName } from '../../../src/chat/store/conversationIndex';
import { CLOSED_PORT } from '../../client/support/servers';
import { demoBots } from '../../service/demo/demoBots';
import { type ChatFixture, sendAgain, startChat } from '../support/chatFixture';
import { conversationOf } from '../support/conversations';
import { acquire, writeTo } from '../support/writing';

describe('Chat', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat({ bots: demoBots });
  });
  afterEach(() => fixture.close());

  const conversation = (id: string) => {
    const found = fixture.chat.findConversation(id);
    assert.ok(found);
    return found;
  };

  const getStreamRequests = () =>
    fixture.service.requests.filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/messages/stream'),
    );

  it('streams a reply to its end and fires one event per chunk', async () => {
    const { chat, replies, newConversation, ended, events, service } = fixture;
    const { id } = newConversation();
    assert.equal(await replies.send(id, 'Hello *there*, 👋'), 'sent');
    const reply = await ended(id);
    assert.equal(reply.ending, 'complete');
    assert.equal(reply.text, 'Hello *there*, 👋');
    const chunks = events.filter((event) => event.type === 'chunk').map((event) => event.text);
    assert.equal(chunks.join(''), reply.text);
    assert.equal(chat.findConversation(id)?.name, 'Hello *there*, 👋');
    assert.deepEqual(
      [...service.conversations.values()].map(({ name, bot_id }) => ({ name, bot_id })),
      [{ name: 'Hello *there*, 👋', bot_id: 'echo' }],
    );
  });

  it('ignores records of its own turns read back from disk while it holds the lease', async () => {
    const { chat, store, newConversation, folder, until } = fixture;
    const { id } = newConversation();
    const lease = await acquire(chat, id);
    chat.writer.putTurn(lease, { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: '', at: 1 });
    chat.writer.appendText(lease, 'r', 'one');
    await chat.whenSaved(id);
    const line = async (record: object) => {
      await appendFile(path.join(folder, getTranscriptName(id)), `\n${JSON.stringify(record)}`);
      await store.readFolderChanges();
    };
    await line({ type: 'chunk', turnId: 'r', text: ' doubled' });
    await line({ type: 'about', name: 'Another name' });
    await until((event) => event.type === 'changed' && conversation(id).name === 'Another name');
    const text = () => chat.findConversation(id)?.turns.map((turn) => turn.kind === 'reply' && turn.text);
    assert.deepEqual(text(), ['one']);
    await lease.release();
    await line({ type: 'chunk', turnId: 'r', text: ' and two' });
    assert.deepEqual(text(), ['one and two']);
  });

  it('creates the conversation on the service once, with the first message', async () => {
    const { replies, newConversation, ended, service } = fixture;
    const { id } = newConversation();
    assert.equal(service.conversations.size, 0);
    await replies.send(id, 'one');
    await ended(id);
    await replies.send(id, 'two');
    await ended(id);
    assert.equal(service.conversations.size, 1);
    assert.equal(getStreamRequests().length, 2);
  });

  it("changes nothing when a message can't be sent", async () => {
    const { chat, replies, newConversation, events } = fixture;
    const { id } = newConversation();
    const before = events.length;
    assert.equal(await replies.send(id, ' \n'), 'empty');
    assert.equal(await replies.send(id, '👋'.repeat(2001)), 'tooLong');
    assert.equal(await replies.send(chat.createConversation(undefined).id, 'hi'), 'noBot');
    assert.equal(events.length, before + 1); // the conversation without a bot
    assert.deepEqual(chat.findConversation(id)?.turns, []);
  });

  it('accepts 2000 code points regardless of their number of code units', async () => {
    const { replies, newConversation, ended } = fixture;
    const { id } = newConversation();
    assert.equal(await replies.send(id, '👋'.repeat(2000)), 'sent');
    assert.equal((await ended(id)).text, '👋'.repeat(2000));
  });

  it('refuses a second message while a reply streams', async () => {
    const { replies, newConversation, service } = fixture;
    const script = service.script();
    const { id } = newConversation();
    await replies.send(id, 'one');
    await script.opened;
    assert.equal(await replies.send(id, 'two'), 'busy');
    assert.equal(getStreamRequests().length, 1);
  });

  it('keeps and marks the partial text and closes the socket when stopped [fault 39]', async () => {
    const { replies, newConversation, ended, service, until } = fixture;
    const script = service.script();
    const { id } = newConversation();
    await replies.send(id, 'go');
    script.chunk('partial');
    await until((event) => event.type === 'chunk');
    replies.stop(id);
    const reply = await ended(id);
    assert.deepEqual([reply.ending, reply.text, reply.failure], ['stopped', 'partial', undefined]);
    await script.closed;
  });

  it('marks a reply as interrupted when its stream breaks off, keeps its text and sends nothing again [fault 23]', async () => {
    const { replies, newConversation, ended, service, until } = fixture;
    for (const end of ['close', 'reset'] as const) {
      const script = service.script();
      const { id } = newConversation();
      await replies.send(id, 'go');
      script.chunk(`partial ${end}`);
      await until((event) => event.type === 'chunk' && event.text === `partial ${end}`);
      script[end]();
      const reply = await ended(id);
      assert.deepEqual([reply.ending, reply.text], ['interrupted', `partial ${end}`]);
      assert.equal(reply.failure?.maySend, false);
    }
    assert.equal(getStreamRequests().length, 2);
  });

  it('fails when the key is rejected, and Retry sends the same message with the new key [fault 9]', async () => {
    const { chat, replies, newConversation, ended, service, useKey } = fixture;
    const { id } = newConversation();
    useKey('wrong');
    await replies.send(id, 'hello');
    const failed = await ended(id);
    assert.deepEqual(
      [failed.ending, failed.failure?.code, failed.failure?.maySend],
      ['failed', 'unauthorized', true],
    );
    useKey(service.key);
    await replies.retry(id, failed.id, sendAgain);
    const reply = await ended(id);
    assert.deepEqual([reply.ending, reply.text], ['complete', 'hello']);
    const kinds = chat.findConversation(id)?.turns.map((turn) => turn.kind);
    assert.deepEqual(kinds, ['message', 'reply']);
  });

  it('returns the text to the composer when the quota is reached [fault 10]', async () => {
    const limited = await startChat({ quota: 0 });
    try {
      const { id } = limited.newConversation();
      await limited.replies.send(id, 'one too many');
      const reply = await limited.ended(id);
      assert.equal(reply.failure?.code, 'quotaReached');
      assert.ok(reply.failure?.serviceMessage);
      await limited.until((event) => event.type === 'draft' && !event.page);
      assert.equal(limited.chat.findConversation(id)?.draft, 'one too many');
      await limited.replies.retry(id, reply.id, sendAgain);
      assert.equal(limited.chat.findConversation(id)?.turns.length, 2);
    } finally {
      await limited.close();
    }
  });

  it('puts the returned text before a draft begun in the meantime', async () => {
    const { chat, replies, newConversation, ended } = fixture;
    const { id } = newConversation('nobody');
    await replies.send(id, 'hello');
    chat.composers.setDraft(id, 'next thought');
    const reply = await ended(id);
    assert.equal(reply.failure?.code, 'validation');
    assert.ok(reply.failure?.fieldErrors?.bot_id);
    assert.equal(chat.findConversation(id)?.draft, 'hello\n\nnext thought');
  });

  it("reports that nothing was sent when the service can't be reached", async () => {
    const { replies, newConversation, ended, useBaseUrl } = fixture;
    useBaseUrl(`http://127.0.0.1:${CLOSED_PORT}/api/v1`);
    const { id } = newConversation();
    await replies.send(id, 'hello');
    const reply = await ended(id);
    assert.deepEqual(
      [reply.failure?.code, reply.failure?.reason, reply.failure?.maySend],
      ['unreachable', 'refused', true],
    );
  });

  it('warns that a message may have been sent when the connection closes before a response [fault 7]', async () => {
    const { replies, newConversation, ended, service } = fixture;
    service.inject({ name: 'fin-before-headers', on: 'POST /messages/stream' });
    const { id } = newConversation();
    await replies.send(id, 'hello');
    const reply = await ended(id);
    assert.deepEqual([reply.ending, reply.failure?.maySend], ['failed', false]);
    assert.equal(getStreamRequests().length, 1);
  });

  it('streams several conversations at the same time without mixing them up', async () => {
    const { replies, newConversation, ended, service } = fixture;
    const scripts = [service.script(), service.script(), service.script()];
    const ids: string[] = [];
    for (const [index, script] of scripts.entries()) {
      const { id } = newConversation();
      ids.push(id);
      await replies.send(id, `message ${index}`);
      await script.opened;
    }
    for (let round = 0; round < 20; round++) {
      for (const [index, script] of scripts.entries()) script.chunk(`${index}.${round} `);
    }
    for (const script of scripts) script.end();
    for (const [index, id] of ids.entries()) {
      const expected = Array.from({ length: 20 }, (_, round) => `${index}.${round} `).join('');
      assert.equal((await ended(id)).text, expected);
    }
  });

  it('renames, changes the bot and deletes on the service first', async () => {
    const { chat, remote, replies, newConversation, ended, service } = fixture;
    const { id } = newConversation();
    await replies.send(id, 'hello');
    await ended(id);
    const known = () => [...service.conversations.values()][0];
    await remote.rename(id, 'New name');
    await remote.changeBot(id, { id: 'guide', name: 'Guide' });
    assert.deepEqual([known()?.name, known()?.bot_id], ['New name', 'guide']);
    await assert.rejects(remote.changeBot(id, { id: 'nobody', name: 'Nobody' }), { code: 'validation' });
    assert.equal(chat.findConversation(id)?.bot?.id, 'guide');
    await remote.delete(conversation(id));
    assert.equal(service.conversations.size, 0);
  });

  it('reports a failed deletion on the service, and ignores that the service has no such conversation', async () => {
    const { remote, replies, newConversation, ended, service } = fixture;
    const { id } = newConversation();
    await replies.send(id, 'hello');
    await ended(id);
    service.inject({ name: 'status', on: 'DELETE /conversations/{id}', status: 500 });
    await assert.rejects(remote.delete(conversation(id)), { code: 'service' });
    service.inject({ name: 'status', on: 'DELETE /conversations/{id}', status: 404 });
    await remote.delete(conversation(id));
  });

  it('marks a reply that has ended as unread until it is read', async () => {
    const { chat, replies, newConversation, ended } = fixture;
    const { id } = newConversation();
    await replies.send(id, 'hello');
    await ended(id);
    assert.equal(chat.findConversation(id)?.unread, true);
    chat.markRead(id);
    assert.equal(chat.findConversation(id)?.unread, false);
  });

  it('aborts the request when its window closes, and marks the reply as interrupted [fault 40]', async () => {
    const { replies, newConversation, ended, service } = fixture;
    const script = service.script();
    const { id } = newConversation();
    await replies.send(id, 'go');
    await script.opened;
    await replies.dispose();
    await script.closed;
    assert.equal((await ended(id)).ending, 'interrupted');
  });

  it('continues an imported conversation in a new one on the service', async () => {
    const { chat, replies, ended, events, service } = fixture;
    const message = { kind: 'message', id: 'm', text: 'before', at: 1 } as const;
    const adopted = conversationOf([message], 'Adopted');
    chat.importConversation({ ...adopted, bot: { id: 'echo', name: 'Echo' } });
    assert.deepEqual(events, [{ type: 'created', conversationId: adopted.id }]);
    assert.equal(chat.listConversations()[0]?.name, 'Adopted');
    assert.equal(await replies.send(adopted.id, 'after'), 'sent');
    assert.equal((await ended(adopted.id)).text, 'after');
    assert.deepEqual(chat.findConversation(adopted.id)?.turns[0], message);
    assert.deepEqual(
      [...service.conversations.values()].map(({ name }) => name),
      ['Adopted'],
    );
    assert.equal(adopted.turns.length, 1);
  });

  it('saves an imported conversation, and opens all of it in another window', async () => {
    const { chat, otherWindow } = fixture;
    const turns = Array.from({ length: 3000 }, (_, index) => ({
      ...{ kind: 'message' as const, id: `m${index}`, text: 'What is moss? '.repeat(5), at: index },
    }));
    const adopted = conversationOf(turns, 'Adopted');
    chat.importConversation(adopted);
    await chat.whenSaved(adopted.id);
    const other = await otherWindow();
    assert.equal((await other.chat.openConversation(adopted.id))?.earlier, true);
    const whole = await other.chat.openWhole(adopted.id);
    assert.deepEqual([whole?.name, whole?.bot, whole?.turns], ['Adopted', adopted.bot, turns]);
    assert.equal(await other.chat.openWhole('nobody'), undefined);
    await other.close();
  });

  it('changes a turn by another window once, while it is still being read', async () => {
    const { chat, otherWindow } = fixture;
    const turns = Array.from({ length: 3000 }, (_, index) => ({
      ...{ kind: 'message' as const, id: `m${index}`, text: 'What is moss? '.repeat(5), at: index },
    }));
    chat.importConversation(conversationOf(turns, 'Adopted'));
    const { id } = conversationOf([]);
    await chat.whenSaved(id);
    const other = await otherWindow();
    const open = other.store.openTranscript.bind(other.store);
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasRead: (() => void) | undefined;
    const read = new Promise<void>((resolve) => {
      hasRead = resolve;
    });
    other.store.openTranscript = async (...args) => {
      const opened = await open(...args);
      assert.ok(opened?.kind === 'conversation');
      const earlier = async () => {
        const found = await opened.earlier();
        hasRead?.();
        await held;
        return found;
      };
      return { ...opened, earlier };
    };
    assert.equal((await other.chat.openConversation(id))?.earlier, true);
    await read;
    const [first] = turns;
    assert.ok(first);
    await writeTo(chat, id, (permission) => {
      chat.writer.putTurn(permission, { ...first, text: 'Replaced' });
      chat.writer.putTurn(permission, { ...first, id: 'inserted', text: 'Inserted' }, 'm1');
      chat.writer.removeTurn(permission, 'm2');
    });
    await chat.whenSaved(id);
    await other.chat.readChanges(id);
    release?.();
    const whole = await other.chat.openWhole(id);
    const ids = whole?.turns.map((turn) => turn.id) ?? [];
    assert.deepEqual([ids.slice(0, 4), ids.length], [['m0', 'inserted', 'm1', 'm3'], 3000]);
    const replaced = whole?.turns[0];
    assert.equal(replaced?.kind === 'message' && replaced.text, 'Replaced');
    const added = other.events.filter((event) => event.type === 'turn').map(({ turn }) => turn.id);
    const earlier = other.events.findIndex((event) => event.type === 'earlierTurns');
    assert.deepEqual(added, ['m0', 'inserted']);
    assert.ok(earlier < other.events.findIndex((event) => event.type === 'turn'));
    await other.close();
  });
});
