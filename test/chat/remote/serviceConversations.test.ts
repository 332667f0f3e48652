import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { MessageSync } from '../../../src/chat/remote/messageSync';
import { ServiceConversations } from '../../../src/chat/remote/serviceConversations';
import type { Storage } from '../../../src/chat/store/files/storage';
import type { Conversation } from '../../../src/client/models';
import { ServiceError } from '../../../src/client/serviceError';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { RefusingStorage } from '../support/refusingStorage';
import { UnwatchedStorage } from '../support/unwatchedStorage';

describe('ServiceConversations', () => {
  let fixture: ChatFixture;
  let messageSync: MessageSync;
  let listed: ServiceConversations;
  let now: number;
  /** Names of bots that are known, and what loading more of them does. */
  let botNames: Map<string, string>;
  let loadBotNames: () => Promise<undefined>;

  const start = async (options?: LocalServiceOptions, createStorage?: (folder: string) => Storage) => {
    fixture = await startChat(options, createStorage);
    now = Date.now();
    const { chat, remote, connect } = fixture;
    messageSync = new MessageSync(chat, remote, connect);
    const bots = {
      named: (id: string) => ({ id, name: botNames.get(id) ?? id }),
      listBots: () => loadBotNames(),
    };
    botNames = new Map([['echo', 'ECHO']]);
    loadBotNames = () => assert.fail('every name is known');
    listed = new ServiceConversations(chat, messageSync, connect, bots, () => now);
  };
  afterEach(async () => {
    messageSync.dispose();
    await fixture.close();
  });

  const createOnService = (name: string) =>
    fixture.connect().client.createConversation({ name, botId: 'echo' });
  const countRequests = () =>
    fixture.service.requests.filter(
      ({ method, path }) => method === 'GET' && /\/conversations(\?|$)/.test(path),
    ).length;
  /** Returns what another window lists. */
  const listIn = (window: ChatFixture) =>
    new ServiceConversations(window.chat, window.messageSync, window.connect, {
      named: (bot) => ({ id: bot, name: `${bot}!` }),
      listBots: () => assert.fail('every name is known'),
    });
  const listNames = async (keyword?: string) => (await listed.list(keyword)).map(({ name }) => name);

  it('lists conversations that are not local, each once, with their bots and times', async () => {
    await start();
    const there = await createOnService('There');
    const { id } = fixture.newConversation();
    await fixture.replies.send(id, 'Here');
    await fixture.ended(id);
    assert.deepEqual(await listed.list(), [
      {
        id: there.id,
        name: 'There',
        bot: { id: 'echo', name: 'ECHO' },
        at: (there.createdAt ?? assert.fail()) * 1000,
      },
    ]);
    await messageSync.fetchMessages(await listed.openFromService(there.id));
    assert.deepEqual(await listNames(), []);
  });

  it('lists at most 500, the newest, of a service that lists all at once', async () => {
    await start();
    const data = Array.from({ length: 600 }, (_, index) => ({
      id: index,
      name: `${index}`,
      bot_id: 'echo',
      created_at: index,
    }));
    fixture.service.inject({ name: 'status', on: 'GET /conversations', status: 200, body: data, times: 1 });
    const names = await listNames();
    assert.deepEqual([names.length, names[0], names[499]], [500, '599', '100']);
  });

  /** Lets the service list these, and returns the queries of the requests. */
  const serve = (...conversations: readonly Conversation[]) => {
    const queries: unknown[] = [];
    fixture.connect().client.listConversations = async (query) => {
      queries.push(query);
      return { items: conversations };
    };
    return queries;
  };

  it('lists the newest first, and those without a time last', async () => {
    await start();
    const times = [1, 3, undefined, 2, 4];
    serve(
      ...times.map((createdAt, index) => ({
        id: `${index}`,
        name: `${createdAt}`,
        botId: 'echo',
        createdAt,
      })),
    );
    const conversations = await listed.list();
    assert.deepEqual(
      conversations.map(({ name }) => name),
      ['4', '3', '2', '1', 'undefined'],
    );
    assert.equal('at' in (conversations.at(-1) ?? assert.fail()), false);
  });

  it('searches for a keyword without the blanks around it, and for none if it is blank', async () => {
    await start();
    const queries = serve({ id: '1', name: 'There', botId: 'echo' });
    await listed.list(' ');
    await listed.list('moss ');
    await listed.list('moss');
    assert.deepEqual(queries, [{ page: undefined }, { page: undefined, keyword: 'moss' }]);
  });

  it('rethrows errors that aren’t the service’s', async () => {
    await start();
    fixture.connect().client.listConversations = async () => {
      throw new TypeError('a bug');
    };
    await assert.rejects(listed.list(), TypeError);
  });

  describe('names of bots', () => {
    it('are loaded once for each service, when one isn’t known', async () => {
      await start();
      let loads = 0;
      loadBotNames = async () => {
        loads++;
        botNames.set('other', 'Other');
        return undefined;
      };
      const one = { id: '1', name: 'One', botId: 'echo' };
      const two = { id: '2', name: 'Two', botId: 'other' };
      serve(one);
      await listed.list();
      assert.equal(loads, 0);
      now += 61_000;
      serve(one, two);
      const getBotNames = async () => (await listed.list()).map(({ bot }) => bot.name);
      assert.deepEqual([await getBotNames(), loads], [['ECHO', 'Other'], 1]);
      botNames.clear();
      now += 61_000;
      assert.deepEqual([await getBotNames(), loads], [['echo', 'other'], 1]);
      fixture.useBaseUrl(`${fixture.service.baseUrl}/`);
      serve(one, two);
      assert.deepEqual([await getBotNames(), loads], [['echo', 'Other'], 2]);
    });

    it('are loaded for a conversation that is opened', async () => {
      await start();
      const { id } = await createOnService('There');
      botNames.clear();
      loadBotNames = async () => {
        botNames.set('echo', 'Echo');
        return undefined;
      };
      const opened = fixture.chat.findConversation(await listed.openFromService(id));
      assert.deepEqual(opened?.bot, { id: 'echo', name: 'Echo' });
    });

    it('are the ids if the service fails, and other errors are thrown', async () => {
      await start();
      botNames.clear();
      serve({ id: '1', name: 'One', botId: 'echo' });
      const details = { operation: 'GET /bots', message: 'no', maySend: true };
      loadBotNames = async () => {
        throw new ServiceError('service', details);
      };
      assert.deepEqual(
        (await listed.list()).map(({ bot }) => bot.name),
        ['echo'],
      );
      fixture.useBaseUrl(`${fixture.service.baseUrl}/`);
      serve({ id: '1', name: 'One', botId: 'echo' });
      loadBotNames = async () => {
        throw new TypeError('a bug');
      };
      await assert.rejects(listed.list(), TypeError);
    });
  });

  it('opens a conversation without a bot if the service names none', async () => {
    await start();
    const { id } = await createOnService('There');
    fixture.connect().client.getConversation = async () => ({ id, name: 'There', botId: '' });
    assert.equal(fixture.chat.findConversation(await listed.openFromService(id))?.bot, undefined);
  });

  it('opens two conversations when they are opened at the same time', async () => {
    await start();
    const [one, other] = [await createOnService('One'), await createOnService('Other')];
    const ids = await Promise.all([listed.openFromService(one.id), listed.openFromService(other.id)]);
    assert.deepEqual(
      ids.map((id) => fixture.chat.findConversation(id)?.name),
      ['One', 'Other'],
    );
  });

  it('opens one conversation when called twice at the same time', async () => {
    await start();
    const there = await createOnService('There');
    const [one, other] = await Promise.all([
      listed.openFromService(there.id),
      listed.openFromService(there.id),
    ]);
    assert.equal(one, other);
    assert.equal(fixture.events.filter(({ type }) => type === 'created').length, 1);
    assert.equal(await listed.openFromService(there.id), one);
  });

  for (const held of [1, 2])
    it(`opens one conversation when another window adds it before look ${held} at the folder`, async () => {
      await start();
      const { id: remoteId } = await createOnService('There');
      const lists = new EventEmitter();
      const [isListing, mayList] = [once(lists, 'listing'), once(lists, 'go')];
      let count = Number.NEGATIVE_INFINITY;
      class HeldListStorage extends NodeStorage {
        override async listNames() {
          if (++count === held && lists.emit('listing')) await mayList;
          return super.listNames();
        }
      }
      const window = await fixture.otherWindow({ createStorage: (folder) => new HeldListStorage(folder) });
      await window.chat.load();
      count = 0;
      const opening = listIn(window).openFromService(remoteId);
      await isListing;
      const id = await listed.openFromService(remoteId);
      await fixture.chat.whenSaved(id);
      lists.emit('go');
      assert.equal(await opening, id);
      await window.close();
    });

  for (const [how, createStorage] of [
    ['', (folder: string) => new NodeStorage(folder)],
    [', also if no change of the folder is reported', (folder: string) => new UnwatchedStorage(folder)],
  ] as const)
    it(`opens one conversation when two windows open it at the same time${how}`, async () => {
      await start();
      const elsewhere = await fixture.otherMachine();
      const { id: idThere } = elsewhere.newConversation();
      await elsewhere.replies.send(idThere, 'Hello');
      await elsewhere.replies.whenDone(idThere);
      const remoteId = elsewhere.chat.findConversation(idThere)?.remote?.id ?? assert.fail();
      const window = await fixture.otherWindow({ createStorage });
      const others = listIn(window);
      // Neither finds it in its list.
      await Promise.all([listed.list(), others.list()]);
      const [id, other] = await Promise.all([
        listed.openFromService(remoteId),
        others.openFromService(remoteId),
      ]);
      assert.equal(id, other);
      for (const { chat } of [fixture, window]) {
        await chat.readChanges(id);
        await chat.whenSaved(id);
      }
      const later = await fixture.otherWindow();
      await later.chat.load();
      assert.deepEqual(
        later.chat.listConversations().map((each) => each.id),
        [id],
      );
      const opened = await later.chat.openConversation(id);
      assert.deepEqual(
        opened?.turns.map((turn) => 'text' in turn && turn.text),
        ['Hello', 'Hello'],
      );
      for (const each of [later, window, elsewhere]) await each.close();
    });

  it('opens the conversation that another window has opened since the list was read', async () => {
    await start();
    const there = await createOnService('There');
    const window = await fixture.otherWindow({ createStorage: (folder) => new UnwatchedStorage(folder) });
    const others = listIn(window);
    await others.list();
    const id = await listed.openFromService(there.id);
    await fixture.chat.whenSaved(id);
    assert.equal(await others.openFromService(there.id), id);
    assert.equal(window.chat.findConversation(id)?.name, 'There');
    await window.close();
  });

  it('opens a conversation while the disk refuses to store it', async () => {
    let disk: RefusingStorage | undefined;
    await start(undefined, (folder) => {
      disk = new RefusingStorage(folder);
      return disk;
    });
    const there = await createOnService('There');
    assert.ok(disk);
    disk.refuses = (step) => step === 'append';
    const id = await listed.openFromService(there.id);
    assert.equal(fixture.chat.findConversation(id)?.name, 'There');
    disk.refuses = () => false;
    await fixture.chat.whenSaved(id);
    const window = await fixture.otherWindow();
    assert.equal((await window.chat.openConversation(id))?.name, 'There');
    await window.close();
    fixture.takeErrors();
  });

  it('can open a conversation again after a failure', async () => {
    await start();
    const there = await createOnService('There');
    fixture.useKey('wrong');
    await assert.rejects(Promise.all([listed.openFromService(there.id), listed.openFromService(there.id)]));
    fixture.useKey(fixture.service.key);
    assert.ok(await listed.openFromService(there.id));
  });

  it('does not duplicate conversations that are only on disk', async () => {
    await start();
    const { id } = fixture.newConversation();
    await fixture.replies.send(id, 'Here');
    await fixture.ended(id);
    await fixture.chat.whenSaved(id);
    const window = await fixture.otherWindow();
    const others = listIn(window);
    assert.deepEqual(await others.list(), []);
    assert.equal(window.chat.findConversation(id), undefined);
    await window.close();
  });

  it('requests the newest hundred, and those that match a keyword, once a minute', async () => {
    await start();
    await createOnService('The oldest of all');
    for (let count = 0; count < 100; count++) await createOnService(`Number ${count}`);
    assert.equal((await listed.list()).length, 100);
    assert.equal(countRequests(), 2);
    assert.equal((await listNames()).includes('The oldest of all'), false);
    assert.equal((await listNames('oldest')).includes('The oldest of all'), true);
    assert.equal(countRequests(), 3);
    await listNames('oldest');
    assert.equal(countRequests(), 3);
    now += 61_000;
    await listNames();
    assert.equal(countRequests(), 5);
  });

  it('returns none when the service has no list, and asks for it only once', async () => {
    await start({ missing: ['GET /bots', 'GET /conversations'] });
    assert.deepEqual([await listNames(), await listNames('moss')], [[], []]);
    now += 61_000;
    assert.deepEqual(await listNames(), []);
    assert.equal(countRequests(), 1);
    assert.equal(fixture.connect().capabilities.has('GET /conversations'), false);
  });

  for (const status of [405, 500]) {
    it(`returns none when the service answers ${status}; ${status === 405 ? 'does not ask again' : 'asks again the next time'}`, async () => {
      await start();
      await createOnService('There');
      fixture.service.inject({
        name: 'status',
        status,
        on: 'GET /conversations',
        times: status === 405 ? 1 : 9,
      });
      assert.deepEqual(await listNames(), []);
      fixture.service.clearFaults();
      assert.deepEqual(await listNames(), status === 405 ? [] : ['There']);
    });
  }

  it('returns none without a key or a service', async () => {
    await start();
    fixture.useKey(undefined);
    assert.deepEqual(await listNames(), []);
    fixture.useKey(fixture.service.key);
    fixture.useBaseUrl('http://127.0.0.1:9/api/v1');
    assert.deepEqual(await listNames(), []);
  });

  it('throws for an id that the service does not know, and creates nothing', async () => {
    await start();
    const { length } = fixture.events;
    await assert.rejects(listed.openFromService('nobody'), { code: 'notFound' });
    assert.equal(fixture.events.length, length);
  });

  it('keeps the ten answers that were used last only', async () => {
    await start();
    for (let count = 1; count < 10; count++) await listNames(`k${count}`);
    assert.equal(countRequests(), 10);
    await listNames('k1');
    assert.equal(countRequests(), 10);
    await listNames('k10');
    await listNames('k1');
    assert.equal(countRequests(), 11);
    await listNames('k2');
    assert.equal(countRequests(), 12);
  });
});
