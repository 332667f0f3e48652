import assert from 'node:assert/strict';
import type { ReplyTurn } from '../../../src/chat/model/turn';
import { MessageSync } from '../../../src/chat/remote/messageSync';
import { ServiceConversations } from '../../../src/chat/remote/serviceConversations';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';

/** A machine with its own clock. */
class Machine {
  readonly fixture: ChatFixture;
  readonly messageSync: MessageSync;
  readonly service: ServiceConversations;
  now = Date.now();

  constructor(fixture: ChatFixture) {
    this.fixture = fixture;
    const { chat, remote, connect } = fixture;
    const fail = (error: unknown) => {
      throw error;
    };
    this.messageSync = new MessageSync(chat, remote, connect, fail, () => this.now);
    const names = new Map<string, string>();
    const bots = {
      named: (id: string) => ({ id, name: names.get(id) ?? id }),
      async list() {
        const { items } = await connect().client.listBots();
        for (const { id, name } of items) names.set(id, name);
        return items;
      },
    };
    this.service = new ServiceConversations(chat, this.messageSync, connect, bots, () => this.now);
  }

  get chat() {
    return this.fixture.chat;
  }

  /** Sends a message and waits for the reply. */
  async say(id: string, text: string): Promise<ReplyTurn> {
    assert.equal(await this.fixture.replies.send(id, text), 'sent');
    return this.fixture.ended(id);
  }

  /** Refreshes again, long after the last time. */
  async lookLater(id: string): Promise<void> {
    this.now += 31_000;
    await this.messageSync.refresh(id);
  }

  texts(id: string): string[] {
    return (this.chat.find(id)?.turns ?? []).map((turn) =>
      turn.kind === 'document' ? turn.name : turn.text,
    );
  }

  reply(id: string): ReplyTurn {
    const turn = this.chat.find(id)?.turns.findLast(({ kind }) => kind === 'reply');
    assert.ok(turn?.kind === 'reply');
    return turn;
  }

