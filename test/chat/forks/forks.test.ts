import assert from 'node:assert/strict';
import { Forks } from '../../../src/chat/forks/forks';
import type { Conversation } from '../../../src/chat/model/conversation';
import type { TextTurn, Turn } from '../../../src/chat/model/turn';
import type { MessageSender } from '../../../src/chat/replies/messageSender';
import { demoBots } from '../../service/demo/demoBots';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { createMessageSender, createTextFile } from '../support/messageSender';
import { putTurn } from '../support/writing';

describe('Forks', () => {
  let fixture: ChatFixture;
  let forks: Forks;
  let sender: MessageSender;
  let id: string;

  const getTexts = (turns: readonly Turn[]) => turns.map((turn) => ('text' in turn ? turn.text : turn.name));
  const createForks = ({ chat, uploads }: ChatFixture) =>
    new Forks(
      { chat, uploads },
      ({ name, turns }) => createTextFile(`${name}.md`, getTexts(turns).join('\n')),
      'Fork',
    );
  const start = async (options?: LocalServiceOptions) => {
    fixture = await startChat({ bots: demoBots, ...options });
    forks = createForks(fixture);
    sender = createMessageSender(fixture);
    ({ id } = fixture.newConversation());
    for (const text of ['One', 'Two']) {
      await fixture.replies.send(id, text);
      await fixture.ended(id);
    }
  };
  beforeEach(() => start());
  afterEach(() => fixture.close());

  const find = (conversationId: string): Conversation =>
    fixture.chat.findConversation(conversationId) ?? assert.fail(`There is no ${conversationId}.`);
  const getTurn = (index: number) => find(id).turns.at(index) ?? assert.fail();
  const fork = async (options: Parameters<Forks['create']>[1] = {}) =>
    (await forks.create(id, options)) ?? assert.fail('There is no fork.');
  const getDocument = (conversationId: string) => {
    const [turn] = find(conversationId).turns;
    return turn?.kind === 'document' ? turn : assert.fail('The first turn is no document.');
  };
  const whenUploaded = (conversationId: string) =>
    fixture.until(
      (event) =>
        event.type === 'turn' &&
        event.conversationId === conversationId &&
        event.turn.kind === 'document' &&
        ['attached', 'failed'].includes(event.turn.state),
    );
  const getUploads = () =>
    [...fixture.service.objects.values()].map((bytes) => new TextDecoder().decode(bytes));
  const getSentTexts = () =>
    [...fixture.service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));
  const getLink = ({ forkedFrom }: Conversation) => forkedFrom;

  it('upload the transcript up to the turn and link both conversations, which the original is not changed by', async () => {
    const reply = getTurn(1);
    const before = find(id).turns;
    const forkId = await fork({ turnId: reply.id });
    await whenUploaded(forkId);
    assert.deepEqual(getUploads(), ['One\nOne']);
    assert.deepEqual(getLink(find(forkId)), { id, name: 'One', turnId: reply.id, forkName: 'One (Fork)' });
    assert.deepEqual(find(id).forks, [{ id: forkId, name: 'One (Fork)', turnId: reply.id }]);
    assert.deepEqual([find(id).turns, find(forkId).bot], [before, find(id).bot]);
    assert.equal(fixture.service.conversations.size, 2);
  });

  it('forks of a fork include the earlier messages, but not the transcript document', async () => {
    const forkId = await fork({ turnId: getTurn(1).id, bot: { id: 'guide', name: 'Guide' } });
    await whenUploaded(forkId);
    const turns = ['Three', 'Four'].map(
      (text, index) => ({ kind: 'message', id: `f${index}`, text, at: 1 }) as const,
    );
    for (const turn of turns) await putTurn(fixture.chat, forkId, turn);
    const second = (await forks.create(forkId, { turnId: 'f0' })) ?? assert.fail();
    await whenUploaded(second);
    assert.equal(getUploads().at(-1), 'One\nOne\nThree');
    for (const turn of turns) await putTurn(fixture.chat, second, { ...turn, text: 'Five' });
    const third = (await forks.create(second, {})) ?? assert.fail();
    await whenUploaded(third);
    assert.equal(getUploads().at(-1), 'One\nOne\nThree\nFive\nFive');
  });

  it('forks of a fork end at a circular link, and have a limited length', async () => {
    const link = (forkedFrom: string) => ({ id: forkedFrom, name: '', turnId: getTurn(0).id });
    fixture.chat.update(id, { forkedFrom: link(id) });
    await whenUploaded(await fork({ turnId: getTurn(1).id }));
    assert.deepEqual(getUploads(), ['One\nOne']);
    const { id: late } = fixture.newConversation();
    const say = (conversationId: string, text: string) =>
      putTurn(fixture.chat, conversationId, { kind: 'message', id: getTurn(0).id, text, at: 1 });
    await say(id, 'x'.repeat(1_000_000));
    await say(late, 'Late');
    fixture.chat.update(late, { name: 'Late', forkedFrom: link(id) });
    await whenUploaded((await forks.create(late, {})) ?? assert.fail());
    assert.equal(getUploads().at(-1)?.length, 1_000_005);
    await say(id, 'x'.repeat(1_000_001));
    await whenUploaded((await forks.create(late, {})) ?? assert.fail());
    assert.equal(getUploads().at(-1), 'Late');
  });

  describe('of a fork', () => {
    let transcripts: (readonly Turn[])[];
    beforeEach(() => {
      transcripts = [];
      forks = new Forks(
        fixture,
        ({ name, turns }) => {
          transcripts.push(turns);
          return createTextFile(`${name}.md`, 'text');
        },
        'Fork',
      );
    });

    const message = (text: string): Turn => ({ kind: 'message', id: text, text, at: 1 });
    const reply = (text: string, bot: string): Turn =>
      ({ kind: 'reply', id: text, messageId: '', text, bot, at: 1, ending: 'complete' }) as const;
    const file = (name: string): Turn =>
      ({ kind: 'document', id: name, name, size: 4, sent: 4, at: 1, state: 'attached' }) as const;
    /** Creates a conversation with these turns, forked from the turn of the other one. */
    const converse = async (
      turns: readonly Turn[],
      from?: readonly [conversationId: string, turnId: string],
    ) => {
      const conversation = fixture.newConversation();
      if (from)
        fixture.chat.update(conversation.id, { forkedFrom: { id: from[0], name: '', turnId: from[1] } });
      for (const turn of turns) {
        if (turn.kind === 'document') fixture.chat.writer.putDocument(conversation.id, turn);
        else await putTurn(fixture.chat, conversation.id, turn);
      }
      return conversation.id;
    };
    const forkAndGetTranscript = async (conversationId: string) => {
      const forkId = (await forks.create(conversationId, {})) ?? assert.fail();
      await whenUploaded(forkId);
      return transcripts.at(-1) ?? assert.fail();
    };

    it('include the earlier turns in their order, with the bots’ names and without their transcripts', async () => {
      const first = await converse([file('notes.md'), message('a'), reply('b', 'echo')]);
      const second = await converse(
        [file('a.md'), message('c'), reply('d', 'echo'), message('e')],
        [first, 'b'],
      );
      const third = await converse([file('c.md'), message('f')], [second, 'd']);
      const { name } = find(first).bot ?? assert.fail();
      assert.notEqual(name, 'echo');
      assert.deepEqual(await forkAndGetTranscript(third), [
        ...[file('notes.md'), message('a'), reply('b', name)],
        ...[message('c'), reply('d', name)],
        message('f'),
      ]);
    });

    it('include the newest of the earlier turns when there are too many', async () => {
      const first = await converse([message('x'.repeat(1_000_000)), message('a'), message('b')]);
      const turns = await forkAndGetTranscript(await converse([message('c')], [first, 'b']));
      assert.deepEqual(getTexts(turns), ['a', 'b', 'c']);
    });

    it('include its document with the earlier turns when its original is gone', async () => {
      const turns = [file('gone.md'), message('a')];
      assert.deepEqual(await forkAndGetTranscript(await converse(turns, ['gone', 'b'])), turns);
    });

    it('include at most 20 earlier conversations', async () => {
      let last = await converse([message('0')]);
      for (let count = 1; count <= 21; count++)
        last = await converse([message(`${count}`)], [last, `${count - 1}`]);
      const turns = await forkAndGetTranscript(last);
      assert.deepEqual([getTexts(turns)[0], turns.length], ['1', 21]);
    });
  });

  it('take the whole conversation by default, without a reply that still streams', async () => {
    const script = fixture.service.script();
    await fixture.replies.send(id, 'Three');
    const forkId = await fork();
    await whenUploaded(forkId);
    assert.deepEqual(getUploads(), ['One\nOne\nTwo\nTwo\nThree']);
    script.end();
    await fixture.ended(id);
    const next = await fork();
    await whenUploaded(next);
    assert.equal(getUploads().at(-1), 'One\nOne\nTwo\nTwo\nThree\n');
    assert.equal(find(next).draft, '');
  });

  it('let the first question wait in the queue until the document is converted', async () => {
    await fixture.close();
    await start({ profile: 'hosted', conversionMs: Number.POSITIVE_INFINITY, listingMs: 0 });
    const forkId = await fork({ bot: { id: 'guide', name: 'Guide' } });
    assert.equal(await sender.send(forkId, { text: 'And three?', context: [] }), 'queued');
    await whenUploaded(forkId);
    assert.deepEqual([getSentTexts(), getDocument(forkId).state], [['One', 'Two'], 'attached']);
    await fixture.until(() => getDocument(forkId).status === 'syncing');
    fixture.service.conversions.finish('One.md');
    await fixture.until((event) => event.type === 'ended' && event.conversationId === forkId);
    assert.deepEqual(getSentTexts(), ['One', 'Two', 'And three?']);
    assert.deepEqual([find(forkId).bot?.id, find(forkId).name], ['guide', 'And three?']);
  });

  it('end the transcript before an edited message, which becomes the draft', async () => {
    const forkId = await fork({ turnId: getTurn(2).id, draft: 'Two!' });
    await whenUploaded(forkId);
    assert.deepEqual([getUploads(), find(forkId).draft], [['One\nOne'], 'Two!']);
    assert.equal(getLink(find(forkId))?.turnId, getTurn(1).id);
    assert.ok(fixture.events.some((event) => event.type === 'draft' && !event.page));
    const first = await fork({ turnId: getTurn(0).id, draft: 'One!' });
    assert.deepEqual([find(first).draft, find(first).turns, getLink(find(first))], ['One!', [], undefined]);
    assert.equal(fixture.service.documents.size, 1);
  });

  it('keep the draft when the upload fails, and upload once more on Retry', async () => {
    fixture.service.inject({ name: 'status', on: 'POST /uploads/signed-url', status: 422 });
    const forkId = await fork({ turnId: getTurn(2).id, draft: 'Two!' });
    await whenUploaded(forkId);
    const failed = getDocument(forkId);
    assert.deepEqual([failed.state, find(forkId).draft], ['failed', 'Two!']);
    await fixture.uploads.retry(failed.id, () => assert.fail('It asked.'));
    assert.deepEqual([getDocument(forkId).state, fixture.service.documents.size], ['attached', 1]);
    assert.deepEqual([find(forkId).draft, getSentTexts()], ['Two!', ['One', 'Two']]);
  });

  it('add the document once when the answer is lost, and send nothing', async () => {
    fixture.service.inject({ name: 'answer-lost', on: 'POST /documents/file' });
    const forkId = await fork();
    await whenUploaded(forkId);
    await fixture.uploads.retry(getDocument(forkId).id, () => assert.fail('It asked.'));
    assert.deepEqual([getDocument(forkId).state, fixture.service.documents.size], ['attached', 1]);
    assert.deepEqual(getSentTexts(), ['One', 'Two']);
  });

  it('keep their links in another window, and when a conversation is renamed or deleted', async () => {
    const { chat, remote, otherWindow } = fixture;
    const turnId = getTurn(3).id;
    const forkId = await fork({ turnId });
    await whenUploaded(forkId);
    await remote.rename(id, 'First');
    await remote.rename(forkId, 'Second');
    // More than is read first, so that the links come from the index.
    for (let index = 0; index < 30; index++) {
      const text = 'More '.repeat(2000);
      const turn: TextTurn = { kind: 'message', id: `m${index}`, text, at: Date.now() };
      for (const conversationId of [id, forkId]) await putTurn(chat, conversationId, turn);
    }
    await Promise.all([chat.whenSaved(id), chat.whenSaved(forkId)]);
    const next = await otherWindow();
    const opened = [await next.chat.openConversation(id), await next.chat.openConversation(forkId)];
    assert.deepEqual(
      opened.map((conversation) => [conversation?.forks, conversation?.forkedFrom]),
      [
        [[{ id: forkId, name: 'One (Fork)', turnId }], undefined],
        [undefined, { id, name: 'One', turnId, forkName: 'One (Fork)' }],
      ],
    );
    await next.chat.deleteConversation(id);
    assert.equal(next.chat.findConversation(forkId)?.forkedFrom?.id, id);
    await next.close();
  });

  it('are not created for an unknown conversation or turn, or without messages', async () => {
    const { id: empty } = fixture.newConversation();
    assert.equal(await forks.create('nowhere', {}), undefined);
    for (const draft of [{}, { draft: 'Two!' }])
      assert.equal(await forks.create(id, { turnId: 'none', ...draft }), undefined);
    assert.equal(await forks.create(empty, {}), undefined);
    const { finished } = fixture.uploads.add(empty, createTextFile('notes.md', 'x'));
    await finished;
    assert.equal(await forks.create(empty, {}), undefined);
    assert.equal(fixture.service.documents.size, 1);
  });

  it('keep the links of both windows that fork at the same time', async () => {
    const other = await fixture.otherWindow();
    try {
      await other.chat.openWhole(id);
      const ids = await Promise.all([forks.create(id, {}), createForks(other).create(id, {})]);
      for (const window of [fixture, other]) {
        await Promise.all([
          window.chat.whenSaved(id),
          ...ids.map((forkId) => window.chat.whenSaved(forkId ?? '')),
        ]);
      }
      const getForks = (conversation: Conversation | undefined) =>
        conversation?.forks?.map((link) => link.id).toSorted();
      for (const { chat } of [fixture, other]) {
        await chat.readChanges(id);
        assert.deepEqual(getForks(chat.findConversation(id)), ids.toSorted());
      }
      assert.deepEqual(getForks(await fixture.store.readTranscript(id)), ids.toSorted());
      const next = await fixture.otherWindow();
      assert.deepEqual(getForks(await next.chat.openConversation(id)), ids.toSorted());
      await next.close();
    } finally {
      await other.close();
    }
  });
});
