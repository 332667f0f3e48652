import assert from 'node:assert/strict';
import { MessageSync } from '../../../src/chat/remote/messageSync';
import { ServiceConversations } from '../../../src/chat/remote/serviceConversations';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';

describe('ServiceConversations', () => {
  let fixture: ChatFixture;
  let messageSync: MessageSync;
  let listed: ServiceConversations;
  let now: number;

  const start = async (options?: LocalServiceOptions) => {
    fixture = await startChat(options);
    now = Date.now();
    const { chat, remote, connect } = fixture;
    messageSync = new MessageSync(chat, remote, connect, assert.ifError);
    const bots = {
      named: (id: string) => ({ id, name: id.toUpperCase() }),
      list: () => assert.fail('every name is known'),
    };
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
    await messageSync.refresh(await listed.open(there.id));
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

  it('opens one conversation when called twice at the same time', async () => {
    await start();
    const there = await createOnService('There');
    const [one, other] = await Promise.all([listed.open(there.id), listed.open(there.id)]);
    assert.equal(one, other);
    assert.equal(fixture.events.filter(({ type }) => type === 'created').length, 1);
    assert.equal(await listed.open(there.id), one);
  });

  it('can open a conversation again after a failure', async () => {
    await start();
    const there = await createOnService('There');
    fixture.useKey('wrong');
    await assert.rejects(Promise.all([listed.open(there.id), listed.open(there.id)]));
    fixture.useKey(fixture.service.key);
    assert.ok(await listed.open(there.id));
  });

  it('does not duplicate conversations that are only on disk', async () => {
    await start();
    const { id } = fixture.newConversation();
    await fixture.replies.send(id, 'Here');
    await fixture.ended(id);
    await fixture.chat.whenSaved(id);
    const window = await fixture.otherWindow();
    const others = new ServiceConversations(window.chat, messageSync, window.connect, {
      named: (bot) => ({ id: bot, name: `${bot}!` }),
      list: () => assert.fail('every name is known'),
    });
    assert.deepEqual(await others.list(), []);
    assert.equal(window.chat.find(id), undefined);
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
    await assert.rejects(listed.open('nobody'), { code: 'notFound' });
    assert.equal(fixture.events.length, length);
  });
});