  async close(): Promise<void> {
    this.messageSync.dispose();
    await this.fixture.close();
  }
}

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
  const remoteId = (machine: Machine, id: string) => machine.chat.find(id)?.remote?.id ?? assert.fail();

  it('opens a conversation by its id on another machine with name, bot and messages, and saves it', async () => {
    await start();
    const { id } = a.fixture.newConversation();
    await a.say(id, 'Hello moss');
    await a.say(id, 'And fern?');
    const opened = await b.service.open(remoteId(a, id));
    assert.deepEqual(b.texts(opened), a.texts(id));
    const { name, bot, remote, turns } = b.chat.find(opened) ?? assert.fail();
    assert.deepEqual(
      [name, bot, remote],
      ['Hello moss', { id: 'echo', name: 'Echo' }, a.chat.find(id)?.remote],
    );
    assert.ok(turns.every((turn) => turn.kind === 'document' || turn.remoteId !== undefined));
    const window = await b.fixture.otherWindow();
    assert.deepEqual((await window.chat.openWhole(opened))?.turns, turns);
    assert.equal(await b.service.open(remoteId(a, id)), opened);
    await window.close();
  });

  for (const wrapMessages of [false, true]) {
    it(`inserts messages from elsewhere between local ones (${wrapMessages ? 'wrapped' : 'bare array'})`, async () => {
      await start({ wrapMessages });
      const { id } = a.fixture.newConversation();
      await a.say(id, 'One');
      const other = await b.service.open(remoteId(a, id));
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
      assert.deepEqual(read?.turns, a.chat.find(id)?.turns);
      await window.close();
    });

    it(`reads all pages of a long conversation, and later only the last (${wrapMessages ? 'wrapped' : 'bare array'})`, async () => {
      await start({ wrapMessages });
      const { id } = a.fixture.newConversation();
      for (let count = 0; count < 60; count++) await a.say(id, `Message ${count}`);
      const other = await b.service.open(remoteId(a, id));
      assert.deepEqual(b.texts(other), a.texts(id));
      await a.say(id, 'One more');
      const before = requests('GET', '/messages').length;
      await b.lookLater(other);
      assert.deepEqual(b.texts(other), a.texts(id));
      assert.ok(requests('GET', '/messages').length - before <= 2);
    });
  }

  it('refreshes at most every 30 s, and no conversations of another service or none', async () => {
    await start();
    const { id } = a.fixture.newConversation();
    await a.messageSync.refresh(id);
    await a.say(id, 'Hi');
    await a.messageSync.refresh(id);
    await a.messageSync.refresh(id);
    assert.equal(requests('GET', '/messages').length, 1);
    await a.lookLater(id);
    assert.equal(requests('GET', '/messages').length, 2);
    a.fixture.useBaseUrl(`${a.fixture.service.apiOrigin}/other`);
    await a.lookLater(id);
    assert.equal(a.fixture.service.requests.filter(({ path }) => path.includes('/other')).length, 0);
  });

  for (const status of [404, 405]) {
    it(`asks a service that answers ${status} only once, and reports nothing`, async () => {
      await start();
      const { id } = a.fixture.newConversation();
      await a.say(id, 'Hi');
      a.fixture.service.inject({ name: 'status', status, on: 'GET /messages', times: 9 });
      await a.lookLater(id);
      await a.lookLater(id);
      assert.equal(requests('GET', '/messages').length, 1);
      assert.equal(a.chat.find(id)?.remote?.gone, undefined);
    });
  }

  it("reports nothing when the service can't be reached, and refreshes again", async () => {
    await start();
    const { id } = a.fixture.newConversation();
    await a.say(id, 'Hi');
    a.fixture.service.inject({ name: 'status', status: 500, on: 'GET /messages', times: 9 });
    await a.lookLater(id);
    a.fixture.service.clearFaults();
    const other = await b.service.open(remoteId(a, id));
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
    const look = a.messageSync.refresh(id);
    await a.fixture.service.waitForRequest(
      ({ method, path }) => method === 'GET' && path.includes('/messages'),
    );
    await a.chat.delete(id);
    await look;
    assert.equal(a.chat.find(id), undefined);
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
    assert.deepEqual((await window.chat.open(id))?.turns, a.chat.find(id)?.turns);
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
    const isGone = () => a.chat.find(id)?.remote?.gone === true;

    it('is reported when a message is sent, and Retry creates it again there', async () => {
      await lost();
      const before = a.chat.find(id)?.remote?.id;
      const { ending, failure, id: turnId } = await a.say(id, 'More');
      assert.deepEqual([ending, failure], ['failed', { code: 'gone', maySend: true }]);
      assert.ok(isGone());
      assert.equal(await a.fixture.replies.retry(id, turnId), true);
      assert.equal((await a.fixture.ended(id)).ending, 'complete');
      assert.deepEqual(
        a.chat.find(id)?.turns.map(({ kind }) => kind),
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
      assert.equal((await window.chat.open(id))?.remote?.gone, true);
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

    it('can be renamed and deleted here', async () => {
      await lost();
      await a.fixture.remote.rename(id, 'Kept');
      assert.equal(a.chat.find(id)?.name, 'Kept');
      assert.ok(isGone());
      await a.fixture.remote.delete(a.chat.find(id) ?? assert.fail());
    });
  });

  it('is unchanged when renaming, changing the bot or deleting fails', async () => {
    await start();
    const { id } = a.fixture.newConversation();
    await a.say(id, 'Hi');
    const before = structuredClone(a.chat.find(id));
    const { service, remote } = a.fixture;
    service.inject({ name: 'status', status: 500, on: 'POST /conversations/{id}', times: 2 });
    service.inject({ name: 'status', status: 500, on: 'DELETE /conversations/{id}' });
    await assert.rejects(remote.rename(id, 'Other'), { code: 'service' });
    await assert.rejects(remote.changeBot(id, { id: 'guide', name: 'Guide' }), { code: 'service' });
    // No more injected faults: the service itself refuses.
    await assert.rejects(remote.changeBot(id, { id: 'nobody', name: 'Nobody' }), { code: 'validation' });
    await assert.rejects(remote.delete(before ?? assert.fail()), { code: 'service' });
    assert.deepEqual(a.chat.find(id), before);
    assert.equal(service.conversations.size, 1);
  });
});
