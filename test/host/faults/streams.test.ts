import assert from 'node:assert/strict';
import { type ChatFixture, sendAgain, startChat } from '../../chat/support/chatFixture';
import type { StreamFault } from '../../service/faults/faults';
import type { ScriptedReply } from '../../service/streams/scriptedReply';
import { measureCpu } from '../../support/cpuTime';
import { doKnownWork, isWithinKnownWork } from '../../support/knownWork';
import {
  ask,
  countMessagesSent,
  getFailureText,
  getShownReply,
  QUESTION,
  type ShownReply,
} from '../support/shown';

const PARTS = ['Moss ', 'has no ', 'roots: 日本 👍🏽.'];
const WHOLE = PARTS.join('');
/** For how many pieces of known work the host may be busy without a break: about a second on a quick machine. */
const MAX_KNOWN_WORK = 20;

describe('A faulty stream', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat();
  });
  afterEach(async () => {
    await fixture.close();
  });

  /** Sends a message and receives the parts with the faults injected. */
  async function receive(...faults: StreamFault[]): Promise<ShownReply> {
    for (const fault of faults) fixture.service.inject(fault);
    const script = fixture.service.script();
    for (const part of PARTS) script.chunk(part);
    script.end();
    const result = await ask(fixture);
    assert.equal(countMessagesSent(fixture), 1);
    return result;
  }

  const complete = ({ reply }: ShownReply) =>
    assert.deepEqual(
      [reply.ending, reply.text, reply.problem, reply.skipped],
      ['complete', WHOLE, undefined, undefined],
    );

  /** Starts a reply that has sent its first part and continues on request. */
  async function begin(): Promise<{ id: string; script: ScriptedReply }> {
    const script = fixture.service.script();
    const { id } = fixture.newConversation();
    await fixture.replies.send(id, QUESTION);
    script.chunk('Moss ');
    await fixture.until((event) => event.type === 'chunk' && event.conversationId === id);
    return { id, script };
  }

  const cuts: readonly (readonly [name: string, fault: Extract<StreamFault, { afterChunks?: number }>])[] = [
    ['that ends without [END] keeps its text as interrupted [fault 23]', { name: 'stream-no-end' }],
    ['that is reset keeps its text as interrupted [fault 24]', { name: 'stream-reset' }],
    [
      'that is truncated within a frame keeps its text as interrupted [fault 25]',
      { name: 'stream-bad-framing', kind: 'truncated' },
    ],
    [
      'with a garbage frame keeps its text as interrupted [fault 26]',
      { name: 'stream-bad-framing', kind: 'garbage' },
    ],
  ];
  for (const [name, fault] of cuts) {
    it(name, async () => {
      fixture.service.inject({ ...fault, afterChunks: 2 });
      const { id, script } = await begin();
      script.chunk('has no ');
      await fixture.ended(id);
      const { reply, sentence, actions, draft } = getShownReply(fixture, id);
      assert.equal(reply.ending, 'interrupted');
      assert.ok(reply.text === 'Moss ' || reply.text === 'Moss has no ', reply.text);
      assert.equal(sentence, getFailureText('interrupted'));
      assert.deepEqual([actions, draft], [['retry'], '']);
      assert.equal(countMessagesSent(fixture), 1);
    });
  }

  it('that is held open after [END] is complete and closed at once [fault 27]', async () => {
    complete(await receive({ name: 'stream-hold-after-end' }));
    await fixture.service.waitForRequest(({ origin, closed }) => origin === 'stream' && closed);
  });

  it('without a blank line after [END] is complete [fault 28]', async () => {
    for (const lineEnd of ['', '\n'] as const) {
      fixture.service.inject({ name: 'stream-end-without-blank-line', lineEnd });
      const { reply } = await ask(fixture);
      assert.deepEqual([reply.ending, reply.text, reply.problem], ['complete', QUESTION, undefined]);
    }
  });

  it('with data after [END] is complete [fault 29]', async () => {
    complete(await receive({ name: 'stream-data-after-end' }));
  });

  it('without [START] is complete [fault 30]', async () => {
    complete(await receive({ name: 'stream-no-start' }));
  });

  it('that is idle doesn’t time out, and continues when the service does [fault 31]', async () => {
    fixture.useDeadlines({ firstHeader: 10_000, body: 10_000, reply: 10_000, quietUpload: 10_000 });
    const { id, script } = await begin();
    // A later request has already timed out.
    fixture.service.inject({ name: 'hang', on: 'POST /conversations' });
    assert.equal((await ask(fixture)).sentence, getFailureText('timeout'));
    assert.equal(getShownReply(fixture, id).reply.ending, undefined);
    script.chunk('has no roots.');
    script.end();
    const { text, ending } = await fixture.ended(id);
    assert.deepEqual([text, ending], ['Moss has no roots.', 'complete']);
  });

  it('that stays half-open ends with Stop, which keeps its text [fault 32]', async () => {
    const { id, script } = await begin();
    fixture.replies.stop(id);
    await fixture.ended(id);
    await script.closed;
    const { reply, sentence } = getShownReply(fixture, id);
    assert.deepEqual([reply.ending, reply.text, sentence], ['stopped', 'Moss ', '']);
  });

  it('with invalid chunks skips them, and shows one notice [fault 33]', async () => {
    const { reply } = await receive(
      { name: 'stream-not-json', text: '<b>raw text</b>' },
      { name: 'stream-bad-chunk', value: null },
      { name: 'stream-bad-chunk', value: 5 },
      { name: 'stream-bad-chunk' },
    );
    assert.deepEqual([reply.ending, reply.text, reply.skipped], ['complete', WHOLE, true]);
  });

  it('with an event of 50 MB is aborted, and keeps its earlier text [fault 34]', async () => {
    const { reply, sentence } = await receive({ name: 'stream-huge-event', afterChunks: 2 });
    assert.deepEqual([reply.ending, reply.text], ['interrupted', 'Moss has no ']);
    assert.equal(sentence, getFailureText('invalidResponse'));
    await fixture.service.waitForRequest(({ origin, closed }) => origin === 'stream' && closed);
  });

  it('with 100,000 events at once is complete, and doesn’t block the host [fault 35]', async () => {
    // Measures CPU time of this process, independent of the load of the machine.
    let longest = 0;
    let last = process.cpuUsage();
    const beat = setInterval(() => {
      const { user, system } = process.cpuUsage(last);
      longest = Math.max(longest, (user + system) / 1000);
      last = process.cpuUsage();
    }, 5);
    const { reply } = await receive({ name: 'stream-flood', afterChunks: 2, events: 100_000 });
    clearInterval(beat);
    assert.deepEqual([reply.ending, reply.text.length], ['complete', 'x '.length * 100_000 + WHOLE.length]);
    const isShort = await isWithinKnownWork(longest, MAX_KNOWN_WORK, () => measureCpu(doKnownWork));
    assert.ok(isShort, `The host was busy for ${longest.toFixed()} ms`);
  });

  it('that arrives byte by byte has the same text [fault 36]', async () => {
    complete(await receive({ name: 'stream-byte-by-byte' }));
  });

  it('with other line breaks, a BOM, comments and fields has the same text [fault 37]', async () => {
    for (const lineEnd of ['\n', '\r', '\r\n', 'mixed'] as const) {
      fixture.service.inject({ name: 'stream-line-endings', lineEnd });
      const { reply } = await ask(fixture, WHOLE);
      assert.deepEqual([reply.ending, reply.text, reply.skipped], ['complete', WHOLE, undefined], lineEnd);
    }
  });

  it('can’t be requested after the API key is cleared, and earlier turns stay [fault 46]', async () => {
    const { id, reply: before } = await receive();
    fixture.useKey(undefined);
    await fixture.replies.send(id, 'And lichen?');
    await fixture.ended(id);
    const failed = getShownReply(fixture, id);
    assert.deepEqual([failed.reply.ending, failed.sentence], ['failed', getFailureText('keyMissing')]);
    assert.deepEqual(failed.actions, ['retry', 'setApiKey']);
    assert.deepEqual(failed.said, [QUESTION, 'And lichen?']);
    assert.equal(
      fixture.chat.findConversation(id)?.turns.some((turn) => turn.id === before.id),
      true,
    );
    assert.equal(countMessagesSent(fixture), 1);
    fixture.useKey(fixture.service.key);
    assert.equal(await fixture.replies.retry(id, failed.reply.id, sendAgain), 'sent');
    assert.equal((await fixture.ended(id)).text, 'And lichen?');
  });
});
