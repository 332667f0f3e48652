import assert from 'node:assert/strict';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import type { Fault } from '../../service/faults/faults';
import { ask, countMessagesSent, getFailureText, QUESTION, retry, type ShownReply } from '../support/shown';

const MESSAGE = 'POST /messages/stream';
/** For a message that may have been sent. */
const unsure = { maySend: false } as const;
const HOUR_MS = 3_600_000;

describe('Invalid responses', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat();
  });
  afterEach(async () => {
    await fixture.close();
  });

  /**
   * Sends a message with a fault injected: the reply fails, the message stays, and nothing is repeated
   * automatically.
   */
  async function askWithFault(fault: Fault): Promise<ShownReply> {
    fixture.service.inject(fault);
    const failed = await ask(fixture);
    assert.deepEqual([failed.reply.ending, failed.reply.text], ['failed', '']);
    assert.deepEqual(failed.said, [QUESTION]);
    assert.equal(countMessagesSent(fixture), fault.on === MESSAGE ? 1 : 0);
    return failed;
  }

  async function retrySuccessfully(failed: ShownReply): Promise<void> {
    const again = await retry(fixture, failed);
    assert.deepEqual([again.reply.ending, again.reply.text, again.said], ['complete', QUESTION, [QUESTION]]);
  }

  const notValid = (failed: ShownReply) => {
    assert.equal(failed.sentence, getFailureText('invalidResponse', unsure));
    assert.deepEqual(failed.actions, ['retry', 'setBaseUrl', 'showLog']);
    assert.equal(failed.reply.problem?.detail, undefined);
  };

  it('that trickle in time out [fault 5]', async () => {
    const { id } = await ask(fixture, 'Hello');
    // Only this request gets the short deadline, so that slow machines pass.
    fixture.useDeadlines({ firstHeader: 10_000, reply: 10_000 });
    fixture.service.inject({ name: 'headers-trickle', on: MESSAGE });
    const failed = await ask(fixture, QUESTION, id);
    assert.deepEqual([failed.reply.ending, failed.reply.text], ['failed', '']);
    assert.equal(failed.sentence, getFailureText('timeout', unsure));
    assert.equal(countMessagesSent(fixture), 2);
    fixture.useDeadlines({});
    const again = await retry(fixture, failed);
    assert.deepEqual([again.reply.ending, again.said], ['complete', ['Hello', QUESTION]]);
  });

  it('that aren’t HTTP are reported as invalid [fault 6]', async () =>
    notValid(await askWithFault({ name: 'garbage', on: MESSAGE })));

  it('that end before the first header count as a message that may have been sent [fault 7]', async () => {
    const failed = await askWithFault({ name: 'fin-before-headers', on: MESSAGE });
    assert.equal(failed.sentence, getFailureText('unreachable', unsure));
    // This makes Retry ask first; see the end-to-end test of this fault.
    const [, reply] = fixture.chat.findConversation(failed.id)?.turns ?? [];
    assert.equal(reply?.kind === 'reply' && reply.failure?.maySend, false);
    await retrySuccessfully(failed);
  });

  it('with headers that are too large are reported as invalid [fault 8]', async () =>
    notValid(await askWithFault({ name: 'headers-too-big', on: MESSAGE })));

  it('that reject the API key offer to set another one [fault 9]', async () => {
    for (const [status, code] of [
      [401, 'unauthorized'],
      [403, 'forbidden'],
    ] as const) {
      fixture.service.inject({ name: 'status', on: MESSAGE, status, body: { message: 'No.' } });
      const failed = await ask(fixture);
      assert.deepEqual([failed.sentence, failed.reply.problem?.detail], [getFailureText(code), 'No.']);
      assert.deepEqual(failed.actions, ['retry', 'setApiKey']);
      // The key is still there.
      await retrySuccessfully(failed);
    }
  });

  it('with status 402 restore the draft, and show the service’s message as text [fault 10]', async () => {
    const message = 'Wait, or <b>upgrade</b>.';
    const failed = await askWithFault({ name: 'status', on: MESSAGE, status: 402, body: { message } });
    assert.equal(failed.sentence, getFailureText('quotaReached'));
    assert.deepEqual([failed.reply.problem?.detail, failed.draft], [message, QUESTION]);
  });

  it('with field errors show each field, and restore the draft [fault 11]', async () => {
    const body = { message: 'Invalid.', errors: { bot_id: ['No such bot.'], name: ['Too long.', 'Odd.'] } };
    const failed = await askWithFault({ name: 'status', on: 'POST /conversations', status: 422, body });
    assert.equal(failed.sentence, getFailureText('validation'));
    assert.deepEqual(failed.reply.problem?.fields, [
      { name: 'bot_id', messages: ['No such bot.'] },
      { name: 'name', messages: ['Too long.', 'Odd.'] },
    ]);
    assert.deepEqual([failed.actions, failed.draft], [['changeBot'], QUESTION]);
  });

  it('with field errors of an unknown shape show the message [fault 12]', async () => {
    for (const name of ['errors-null', 'errors-string', 'errors-huge'] as const) {
      fixture.service.inject({ name, on: 'POST /conversations' });
      const { sentence, reply, draft } = await ask(fixture);
      assert.equal(sentence, getFailureText('validation'), name);
      assert.equal(reply.problem?.detail, 'The given data was invalid.');
      assert.ok(JSON.stringify(reply.problem).length < 1000, `${name}: 1 MB is not for reading`);
      assert.equal(draft, QUESTION);
    }
  });

  it('with Retry-After show when to retry [fault 13]', async () => {
    for (const getValue of [() => '90', () => new Date(Date.now() + 90_000).toUTCString()]) {
      const from = Date.now();
      const value = getValue();
      fixture.service.inject({ name: 'retry-after', on: MESSAGE, value });
      const { sentence, reply, actions } = await ask(fixture);
      assert.equal(sentence, getFailureText('rateLimited'));
      assert.deepEqual(actions, ['retry']);
      const { retryAt = 0 } = reply.problem ?? {};
      assert.ok(retryAt >= from + 88_000 && retryAt <= Date.now() + 90_000, value);
    }
  });

  it('with an absurd Retry-After are capped or ignored [fault 14]', async () => {
    for (const [value, wait] of [
      ['99999999999', HOUR_MS],
      ['-5', undefined],
      ['NaN', undefined],
      ['1e999', undefined],
    ] as const) {
      const from = Date.now();
      fixture.service.inject({ name: 'retry-after', on: MESSAGE, value });
      const { sentence, reply } = await ask(fixture);
      assert.equal(sentence, getFailureText('rateLimited'));
      const { retryAt } = reply.problem ?? {};
      if (wait === undefined) assert.equal(retryAt, undefined, value);
      else assert.ok(retryAt && retryAt >= from + wait && retryAt <= Date.now() + wait, value);
    }
  });

  it('with a web server’s error page show the status, and no HTML [fault 15]', async () => {
    for (const status of [500, 503]) {
      const body = '<html><h1>Internal error</h1></html>';
      fixture.service.inject({ name: 'status', on: MESSAGE, status, body });
      const { sentence, reply } = await ask(fixture);
      assert.equal(sentence, getFailureText('service', { status, ...unsure }));
      assert.ok(!JSON.stringify(reply).includes('Internal error'));
    }
  });

  it('with HTML instead of JSON are reported as invalid [fault 16]', async () => {
    const failed = await askWithFault({ name: 'html-200', on: MESSAGE });
    notValid(failed);
    assert.ok(!JSON.stringify(failed.reply).includes('It works'));
    await retrySuccessfully(failed);
  });

  it('with a redirect without a target are reported as invalid [fault 17]', async () =>
    notValid(await askWithFault({ name: 'redirect', on: MESSAGE })));

  it('with a relative stream URL use the base URL, with the API key [fault 18]', async () => {
    await fixture.close();
    fixture = await startChat({ streamOnApi: true });
    fixture.service.inject({ name: 'answer-redirect', relative: true });
    const { reply } = await ask(fixture);
    assert.deepEqual([reply.ending, reply.text], ['complete', QUESTION]);
    assert.equal(fixture.service.requests.at(-1)?.headers.authorization, `Bearer ${fixture.service.key}`);
  });

  it('with a stream URL of another origin are followed without the API key [fault 19]', async () => {
    fixture.service.inject({ name: 'answer-redirect' });
    const { reply } = await ask(fixture);
    assert.deepEqual([reply.ending, reply.text], ['complete', QUESTION]);
    const streams = fixture.service.requests.filter(({ origin }) => origin === 'stream');
    assert.deepEqual(
      streams.map(({ headers }) => headers.authorization),
      [undefined],
    );
  });

  it('that redirect to a file, to data or to a URL with a password are refused [fault 20]', async () => {
    const elsewhere = fixture.service.streamOrigin.replace('://', '://name:password@');
    for (const location of ['file:///etc/passwd', 'data:text/event-stream,data: [END]', elsewhere]) {
      fixture.service.inject({ name: 'redirect', on: MESSAGE, location });
      const { sentence, actions } = await ask(fixture);
      assert.equal(sentence, getFailureText('refusedUrl', unsure), location);
      assert.deepEqual(actions, ['retry', 'showLog']);
    }
    assert.ok(fixture.service.requests.every(({ origin }) => origin === 'api'));
  });

  it('with a redirect loop are followed five times [fault 21]', async () => {
    fixture.service.inject({ name: 'redirect-loop', on: 'GET stream' });
    const before = fixture.service.requests.length;
    const failed = await ask(fixture);
    notValid(failed);
    // One for the conversation, one for the message, one for its stream, and five redirects.
    assert.equal(fixture.service.requests.length - before, 8);
  });

  it('without content are reported as empty [fault 22]', async () => {
    for (const name of ['empty-204', 'empty-200'] as const) {
      fixture.service.inject({ name, on: MESSAGE });
      const { sentence, actions } = await ask(fixture);
      assert.equal(sentence, getFailureText('invalidResponse', { reason: 'empty', ...unsure }));
      assert.deepEqual(actions, ['retry', 'setBaseUrl', 'showLog']);
    }
  });

  it('with corrupt gzip data fail before the deadline [fault 38]', async () => {
    fixture.useDeadlines({ body: 45_000 });
    notValid(await askWithFault({ name: 'corrupt-gzip', on: MESSAGE }));
  });
});
