import assert from 'node:assert/strict';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import type { Fault } from '../../service/faults';
import { ask, messagesSent, pointAt, QUESTION, retry, type Shown, sentenceFor } from '../support/shown';

const MESSAGE = 'POST /messages/stream';
/** Of a message that may have been sent. */
const unsure = { maySend: false } as const;
const HOUR = 3_600_000;

describe('Answers that are none', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat();
    await pointAt(fixture, fixture.service.baseUrl);
  });
  afterEach(async () => {
    await pointAt(fixture, '');
    await fixture.close();
  });

  /** Asks under a fault: the reply fails, what was said stays, and nothing is sent a second time by itself. */
  async function fails(fault: Fault): Promise<Shown> {
    fixture.service.inject(fault);
    const failed = await ask(fixture);
    assert.deepEqual([failed.reply.ending, failed.reply.text], ['failed', '']);
    assert.deepEqual(failed.said, [QUESTION]);
    assert.equal(messagesSent(fixture), fault.on === MESSAGE ? 1 : 0);
    return failed;
  }

  async function answersAgain(failed: Shown): Promise<void> {
    const again = await retry(fixture, failed);
    assert.deepEqual([again.reply.ending, again.reply.text, again.said], ['complete', QUESTION, [QUESTION]]);
  }

  const notValid = (failed: Shown) => {
    assert.equal(failed.sentence, sentenceFor('invalidResponse', unsure));
    assert.deepEqual(failed.actions, ['retry', 'setBaseUrl', 'showLog']);
    assert.equal(failed.reply.problem?.detail, undefined);
  };

  it('that trickle run into a deadline [fault 5]', async () => {
    // Another request than this one is never held to the short deadline, however slow the machine.
    const { id } = await ask(fixture, 'Hello');
    fixture.useDeadlines({ firstHeader: 100 });
    fixture.service.inject({ name: 'headers-trickle', on: MESSAGE });
    const failed = await ask(fixture, QUESTION, id);
    assert.deepEqual([failed.reply.ending, failed.reply.text], ['failed', '']);
    assert.equal(failed.sentence, sentenceFor('timeout', unsure));
    assert.equal(messagesSent(fixture), 2);
    fixture.useDeadlines({});
    const again = await retry(fixture, failed);
    assert.deepEqual([again.reply.ending, again.said], ['complete', ['Hello', QUESTION]]);
  });

  it('that are no HTTP are said not to be valid [fault 6]', async () =>
    notValid(await fails({ name: 'garbage', on: MESSAGE })));

  it('that end before their first header may mean that the message was sent [fault 7]', async () => {
    const failed = await fails({ name: 'fin-before-headers', on: MESSAGE });
    assert.equal(failed.sentence, sentenceFor('unreachable', unsure));
    // What makes Retry ask first; see the end-to-end test of this fault.
    const [, reply] = fixture.chat.find(failed.id)?.turns ?? [];
    assert.equal(reply?.kind === 'reply' && reply.failure?.maySend, false);
    await answersAgain(failed);
  });

  it('whose headers are too big are said not to be valid [fault 8]', async () =>
    notValid(await fails({ name: 'headers-too-big', on: MESSAGE })));

  it('that reject the key offer to set another [fault 9]', async () => {
    for (const [status, code] of [
      [401, 'unauthorized'],
      [403, 'forbidden'],
    ] as const) {
      fixture.service.inject({ name: 'status', on: MESSAGE, status, body: { message: 'No.' } });
      const failed = await ask(fixture);
      assert.deepEqual([failed.sentence, failed.reply.problem?.detail], [sentenceFor(code), 'No.']);
      assert.deepEqual(failed.actions, ['retry', 'setApiKey']);
      // The key is still there.
      await answersAgain(failed);
    }
  });

  it('that the quota is reached give the text back, with the service’s words as text [fault 10]', async () => {
    const message = 'Wait, or <b>upgrade</b>.';
    const failed = await fails({ name: 'status', on: MESSAGE, status: 402, body: { message } });
    assert.equal(failed.sentence, sentenceFor('quotaReached'));
    assert.deepEqual([failed.reply.problem?.detail, failed.draft], [message, QUESTION]);
  });

  it('that refuse name each field, and give the text back [fault 11]', async () => {
    const body = { message: 'Invalid.', errors: { bot_id: ['No such bot.'], name: ['Too long.', 'Odd.'] } };
    const failed = await fails({ name: 'status', on: 'POST /conversations', status: 422, body });
    assert.equal(failed.sentence, sentenceFor('validation'));
    assert.deepEqual(failed.reply.problem?.fields, [
      { name: 'bot_id', messages: ['No such bot.'] },
      { name: 'name', messages: ['Too long.', 'Odd.'] },
    ]);
    assert.deepEqual([failed.actions, failed.draft], [['changeBot'], QUESTION]);
  });

  it('that refuse with errors of another shape are told by their message [fault 12]', async () => {
    for (const name of ['errors-null', 'errors-string', 'errors-huge'] as const) {
      fixture.service.inject({ name, on: 'POST /conversations' });
      const { sentence, reply, draft } = await ask(fixture);
      assert.equal(sentence, sentenceFor('validation'), name);
      assert.equal(reply.problem?.detail, 'The given data was invalid.');
      assert.ok(JSON.stringify(reply.problem).length < 1000, `${name}: 1 MB is not for reading`);
      assert.equal(draft, QUESTION);
    }
  });

  it('that ask to wait say until when [fault 13]', async () => {
    for (const value of ['90', new Date(Date.now() + 90_000).toUTCString()]) {
      const from = Date.now();
      fixture.service.inject({ name: 'retry-after', on: MESSAGE, value });
      const { sentence, reply, actions } = await ask(fixture);
      assert.equal(sentence, sentenceFor('rateLimited'));
      assert.deepEqual(actions, ['retry']);
      const { retryAt = 0 } = reply.problem ?? {};
      assert.ok(retryAt >= from + 88_000 && retryAt <= Date.now() + 90_000, value);
    }
  });

  it('that ask to wait absurdly are capped or passed over [fault 14]', async () => {
    for (const [value, wait] of [
      ['99999999999', HOUR],
      ['-5', undefined],
      ['NaN', undefined],
      ['1e999', undefined],
    ] as const) {
      const from = Date.now();
      fixture.service.inject({ name: 'retry-after', on: MESSAGE, value });
      const { sentence, reply } = await ask(fixture);
      assert.equal(sentence, sentenceFor('rateLimited'));
      const { retryAt } = reply.problem ?? {};
      if (wait === undefined) assert.equal(retryAt, undefined, value);
      else assert.ok(retryAt && retryAt >= from + wait && retryAt <= Date.now() + wait, value);
    }
  });

  it('that are a web server’s pages of errors show their status, and no HTML [fault 15]', async () => {
    for (const status of [500, 503]) {
      const body = '<html><h1>Internal error</h1></html>';
      fixture.service.inject({ name: 'status', on: MESSAGE, status, body });
      const { sentence, reply } = await ask(fixture);
      assert.equal(sentence, sentenceFor('service', { status, ...unsure }));
      assert.ok(!JSON.stringify(reply).includes('Internal error'));
    }
  });

  it('that are HTML for JSON are said not to be valid [fault 16]', async () => {
    const failed = await fails({ name: 'html-200', on: MESSAGE });
    notValid(failed);
    assert.ok(!JSON.stringify(failed.reply).includes('It works'));
    await answersAgain(failed);
  });

  it('that lead nowhere are said not to be valid [fault 17]', async () =>
    notValid(await fails({ name: 'redirect', on: MESSAGE })));

  it('that lead to a relative address are read against the base, with the key [fault 18]', async () => {
    await pointAt(fixture, '');
    await fixture.close();
    fixture = await startChat({ streamOnApi: true });
    await pointAt(fixture, fixture.service.baseUrl);
    fixture.service.inject({ name: 'answer-redirect', relative: true });
    const { reply } = await ask(fixture);
    assert.deepEqual([reply.ending, reply.text], ['complete', QUESTION]);
    assert.equal(fixture.service.requests.at(-1)?.headers.authorization, `Bearer ${fixture.service.key}`);
  });

  it('that lead to another origin are followed without the key [fault 19]', async () => {
    fixture.service.inject({ name: 'answer-redirect' });
    const { reply } = await ask(fixture);
    assert.deepEqual([reply.ending, reply.text], ['complete', QUESTION]);
    const streams = fixture.service.requests.filter(({ origin }) => origin === 'stream');
    assert.deepEqual(
      streams.map(({ headers }) => headers.authorization),
      [undefined],
    );
  });

  it('that lead to files, data or with a password are refused [fault 20]', async () => {
    const elsewhere = fixture.service.streamOrigin.replace('://', '://name:password@');
    for (const location of ['file:///etc/passwd', 'data:text/event-stream,data: [END]', elsewhere]) {
      fixture.service.inject({ name: 'redirect', on: MESSAGE, location });
      const { sentence, actions } = await ask(fixture);
      assert.equal(sentence, sentenceFor('refusedUrl', unsure), location);
      assert.deepEqual(actions, ['retry', 'showLog']);
    }
    assert.ok(fixture.service.requests.every(({ origin }) => origin === 'api'));
  });

  it('that lead round in a circle are followed five times [fault 21]', async () => {
    fixture.service.inject({ name: 'redirect-loop', on: 'GET stream' });
    const before = fixture.service.requests.length;
    const failed = await ask(fixture);
    notValid(failed);
    // To make the conversation, for the message, for its stream, and five more.
    assert.equal(fixture.service.requests.length - before, 8);
  });

  it('that are empty are said to be [fault 22]', async () => {
    for (const name of ['empty-204', 'empty-200'] as const) {
      fixture.service.inject({ name, on: MESSAGE });
      const { sentence, actions } = await ask(fixture);
      assert.equal(sentence, sentenceFor('invalidResponse', { reason: 'empty', ...unsure }));
      assert.deepEqual(actions, ['retry', 'setBaseUrl', 'showLog']);
    }
  });

  it('that are broken gzip fail in time [fault 38]', async () => {
    fixture.useDeadlines({ body: 5000 });
    notValid(await fails({ name: 'corrupt-gzip', on: MESSAGE }));
  });
});
