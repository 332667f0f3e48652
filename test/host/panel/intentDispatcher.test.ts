import assert from 'node:assert/strict';
import { IntentDispatcher, type IntentHandlers } from '../../../src/host/panel/intentDispatcher';
import type { HostPage } from '../../../src/host/panel/page/hostPage';

describe('Requests and subscriptions of a page', () => {
  let responses: unknown[][];
  let errors: string[];
  let searches: { readonly query: string; readonly signal: AbortSignal; readonly yieldHits: () => void }[];
  let dispatcher: IntentDispatcher;
  const createPage = () =>
    ({ respond: (...response: unknown[]) => responses.push(response) }) as unknown as HostPage;
  let page: HostPage;

  beforeEach(() => {
    responses = [];
    errors = [];
    searches = [];
    page = createPage();
    const handlers: Partial<IntentHandlers> = {
      checkPaths: async ({ paths }) => {
        if (paths.includes('broken')) throw new Error('no file system');
        return paths;
      },
      async *search({ query }, _, signal) {
        await new Promise<void>((resolve) => searches.push({ query, signal, yieldHits: resolve }));
        yield { hits: [], done: true };
      },
    };
    const log = { error: (text: string) => errors.push(text) };
    dispatcher = new IntentDispatcher(handlers as IntentHandlers, log as never);
  });

  const search = (query: string, subscriptionId: string, from = page) =>
    dispatcher.dispatch({ type: 'search', query, subscriptionId }, from);
  const unsubscribe = (subscriptionId: string, from = page) =>
    dispatcher.dispatch({ type: 'unsubscribe', subscriptionId }, from);

  it('get the response with their own id', async () => {
    await Promise.all(
      ['a', 'b'].map((name) =>
        dispatcher.dispatch({ type: 'checkPaths', requestId: `${name}-id`, paths: [name] }, page),
      ),
    );
    assert.deepEqual(responses, [
      ['checkPaths', 'a-id', { value: ['a'] }],
      ['checkPaths', 'b-id', { value: ['b'] }],
    ]);
  });

  it('get a sentence about the failure if the handler fails, and the error is logged', async () => {
    await dispatcher.dispatch({ type: 'checkPaths', requestId: 'id', paths: ['broken'] }, page);
    assert.deepEqual(responses, [
      ['checkPaths', 'id', { error: { code: 'internal', message: 'Something went wrong in Parley.' } }],
    ]);
    assert.deepEqual(errors, ['checkPaths failed']);
  });

  it('end when the page unsubscribes, without a further response', async () => {
    const running = search('moss', 'one');
    await unsubscribe('another');
    await unsubscribe('one', createPage());
    assert.equal(searches[0]?.signal.aborted, false);
    await unsubscribe('one');
    assert.equal(searches[0]?.signal.aborted, true);
    searches[0]?.yieldHits();
    await running;
    assert.deepEqual(responses, []);
  });

  it('end when the same page subscribes again, so that a page never has two searches', async () => {
    const running = [search('moss', 'one'), search('moss', 'other', createPage()), search('fern', 'two')];
    assert.deepEqual(
      searches.map(({ query, signal }) => [query, signal.aborted]),
      [
        ['moss', true],
        ['moss', false],
        ['fern', false],
      ],
    );
    for (const { yieldHits } of searches) yieldHits();
    await Promise.all(running);
    assert.deepEqual(
      responses.map(([, id]) => id),
      ['other', 'two'],
    );
  });
});
