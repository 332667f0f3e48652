import assert from 'node:assert/strict';
import { createWithQuestion, type Question, sendQuestion } from '../../../src/chat/replies/askBots';
import type { MessageSender } from '../../../src/chat/replies/messageSender';
import type { ContextChip } from '../../../src/shared/conversation/message';
import { demoBots } from '../../service/demo/demoBots';
import { type ChatFixture, sendAgain, startChat } from '../support/chatFixture';
import { createMessageSender } from '../support/messageSender';

const bots = [
  { id: 'echo', name: 'Echo' },
  { id: 'guide', name: 'Guide' },
] as const;
const chip: ContextChip = { id: 'a', kind: 'selection', name: 'a.ts:1', text: 'a.ts:1\n```\n1\n```' };
const question: Question = { text: 'Why?', context: [chip], webSearch: false };
const CONTENT = `Why?\n\n${chip.text}`;

describe('A question to two bots', () => {
  let fixture: ChatFixture;
  let sender: MessageSender;

  beforeEach(async () => {
    fixture = await startChat({ bots: demoBots });
    sender = createMessageSender(fixture);
  });
  afterEach(() => fixture.close());

  const ask = async () => {
    const ids = createWithQuestion(fixture.chat, bots, question);
    const results = await sendQuestion(sender, ids, question);
    await Promise.all(ids.map((id) => fixture.ended(id)));
    return { ids, results };
  };
  const find = (id: string) => fixture.chat.findConversation(id) ?? assert.fail();
  const getSentTexts = () =>
    [...fixture.service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));
  const countRequests = () =>
    fixture.service.requests.filter(({ path }) => path.endsWith('/messages/stream')).length;
  const getEndings = (ids: readonly string[]) =>
    ids.map((id) => find(id).turns.map((turn) => (turn.kind === 'reply' ? turn.ending : turn.kind)));

  it('sends one message to each bot in a separate conversation, and leaves both composers alone', async () => {
    const { ids, results } = await ask();
    assert.deepEqual(results, ['sent', 'sent']);
    assert.deepEqual(getSentTexts(), [CONTENT, CONTENT]);
    assert.deepEqual([...fixture.service.conversations.values()].map(({ bot_id }) => bot_id).sort(), [
      'echo',
      'guide',
    ]);
    assert.deepEqual(
      ids.map((id) => [find(id).draft, find(id).composing?.context]),
      [
        ['', []],
        ['', []],
      ],
    );
    assert.equal(fixture.chat.listConversations().length, 2);
  });

  it('is sent to each once when both answers are lost', async () => {
    fixture.service.inject({ name: 'answer-lost', on: 'POST /messages/stream', times: 2 });
    const { ids } = await ask();
    assert.deepEqual(getEndings(ids), [
      ['message', 'failed'],
      ['message', 'failed'],
    ]);
    assert.deepEqual([getSentTexts(), countRequests()], [[CONTENT, CONTENT], 2]);
  });

  it('isn’t sent to a bot when the answer to creating its conversation is lost, and is sent once on Retry', async () => {
    fixture.service.inject({ name: 'answer-lost', on: 'POST /conversations' });
    const { ids } = await ask();
    assert.deepEqual(getSentTexts(), [CONTENT]);
    const failedId = ids.find((id) => find(id).turns.some((turn) => turn.kind === 'reply' && turn.failure));
    const reply = find(failedId ?? '').turns.at(-1);
    assert.ok(reply?.kind === 'reply' && reply.failure?.maySend);
    assert.equal(await fixture.replies.retry(failedId ?? '', reply.id, sendAgain), 'sent');
    await fixture.ended(failedId ?? '');
    assert.deepEqual([getSentTexts(), countRequests()], [[CONTENT, CONTENT], 2]);
  });

  it('stays in both composers if it can’t be sent', async () => {
    const long = { ...question, text: 'x'.repeat(2001) };
    const ids = createWithQuestion(fixture.chat, bots, long);
    assert.deepEqual(await sendQuestion(sender, ids, long), ['tooLong', 'tooLong']);
    assert.deepEqual(
      ids.map((id) => [find(id).draft, find(id).composing?.context]),
      ids.map(() => [long.text, [chip]]),
    );
    assert.deepEqual(getSentTexts(), []);
    const drafts = fixture.events.flatMap((event) => (event.type === 'draft' ? [event.page] : []));
    assert.deepEqual(drafts, [undefined, undefined]);
  });

  it('goes back to the composer of the bot whose service refuses it, and not of the other', async () => {
    const body = { message: 'Enough.' };
    fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status: 402, body });
    const { ids } = await ask();
    assert.deepEqual(ids.map((id) => find(id).draft).sort(), ['', 'Why?']);
    assert.deepEqual(ids.map((id) => find(id).composing?.context.length).sort(), [0, 1]);
    assert.deepEqual(getSentTexts(), [CONTENT]);
  });

  it('is stopped for one bot without stopping the other', async () => {
    const scripts = [fixture.service.script(), fixture.service.script()];
    const ids = createWithQuestion(fixture.chat, bots, question);
    await sendQuestion(sender, ids, question);
    await Promise.all(scripts.map(({ opened }) => opened));
    const [first, second] = ids;
    fixture.replies.stop(first);
    assert.equal((await fixture.ended(first)).ending, 'stopped');
    assert.equal(fixture.replies.isBusy(second), true);
    for (const script of scripts) script.end();
    assert.equal((await fixture.ended(second)).ending, 'complete');
  });
});
