import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listQuestions } from '../../../src/chat/botTests/botTest';
import { ExpressionMatcher } from '../../../src/chat/botTests/expressionMatcher';
import { parseBotTest } from '../../../src/chat/botTests/parseBotTest';
import {
  type BotTestResult,
  countMessages,
  type PlannedQuestion,
  type RunSummary,
  runBotTests,
} from '../../../src/chat/botTests/runBotTests';
import { ServiceClient } from '../../../src/client/serviceClient';
import { startExpressionThread } from '../../../src/host/platform/nodeExpressionThread';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';
import type { Bot } from '../../service/bots/bot';
import type { Fault } from '../../service/faults/faults';
import { type LocalService, startLocalService } from '../../service/localService';
import { withLocalService } from '../../service/support/withLocalService';
import { cases } from '../../support/fuzz';

/** Replies with the number of the question, as counted by the bot. */
function createCounter(): Bot {
  let count = 0;
  return {
    id: 'counter',
    name: 'Counter',
    async *reply() {
      yield `number ${++count}`;
      return {
        sources: [{ type: 'document', document_id: '1', document_name: 'counts.md', document_url: '' }],
      };
    },
  };
}

describe('A run of bot tests', () => {
  let service: LocalService;
  const matcher = new ExpressionMatcher(startExpressionThread);
  after(() => matcher.dispose());
  const restart = withLocalService(
    (started) => {
      service = started;
    },
    () => ({ bots: [createCounter()] }),
  );

  const plan = (text: string, to = service): PlannedQuestion<string>[] => {
    const file = parseBotTest(text);
    assert.deepEqual(file.problems, []);
    const client = new ServiceClient({
      baseUrl: to.baseUrl,
      apiKey: async () => to.key,
      fetch: createNodeFetch(),
    });
    return listQuestions(file.items).map((question) => ({
      key: question.title,
      service: { client },
      botId: to.bots[0]?.id ?? '',
      question,
    }));
  };
  const run = async (
    questions: readonly PlannedQuestion<string>[],
    signal = new AbortController().signal,
  ) => {
    const results = new Map<string, BotTestResult>();
    const texts = new Map<string, string>();
    const summary: RunSummary = await runBotTests(questions, {
      matcher,
      signal,
      onText: ({ key }, text) => texts.set(key, (texts.get(key) ?? '') + text),
      onResult: ({ key }, result) => {
        assert.ok(!results.has(key), `${key} has two results`);
        results.set(key, result);
      },
    });
    return { ...summary, results, texts, outcomes: [...results.values()].map(({ outcome }) => outcome) };
  };
  const ask = (count: number, list = '- any: number') =>
    Array.from({ length: count }, (_, index) => `# Question ${index}?\n${list}\n`).join('');

  it('asks each question in a conversation of its own, with its name, and deletes it', async () => {
    const { results, texts, ...summary } = await run(plan(`${ask(4)}# Five?\n- all: number 9`));
    assert.equal(results.get('Question 0?')?.outcome, 'passed');
    assert.equal(results.get('Five?')?.outcome, 'failed');
    assert.match(texts.get('Five?') ?? '', /^number [1-5]$/);
    assert.deepEqual([summary.messages, summary.leftConversations, service.acceptedMessages], [5, 0, 5]);
    assert.equal(service.conversations.size, 0);
    const names = service.requests
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/conversations'))
      .map(({ body }) => (body as { name: string }).name);
    assert.deepEqual(names.toSorted(), [
      'Bot test: Five?',
      ...[0, 1, 2, 3].map((n) => `Bot test: Question ${n}?`),
    ]);
  });

  it('reads the sources of a reply only if some are expected', async () => {
    await run(plan(ask(1)));
    const reads = () =>
      service.requests.filter(({ method, path }) => method === 'GET' && path.includes('/messages?'));
    assert.equal(reads().length, 0);
    const { outcomes } = await run(plan(ask(1, '- sources: counts.md')));
    assert.deepEqual([outcomes, reads().length], [['passed'], 1]);
  });

  it('asks several times for a tolerance, and stops once the result is certain', async () => {
    for (const [list, expected, messages] of [
      // The replies are number 1, 2, 3, …
      ['- any: /number [12]/\n- tolerance: 1 of 3', 'passed', 2],
      ['- any: /number [46]/\n- tolerance: 1 of 3', 'failed', 2],
      ['- any: /number [13]/\n- tolerance: 1 of 3', 'passed', 3],
      ['- any: x\n- tolerance: 4 of 5', 'failed', 5],
    ] as const) {
      await restart({ bots: [createCounter()] });
      const questions = plan(ask(1, list));
      const { outcomes, messages: sent } = await run(questions);
      assert.deepEqual([outcomes, sent, service.acceptedMessages], [[expected], messages, messages], list);
      assert.ok(sent <= countMessages(questions));
    }
  });

  it('skips what is left after a 402, and sends nothing more', async () => {
    await restart({ quota: 3 });
    const { results, outcomes, messages } = await run(plan(ask(20)));
    assert.deepEqual(
      [outcomes.filter((each) => each === 'passed').length, messages, service.acceptedMessages],
      [3, 3, 3],
    );
    const skipped = [...results.values()].filter(({ outcome }) => outcome === 'skipped');
    assert.equal(skipped.length, 17);
    for (const result of skipped)
      assert.ok(
        result.outcome === 'skipped' &&
          result.reason.code === 'refused' &&
          result.reason.error.status === 402,
      );
    const requests = service.requests.filter(({ path }) => path.endsWith('/messages/stream'));
    assert.ok(requests.length <= 6, `${requests.length} requests`);
    assert.equal(service.conversations.size, 0);
  });

  it('waits as a 429 says, at each step, and asks again without counting twice', async () => {
    for (const on of ['POST /conversations', 'POST /messages/stream', 'DELETE /conversations/{id}'] as const)
      service.inject({ name: 'retry-after', on, value: '0', status: 429, times: 2 });
    const { outcomes, messages, leftConversations } = await run(plan(ask(1)));
    assert.deepEqual(
      [outcomes, messages, leftConversations, service.acceptedMessages],
      [['passed'], 1, 0, 1],
    );
  });

  it('ends, and skips what is left, when a 429 asks for a longer wait', async () => {
    service.inject({ name: 'retry-after', on: 'POST /conversations', value: '3600', status: 429, times: 3 });
    const { outcomes, messages } = await run(plan(ask(5)));
    assert.deepEqual([new Set(outcomes), outcomes.length, messages], [new Set(['skipped']), 5, 0]);
    service.clearFaults();
  });

  it('doesn’t ask again after a reply was cut off or lost, because the message counts', async () => {
    service.inject({ name: 'stream-reset' });
    const cut = await run(plan(ask(1)));
    service.inject({ name: 'answer-lost', on: 'POST /messages/stream' });
    const lost = await run(plan(ask(1)));
    assert.deepEqual([cut.outcomes, lost.outcomes, service.acceptedMessages], [['errored'], ['errored'], 2]);
    assert.deepEqual([cut.messages, lost.messages], [1, 1]);
  });

  it('stops when it is canceled, in the middle of a reply too, skips what is left, and deletes its conversations', async () => {
    const scripts = [service.script(), service.script(), service.script()];
    const stop = new AbortController();
    const running = run(plan(ask(10)), stop.signal);
    for (const script of scripts) script.chunk('number');
    await Promise.all(scripts.map(({ opened }) => opened));
    stop.abort();
    const { outcomes, results, messages } = await running;
    assert.deepEqual([new Set(outcomes), results.size, messages], [new Set(['skipped']), 10, 3]);
    await Promise.all(scripts.map(({ closed }) => closed));
    assert.deepEqual([service.acceptedMessages, service.conversations.size], [3, 0]);
  });

  it('says how many conversations it couldn’t delete', async () => {
    service.inject({ name: 'status', on: 'DELETE /conversations/{id}', status: 500, times: 2 });
    const { outcomes, leftConversations } = await run(plan(ask(2)));
    assert.deepEqual([outcomes, leftConversations], [['passed', 'passed'], 2]);
    assert.deepEqual(
      [...service.conversations.values()].map(({ name }) => name.slice(0, 10)),
      ['Bot test: ', 'Bot test: '],
    );
  });

  const fault: fc.Arbitrary<Fault> = fc.oneof(
    fc.record({
      name: fc.constant('retry-after' as const),
      on: fc.constantFrom(
        'POST /conversations' as const,
        'POST /messages/stream' as const,
        'GET {stream_url}' as never,
      ),
      value: fc.constantFrom('0', '3600'),
      status: fc.constant(429),
      times: fc.nat({ max: 4 }),
    }),
    fc.record({
      name: fc.constant('status' as const),
      on: fc.constantFrom('POST /conversations' as const, 'POST /messages/stream' as const),
      status: fc.constantFrom(402, 408, 422, 500, 503),
    }),
    fc.record({
      name: fc.constantFrom(
        'answer-lost' as const,
        'reset' as const,
        'html-200' as const,
        'empty-200' as const,
      ),
      on: fc.constant('POST /messages/stream' as const),
      times: fc.constantFrom(1, 2),
    }),
    fc.record({
      name: fc.constantFrom('stream-reset' as const, 'stream-no-end' as const, 'url-expired' as const),
    }),
    fc.record({ name: fc.constantFrom('answer-redirect' as const, 'answer-stream' as const) }),
  );

  it('never sends more messages than it said, whatever the service answers and whenever it is canceled', async function () {
    this.timeout(600_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('1', '1 of 2', '2 of 3', '0'), { minLength: 1, maxLength: 6 }),
        fc.array(fault, { maxLength: 4 }),
        fc.option(fc.nat({ max: 15 })),
        fc.constantFrom('lenient' as const, 'minimal' as const),
        fc.option(fc.nat({ max: 5 })),
        async (tolerances, faults, cancelAt, profile, quota) => {
          const own = await startLocalService({
            bots: [createCounter()],
            profile,
            ...(quota !== null && { quota }),
          });
          try {
            for (const each of faults) own.inject(each);
            const text = tolerances
              .map(
                (each, index) =>
                  `# Q${index}?\n- any: /[02468]$/\n${each === '1' ? '' : `- tolerance: ${each}\n`}`,
              )
              .join('');
            const questions = plan(text, own);
            const said = countMessages(questions);
            const stop = new AbortController();
            const watching =
              cancelAt === null
                ? undefined
                : own
                    .waitForRequest(() => own.requests.length > cancelAt)
                    .then(
                      () => stop.abort(),
                      () => undefined,
                    );
            const { messages, results } = await run(questions, stop.signal);
            assert.equal(results.size, tolerances.length);
            assert.ok(messages <= said, `${messages} of ${said}`);
            assert.ok(
              own.acceptedMessages <= messages,
              `the service accepted ${own.acceptedMessages} of ${messages}`,
            );
            void watching;
          } finally {
            own.clearFaults();
            await own.close();
          }
        },
      ),
      cases(60),
    );
  });
});
