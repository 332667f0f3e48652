import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { MessageSync } from '../../../src/chat/remote/messageSync';
import type { Message } from '../../../src/client/models';
import type { Page } from '../../../src/client/pages';
import { ServiceError } from '../../../src/client/serviceError';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import type { LocalServiceOptions } from '../../service/localService';
import { sendAgain, startChat } from '../support/chatFixture';
import { Machine } from '../support/machine';
import { acquire, putTurn, writeTo } from '../support/writing';

describe('MessageSync', () => {
  let a: Machine;
  let b: Machine;

  const start = async (options?: LocalServiceOptions) => {
    a = new Machine(await startChat(options));
    b = new Machine(await a.fixture.otherMachine());
  };
  afterEach(async () => {
    await b.close();
    await a.close();
  });

  const requests = (method: string, end: string) =>
    a.fixture.service.requests.filter(
      (each) => each.method === method && new URL(each.path, 'http://service').pathname.endsWith(end),
    );
  const remoteId = (machine: Machine, id: string) =>
    machine.chat.findConversation(id)?.remote?.id ?? assert.fail();

  it('opens a conversation by its id on another machine with name, bot and messages, and saves it', async () => {
    await start();
    const { id } = a.fixture.newConversation();
    await a.say(id, 'Hello moss');
    await a.say(id, 'And fern?');
    const opened = await b.fromService.openFromService(remoteId(a, id));
    assert.deepEqual(b.texts(opened), a.texts(id));
    const { name, bot, remote, turns } = b.chat.findConversation(opened) ?? assert.fail();
    assert.deepEqual(
      [name, bot, remote],
      ['Hello moss', { id: 'echo', name: 'Echo' }, a.chat.findConversation(id)?.remote],
    );
    assert.ok(turns.every((turn) => turn.kind === 'document' || turn.remoteId !== undefined));
    const window = await b.fixture.otherWindow();
    assert.deepEqual((await window.chat.openWhole(opened))?.turns, turns);
    assert.equal(await b.fromService.openFromService(remoteId(a, id)), opened);
    await window.close();
  });

  for (const wrapMessages of [false, true]) {
    it(`inserts messages from elsewhere between local ones (${wrapMessages ? 'wrapped' : 'bare array'})`, async () => {
      await start({ wrapMessages });
      const { id } = a.fixture.newConversation();
      await a.say(id, 'One');
      const other = await b.fromService.openFromService(remoteId(a, id));
      await b.say(other, 'Two');
      await a.say(id, 'Three');
      const order = ['One', 'Two', 'Three'].flatMap((text) => [
        text,
        a.reply(id).text.replace('Three', text),
      ]);
      for (const [machine, here] of [
        [a, id],
        [b, other],
      ] as const) {
        await machine.lookLater(here);
        assert.deepEqual(machine.texts(here), order);
        const { length } = machine.fixture.events;
        await machine.lookLater(here);
        assert.equal(machine.fixture.events.length, length, 'nothing the second time');
      }
      const window = await a.fixture.otherWindow();
      const read = await window.chat.openWhole(id);
      assert.deepEqual(read?.turns, a.chat.findConversation(id)?.turns);
      await window.close();
    });

    it(`reads all pages of a long conversation, and later only the last (${wrapMessages ? 'wrapped' : 'bare array'})`, async () => {
      // Within one second, nothing tells which messages are the newest.
      let clock = Date.now() - 60_000;
      await start({ wrapMessages, now: () => clock });
      const { id } = a.fixture.newConversation();
      for (let count = 0; count < 60; count++) {
        await a.say(id, `Message ${count}`);
        clock += 1000;
      }
      const other = await b.fromService.openFromService(remoteId(a, id));
      assert.deepEqual(b.texts(other), a.texts(id));
      await a.say(id, 'One more');
      const before = requests('GET', '/messages').length;
      await b.lookLater(other);
      assert.deepEqual(b.texts(other), a.texts(id));
      assert.ok(requests('GET', '/messages').length - before <= 2);
    });
  }

  it('reads all messages of a conversation that was created again on the service', async () => {
    let clock = Date.now() - 60_000;
    await start({ now: () => clock });
    const { id } = a.fixture.newConversation();
    for (let count = 0; count < 30; count++) {
      await a.say(id, `Message ${count}`);
      clock += 1000;
    }
    await a.lookLater(id);
    await a.fixture.connect().client.deleteConversation(remoteId(a, id));
    const { id: turnId } = await a.say(id, 'Are you there?');
    assert.equal(await a.fixture.replies.retry(id, turnId, async () => true), 'sent');
    await a.fixture.ended(id);
    clock += 1000;
    const other = await b.fromService.openFromService(remoteId(a, id));
    await b.say(other, 'From elsewhere');
    await a.lookLater(id);
    assert.ok(a.texts(id).includes('From elsewhere'));
  });

  describe('with many new messages', () => {
    const COUNT = 900;

    /** Opens a conversation on another machine, and adds messages to the service. */
    const addMessages = async (texts: readonly string[]) => {
      await start();
      const { id } = a.fixture.newConversation();
      await a.say(id, 'First');
      const other = await b.fromService.openFromService(remoteId(a, id));
      const messages = a.fixture.service.messages as Map<string, object>;
      const [first] = [...messages.values()];
      for (const [index, content] of texts.entries())
        messages.set(`n${index}`, { ...first, id: `n${index}`, content });
      return other;
    };
    const texts = Array.from({ length: COUNT }, (_, index) => `Text ${index}`);
    const getAdded = (id: string) => b.texts(id).filter((text) => text.startsWith('Text '));

    it('adds messages in batches, so that the extension host stays responsive', async () => {
      const id = await addMessages(texts);
      let [inTask, most] = [0, 0];
      const subscription = b.chat.onChatEvent(() => {
        if (inTask++ === 0) setTimeout(() => (inTask = 0));
        most = Math.max(most, inTask);
      });
      await b.lookLater(id);
      subscription.dispose();
      assert.deepEqual(getAdded(id), texts);
      assert.ok(most <= 300, `${most} changes in one task`);
    });

    it('compares many megabytes in parts, so that the extension host stays responsive [attack: slow text]', async () => {
      const id = await addMessages(
        Array.from({ length: 6 }, (_, index) => `Text ${index}${' a'.repeat(600_000)}`),
      );
      let [inTask, most] = [0, 0];
      const { normalize } = String.prototype;
      String.prototype.normalize = function (this: string, form?: string) {
        if (inTask === 0) setTimeout(() => (inTask = 0));
        inTask += this.length;
        most = Math.max(most, inTask);
        return normalize.call(this, form);
      };
      try {
        await b.lookLater(id);
      } finally {
        String.prototype.normalize = normalize;
      }
      assert.equal(getAdded(id).length, 6);
      assert.ok(most < 3_000_000, `${most} characters in one task`);
    });

    it('adds new messages in order around a turn that another sync adds in the meantime', async () => {
      const id = await addMessages(texts);
      const turn = { kind: 'message', id: 'here', text: 'Here', at: b.now + 60_000 } as const;
      const permission = await acquire(b.chat, id);
      const subscription = b.chat.onChatEvent(() => {
        subscription.dispose();
        setTimeout(() => b.chat.writer.putTurn(permission, turn));
      });
      await b.lookLater(id);
      await permission.release();
      assert.deepEqual(getAdded(id), texts);
      assert.equal(b.texts(id).at(-1), 'Here');
    });

    it('leaves the remaining messages to the next refresh if a reply starts in the meantime', async () => {
      const id = await addMessages(texts);
      const reply = { kind: 'reply', id: 'r', messageId: '', bot: 'Echo', text: '', at: b.now } as const;
      const permission = await acquire(b.chat, id);
      const subscription = b.chat.onChatEvent(() => {
        subscription.dispose();
        setTimeout(() => b.chat.writer.putTurn(permission, reply));
      });
      await b.lookLater(id);
      assert.ok(getAdded(id).length > 0 && getAdded(id).length < COUNT);
      b.chat.writer.endReply(permission, { ...reply, ending: 'complete' });
      await permission.release();
      await b.messageSync.fetchMessages(id);
      assert.deepEqual(getAdded(id), texts);
    });
  });

  it('refreshes at most every 30 s, and no conversations of another service or none', async () => {
    await start();
    const { id } = a.fixture.newConversation();
    await a.messageSync.fetchMessages(id);
    await a.say(id, 'Hi');
    await a.messageSync.fetchMessages(id);
    await a.messageSync.fetchMessages(id);
    assert.equal(requests('GET', '/messages').length, 1);
    await a.lookLater(id);
    assert.equal(requests('GET', '/messages').length, 2);
    a.fixture.useBaseUrl(`${a.fixture.service.apiOrigin}/other`);
    await a.lookLater(id);
    assert.equal(a.fixture.service.requests.filter(({ path }) => path.includes('/other')).length, 0);
  });

  for (const status of [404, 405]) {
    it(`asks a service that always answers ${status} no more, and reports nothing`, async () => {
      await start();
      const { id } = a.fixture.newConversation();
      const { id: otherId } = a.fixture.newConversation();
      await a.say(id, 'Hi');
      await a.say(otherId, 'Hi');
      a.fixture.service.inject({ name: 'status', status, on: 'GET /messages', times: 9 });
      await a.lookLater(id);
      // A 404 may be about the conversation.
      if (status === 404) await a.lookLater(otherId);
      const asked = requests('GET', '/messages').length;
      assert.equal(asked, status === 404 ? 2 : 1);
      await a.lookLater(id);
      await a.lookLater(otherId);
      assert.equal(requests('GET', '/messages').length, asked);
      assert.equal(a.fixture.connect().capabilities.has('GET /messages'), false);
      assert.equal(a.chat.findConversation(id)?.remote?.gone, undefined);
    });
  }

  it("reports nothing when the service can't be reached, and refreshes again", async () => {
    await start();
    const { id } = a.fixture.newConversation();
    await a.say(id, 'Hi');
    a.fixture.service.inject({ name: 'status', status: 500, on: 'GET /messages', times: 9 });
    await a.lookLater(id);
    a.fixture.service.clearFaults();
    const other = await b.fromService.openFromService(remoteId(a, id));
    await b.say(other, 'More');
    await a.lookLater(id);
    assert.deepEqual(a.texts(id), b.texts(other));
  });

  it('stops when the conversation is deleted', async () => {
    await start();
    const { id } = a.fixture.newConversation();
    await a.say(id, 'Hi');
    a.fixture.service.inject({ name: 'hang', on: 'GET /messages' });
    a.now += 31_000;
    const look = a.messageSync.fetchMessages(id);
    await a.fixture.service.waitForRequest(
      ({ method, path }) => method === 'GET' && path.includes('/messages'),
    );
    await a.chat.deleteConversation(id);
    await look;
    assert.equal(a.chat.findConversation(id), undefined);
  });

  it('offers the complete text of an interrupted reply, and shows it on request', async () => {
    await start();
    const { service, until } = a.fixture;
    const { id } = a.fixture.newConversation();
    const script = service.script();
    // The service is still generating the reply.
    service.inject({ name: 'slow', on: 'GET /messages', delayMs: 300 });
    await a.fixture.replies.send(id, 'Tell me');
    await script.opened;
    script.chunk('Half a ');
    await until((event) => event.type === 'chunk');
    script.reset();
    await service.waitForRequest(({ method, path }) => method === 'GET' && path.includes('/messages'));
    const there = [...service.messages.values()].find(({ machine }) => machine) ?? assert.fail();
    Object.assign(there, { content: 'Half a loaf', failed_responding: false });
    await until(
      (event) => event.type === 'turn' && event.turn.kind === 'reply' && event.turn.whole !== undefined,
    );
    const partial = a.reply(id);
    assert.deepEqual(
      [partial.text, partial.ending, partial.whole],
      ['Half a ', 'interrupted', 'Half a loaf'],
    );
    assert.equal(await a.messageSync.showCompleteReply(id, partial.id), true);
    const { text, ending, failure, whole } = a.reply(id);
    assert.deepEqual([text, ending, failure, whole], ['Half a loaf', 'complete', undefined, undefined]);
    assert.equal(await a.messageSync.showCompleteReply(id, partial.id), false);
    const window = await a.fixture.otherWindow();
    assert.deepEqual((await window.chat.openConversation(id))?.turns, a.chat.findConversation(id)?.turns);
    await window.close();
  });

  it('offers nothing when the service broke off as well', async () => {
    await start();
    const { id } = a.fixture.newConversation();
    const script = a.fixture.service.script();
    await a.fixture.replies.send(id, 'Tell me');
    await script.opened;
    script.chunk('Half');
    await a.fixture.until((event) => event.type === 'chunk');
    script.reset();
    await a.fixture.until(
      (event) => event.type === 'turn' && 'remoteId' in event.turn && event.turn.kind === 'reply',
    );
    assert.equal(a.reply(id).whole, undefined);
    assert.deepEqual(a.texts(id), ['Tell me', 'Half']);
  });

  describe('conversation that the service no longer has', () => {
    let id: string;
    const lost = async () => {
      await start();
      ({ id } = a.fixture.newConversation());
      await a.say(id, 'Hi');
      await a.fixture.connect().client.deleteConversation(remoteId(a, id));
    };
    const isGone = () => a.chat.findConversation(id)?.remote?.gone === true;

    it('is reported when a message is sent, and Retry creates it again there', async () => {
      await lost();
      const before = a.chat.findConversation(id)?.remote?.id;
      const { ending, failure, id: turnId } = await a.say(id, 'More');
      assert.deepEqual([ending, failure], ['failed', { code: 'gone', maySend: true }]);
      assert.ok(isGone());
      assert.equal(await a.fixture.replies.retry(id, turnId, sendAgain), 'sent');
      assert.equal((await a.fixture.ended(id)).ending, 'complete');
      assert.deepEqual(
        a.chat.findConversation(id)?.turns.map(({ kind }) => kind),
        ['message', 'reply', 'message', 'reply'],
      );
      assert.notEqual(remoteId(a, id), before);
      assert.ok(!isGone());
    });

    it('is reported when it is opened, in other windows too, and keeps its text', async () => {
      await lost();
      const texts = a.texts(id);
      await a.lookLater(id);
      assert.ok(isGone());
      assert.deepEqual(a.texts(id), texts);
      await a.chat.whenSaved(id);
      const window = await a.fixture.otherWindow();
      assert.equal((await window.chat.openConversation(id))?.remote?.gone, true);
      await window.close();
    });

    it('continues in a new one without repeating requests', async () => {
      await lost();
      await a.lookLater(id);
      await Promise.all([a.fixture.remote.recreate(id), a.fixture.remote.recreate(id)]);
      assert.ok(!isGone());
      assert.equal(requests('POST', '/conversations').length, 2);
      assert.equal((await a.say(id, 'More')).ending, 'complete');
      await a.lookLater(id);
      assert.equal(a.texts(id).length, 4);
    });

    const markInOutage = async () => {
      await start();
      ({ id } = a.fixture.newConversation());
      await a.say(id, 'Hi');
      a.fixture.service.inject({ name: 'status', status: 404, on: '*', times: Number.POSITIVE_INFINITY });
      await a.lookLater(id);
      a.fixture.service.clearFaults();
      assert.ok(isGone());
    };

    it('is found again when it is opened after an outage, in other windows too', async () => {
      await markInOutage();
      const other = await b.fromService.openFromService(remoteId(a, id));
      await b.say(other, 'More');
      await a.lookLater(id);
      assert.ok(!isGone());
      assert.deepEqual(a.texts(id), b.texts(other));
      await a.chat.whenSaved(id);
      const window = await a.fixture.otherWindow();
      assert.equal((await window.chat.openConversation(id))?.remote?.gone, undefined);
      await window.close();
    });

    it('is found again when a message is sent after an outage', async () => {
      await markInOutage();
      const before = remoteId(a, id);
      assert.equal((await a.say(id, 'More')).ending, 'complete');
      assert.deepEqual([isGone(), remoteId(a, id)], [false, before]);
      assert.equal(requests('POST', '/conversations').length, 1);
    });

    it('is deleted there if it was marked in an outage', async () => {
      await markInOutage();
      await a.fixture.remote.delete(a.chat.findConversation(id) ?? assert.fail());
      assert.equal(a.fixture.service.conversations.size, 0);
    });

    it('is asked for once each time it is opened', async () => {
      await lost();
      await a.lookLater(id);
      const { length } = a.fixture.service.requests;
      await a.lookLater(id);
      await a.messageSync.fetchMessages(id);
      assert.deepEqual(
        a.fixture.service.requests.slice(length).map(({ path }) => new URL(path, 'http://service').pathname),
        [`/api/v1/conversations/${remoteId(a, id)}`],
      );
      assert.ok(isGone());
    });

    it('can be renamed and deleted here', async () => {
      await lost();
      await a.fixture.remote.rename(id, 'Kept');
      assert.equal(a.chat.findConversation(id)?.name, 'Kept');
      assert.ok(isGone());
      await a.fixture.remote.delete(a.chat.findConversation(id) ?? assert.fail());
    });
  });

  describe('with messages that only the service has', () => {
    const BASE_SECONDS = 1_770_000_000;
    type Answer = Partial<Page<Message>>;
    let id: string;
    let asked: number[];
    const createMessage = (number: number, about: Partial<Message> = {}): Message => ({
      ...{ id: `m${number}`, content: `Message ${number}`, machine: number % 2 === 1, sources: [] },
      createdAt: BASE_SECONDS + number,
      conversationId: 'c',
      ...about,
    });
    const createMessages = (count: number, from = 0) =>
      Array.from({ length: count }, (_, index) => createMessage(from + index));
    /** Answers with these pages, the last one from there on. */
    const answer = (...pages: readonly Answer[]) => {
      asked = [];
      a.fixture.connect().client.listMessages = async ({ page }) => {
        asked.push(page ?? 1);
        return { items: [], ...pages[Math.min(page ?? 1, pages.length) - 1] };
      };
    };
    const getTexts = () => a.texts(id);
    beforeEach(async () => {
      await start();
      ({ id } = a.fixture.newConversation());
      a.chat.update(id, { remote: { baseUrl: a.fixture.connect().baseUrl, id: 'c' } });
    });

    it('names the conversation after the first one, and the replies after its bot', async () => {
      answer({ items: createMessages(2) });
      await a.messageSync.fetchMessages(id);
      assert.deepEqual(getTexts(), ['Message 0', 'Message 1']);
      assert.deepEqual([a.chat.findConversation(id)?.name, a.reply(id).bot], ['Message 0', 'Echo']);
    });

    it('leaves out those of other conversations and those without an id', async () => {
      const items = [
        createMessage(0),
        createMessage(1, { conversationId: 'other' }),
        createMessage(2, { id: '' }),
      ];
      answer({ items });
      await a.messageSync.fetchMessages(id);
      assert.deepEqual(getTexts(), ['Message 0']);
    });

    for (const { title, pages, count } of [
      { title: 'a short array', pages: [{ items: createMessages(9) }], count: 1 },
      {
        title: 'arrays until one is short',
        pages: [{ items: createMessages(10) }, { items: createMessages(2, 10) }],
        count: 2,
      },
      { title: 'arrays until one repeats', pages: [{ items: createMessages(10) }], count: 2 },
      { title: 'all at once', pages: [{ items: createMessages(20), total: 20 }], count: 1 },
      {
        title: 'pages until the last one',
        pages: [
          { items: createMessages(3), total: 5, next: 2 },
          { items: createMessages(2, 3), total: 5 },
        ],
        count: 2,
      },
    ])
      it(`asks ${count}× for ${title}`, async () => {
        answer(...pages);
        await a.messageSync.fetchMessages(id);
        assert.equal(asked.length, count);
        const ids = new Set(pages.flatMap(({ items }) => items.map((message) => message.id)));
        assert.equal(getTexts().length, ids.size);
      });

    it('asks for at most 200 pages', async () => {
      answer(...Array.from({ length: 210 }, (_, page) => ({ items: createMessages(10, 10 * page) })));
      await a.messageSync.fetchMessages(id);
      assert.equal(asked.length, 200);
    });

    it('asks for no more pages once the messages take a lot of memory', async () => {
      const documentUrl = `https://example.com/${'a'.repeat(9000)}`;
      const sources = Array.from({ length: 500 }, () => ({ documentUrl }));
      const pages = Array.from({ length: 40 }, (_, page) => [
        createMessage(2 * page),
        // Not added, because it isn't finished.
        createMessage(2 * page + 1, { content: '', sources }),
      ]);
      answer(...pages.map((items, page) => ({ items, next: page + 2 })));
      await a.messageSync.fetchMessages(id);
      assert.equal(asked.length, 15);
    });

    it('asks for newer pages only, if the newest messages come first', async () => {
      const items = createMessages(40).toReversed();
      const pages = [0, 1, 2, 3].map((page) => ({ items: items.slice(10 * page, 10 * page + 10) }));
      answer(...pages);
      await a.messageSync.fetchMessages(id);
      assert.deepEqual([getTexts().length, asked], [40, [1, 2, 3, 4, 5].slice(0, asked.length)]);
      const newer = createMessages(5, 40).toReversed();
      const all = [...newer, ...items];
      answer(...[0, 1, 2, 3, 4].map((page) => ({ items: all.slice(10 * page, 10 * page + 10) })));
      await a.lookLater(id);
      assert.deepEqual([getTexts().length, asked], [45, [1, 2]]);
    });

    describe('on several pages', () => {
      const texts = Array.from({ length: 30 }, (_, index) => `Message ${index}`);
      const pages = [0, 10, 20].map((from) => ({ items: createMessages(10, from), total: 30 }));
      const answerAll = () =>
        answer(...pages.map((page, index) => ({ ...page, next: index < 2 ? index + 2 : ('none' as const) })));
      const reply = { kind: 'reply', id: 'r', messageId: '', bot: 'Echo', text: '', at: 1 } as const;

      it('adds all of them after another window has written', async () => {
        answerAll();
        await putTurn(a.chat, id, { kind: 'message', id: 'here', text: 'Here', at: 1 });
        await a.chat.whenSaved(id);
        const other = await a.fixture.otherWindow();
        const permission = await other.chat.acquirePermission(id);
        assert.equal(permission?.kind, 'leased');
        await a.messageSync.fetchMessages(id);
        await a.lookLater(id);
        assert.deepEqual(getTexts(), ['Here']);
        await permission?.release();
        await a.messageSync.fetchMessages(id);
        assert.deepEqual(getTexts(), ['Here', ...texts]);
        await other.close();
        await a.lookLater(id);
        assert.deepEqual(asked, [1, 2, 3, 1, 2, 3, 1, 2, 3, 3]);
      });

      it('adds all of them after a reply that streams when the changes of other windows have been read', async () => {
        answerAll();
        const { readChanges } = a.chat;
        a.chat.readChanges = async () => {
          a.chat.readChanges = readChanges;
          await putTurn(a.chat, id, reply);
        };
        await a.messageSync.fetchMessages(id);
        assert.deepEqual(getTexts(), ['']);
        await writeTo(a.chat, id, (permission) =>
          a.chat.writer.endReply(permission, { ...reply, ending: 'stopped' }),
        );
        await a.messageSync.fetchMessages(id);
        assert.deepEqual(getTexts().filter(Boolean), texts);
      });

      it('adds the others after an error in between', async () => {
        answerAll();
        const { chat, remote, connect } = a.fixture;
        const sync = new MessageSync(chat, remote, connect);
        const { putTurn } = chat.writer;
        let count = 0;
        chat.writer.putTurn = (...args) => {
          if (count++ === 2) throw new Error('Bug');
          putTurn.apply(chat.writer, args);
        };
        await sync.fetchMessages(id);
        assert.deepEqual([getTexts(), a.fixture.takeErrors()], [texts.slice(0, 2), [new Error('Bug')]]);
        await sync.fetchMessages(id);
        assert.deepEqual(getTexts(), texts);
        sync.dispose();
      });

      it('adds all of them after one page could not be read', async () => {
        answerAll();
        const { client } = a.fixture.connect();
        const { listMessages } = client;
        client.listMessages = async (query, signal) => {
          if (query.page === 3)
            throw new ServiceError('service', { operation: 'Messages', message: '500', maySend: true });
          return listMessages(query, signal);
        };
        await a.messageSync.fetchMessages(id);
        assert.deepEqual(getTexts(), []);
        client.listMessages = listMessages;
        await a.lookLater(id);
        assert.deepEqual(getTexts(), texts);
      });
    });

    it('adds each message once when two windows add them at the same time', async () => {
      answer({ items: createMessages(2) });
      await putTurn(a.chat, id, { kind: 'message', id: 'here', text: 'Here', at: 1 });
      await a.chat.whenSaved(id);
      // Its file watcher is too late.
      const { watch } = NodeStorage.prototype;
      NodeStorage.prototype.watch = () => ({ started: Promise.resolve(), dispose: () => undefined });
      const other = new Machine(await a.fixture.otherWindow());
      await other.chat.openConversation(id);
      NodeStorage.prototype.watch = watch;
      await a.messageSync.fetchMessages(id);
      other.fixture.connect().client.listMessages = async () => ({ items: createMessages(2) });
      await other.messageSync.fetchMessages(id);
      assert.deepEqual(other.texts(id).toSorted(), ['Here', 'Message 0', 'Message 1']);
      assert.deepEqual(getTexts().toSorted(), ['Here', 'Message 0', 'Message 1']);
      await other.close();
    });

    it('adds them later if another window writes or a reply streams', async () => {
      answer({ items: createMessages(2) });
      const { acquirePermission: acquire } = a.chat;
      a.chat.acquirePermission = async () => undefined;
      await a.messageSync.fetchMessages(id);
      assert.deepEqual(getTexts(), []);
      a.chat.acquirePermission = acquire;
      const open = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: '', at: 1 } as const;
      await putTurn(a.chat, id, open);
      await a.lookLater(id);
      assert.deepEqual(getTexts(), ['']);
      await writeTo(a.chat, id, (permission) =>
        a.chat.writer.endReply(permission, { ...open, ending: 'stopped' }),
      );
      // Not within 30 s otherwise.
      await a.messageSync.fetchMessages(id);
      assert.equal(getTexts().length, 3);
    });

    it('doesn’t add them if a reply starts just before', async () => {
      answer({ items: createMessages(2) });
      const { acquirePermission: acquireOf } = a.chat;
      a.chat.acquirePermission = async (...args) => {
        const permission = await acquireOf.apply(a.chat, args);
        const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: '', at: 1 } as const;
        a.chat.writer.putTurn(permission ?? assert.fail(), reply);
        return permission;
      };
      await a.messageSync.fetchMessages(id);
      assert.deepEqual(getTexts(), ['']);
    });

    it('doesn’t write when there is nothing to add, and lets other windows write afterwards', async () => {
      answer({ items: createMessages(2) });
      await a.messageSync.fetchMessages(id);
      const other = await a.fixture.otherWindow();
      const permission = await other.chat.acquirePermission(id);
      assert.equal(permission?.kind, 'leased');
      await permission?.release();
      await other.close();
      a.chat.acquirePermission = () => assert.fail('It writes.');
      await a.lookLater(id);
    });

    it('is asked when it comes on screen, and not while it stays there', async () => {
      answer({ items: [] });
      const show = (...ids: string[]) => {
        a.now += 31_000;
        a.messageSync.setVisible(new Set(ids));
        return setImmediate();
      };
      await show(id);
      await show(id);
      assert.equal(asked.length, 1);
      await show();
      await show(id);
      assert.equal(asked.length, 2);
    });

    it('waits while the rate limit is nearly used up', async () => {
      answer({ items: createMessages(1) });
      const delays = [5, 5, 0];
      a.fixture.connect().client.rateLimit.getDelay = () => delays.shift() ?? 0;
      await a.messageSync.fetchMessages(id);
      assert.deepEqual([delays, getTexts()], [[], ['Message 0']]);
    });

    it('is asked again after a reply that the service may have completed', async () => {
      answer({ items: [] });
      const failure = (maySend: boolean) => ({ failure: { code: 'service', maySend } }) as const;
      for (const [about, count] of [
        [{ ending: 'complete' }, 0],
        [{ ending: 'stopped' }, 0],
        [{ ending: 'failed', ...failure(true) }, 0],
        [{ ending: 'failed' }, 0],
        [{ ending: 'complete', ...failure(false) }, 0],
        [{ ending: 'failed', ...failure(false) }, 1],
        [{ ending: 'interrupted' }, 1],
      ] as const) {
        asked = [];
        const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: '', at: 1 } as const;
        await writeTo(a.chat, id, (permission) => {
          a.chat.writer.putTurn(permission, reply);
          a.chat.writer.endReply(permission, { ...reply, ...about });
        });
        await setImmediate();
        assert.equal(asked.length, count, JSON.stringify(about));
      }
    });

    it('adds none after it was disposed, and names nothing after a reply', async () => {
      answer({ items: [createMessage(1)] });
      await a.messageSync.fetchMessages(id);
      assert.deepEqual([getTexts(), a.chat.findConversation(id)?.name], [['Message 1'], '']);
      a.fixture.connect().client.listMessages = async () => {
        a.messageSync.dispose();
        return { items: createMessages(4) };
      };
      await a.lookLater(id);
      assert.deepEqual(getTexts(), ['Message 1']);
      await a.chat.deleteConversation(id);
    });

    it('asks for nothing more if it is disposed while a complete reply is to be looked for', async () => {
      let looks = 0;
      a.fixture.connect().client.listMessages = async () => {
        looks++;
        await setImmediate();
        a.messageSync.dispose();
        return { items: [] };
      };
      await Promise.all([a.lookLater(id), a.messageSync.findCompleteReply(id, 'r')]);
      assert.equal(looks, 1);
    });

    it('doesn’t show a complete reply while another window writes or a reply streams', async () => {
      const { acquirePermission: acquire } = a.chat;
      const reply = { kind: 'reply', messageId: 'm', bot: 'Echo', text: 'Ha', at: 1 } as const;
      await putTurn(a.chat, id, { ...reply, id: 'r', ending: 'interrupted', whole: 'Half' });
      a.chat.acquirePermission = async () => undefined;
      assert.equal(await a.messageSync.showCompleteReply(id, 'r'), false);
      a.chat.acquirePermission = acquire;
      await putTurn(a.chat, id, { ...reply, id: 'r2' });
      assert.equal(await a.messageSync.showCompleteReply(id, 'r'), false);
      await writeTo(a.chat, id, (permission) =>
        a.chat.writer.endReply(permission, { ...reply, id: 'r2', ending: 'stopped' }),
      );
      assert.equal(await a.messageSync.showCompleteReply(id, 'r'), true);
      assert.deepEqual(getTexts(), ['Half', 'Ha']);
    });

    it('returns no complete text for a turn that isn’t a reply', async () => {
      await putTurn(a.chat, id, { kind: 'message', id: 'm', text: 'Hi', at: 1 });
      for (const [conversationId, turnId] of [
        [id, 'm'],
        [id, 'x'],
        ['unknown', 'x'],
      ] as const)
        assert.equal(await a.messageSync.showCompleteReply(conversationId, turnId), false);
    });

    it('reports errors that aren’t the service’s, unless it was disposed', async () => {
      const { chat, remote, connect } = a.fixture;
      const sync = new MessageSync(chat, remote, connect, () => (a.now += 31_000));
      const error = new Error('Bug');
      connect().client.listMessages = async () => Promise.reject(error);
      await sync.fetchMessages(id);
      assert.deepEqual(a.fixture.takeErrors(), [error]);
      let isAborted = false;
      connect().client.listMessages = async (_query, signal) => {
        sync.dispose();
        isAborted = signal?.aborted === true;
        throw error;
      };
      await sync.fetchMessages(id);
      assert.deepEqual([a.fixture.takeErrors(), isAborted], [[], true]);
      connect().client.listMessages = async () => assert.fail('It was disposed.');
      await writeTo(chat, id, (permission) => {
        chat.writer.putTurn(permission, {
          kind: 'reply',
          id: 'r',
          messageId: 'm',
          bot: 'Echo',
          text: '',
          at: 1,
        });
        chat.writer.endReply(permission, a.reply(id));
      });
      await setImmediate();
      assert.deepEqual(a.fixture.takeErrors(), []);
    });
  });

  it('is unchanged when renaming, changing the bot or deleting fails', async () => {
    await start();
    const { id } = a.fixture.newConversation();
    await a.say(id, 'Hi');
    const before = structuredClone(a.chat.findConversation(id));
    const { service, remote } = a.fixture;
    service.inject({ name: 'status', status: 500, on: 'POST /conversations/{id}', times: 2 });
    service.inject({ name: 'status', status: 500, on: 'DELETE /conversations/{id}' });
    await assert.rejects(remote.rename(id, 'Other'), { code: 'service' });
    await assert.rejects(remote.changeBot(id, { id: 'guide', name: 'Guide' }), { code: 'service' });
    // No more injected faults: the service itself refuses.
    await assert.rejects(remote.changeBot(id, { id: 'nobody', name: 'Nobody' }), { code: 'validation' });
    await assert.rejects(remote.delete(before ?? assert.fail()), { code: 'service' });
    assert.deepEqual(a.chat.findConversation(id), before);
    assert.equal(service.conversations.size, 1);
  });
});
