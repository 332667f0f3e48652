import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Searcher } from '../../../src/webview/find/searcher';
import type { FromFindWorker, ToFindWorker } from '../../../src/webview/find/worker/findWorkerMessages';

/** A worker that the test answers for. */
class FakeWorker {
  readonly messages: ToFindWorker[] = [];
  ended = false;
  onmessage: ((event: { data: FromFindWorker }) => void) | undefined;

  postMessage(message: ToFindWorker): void {
    this.messages.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  start(): void {
    this.onmessage?.({ data: { requestId: 0, found: [], done: false } });
  }

  /** Answers the last request. */
  answer(done: boolean): void {
    const request = this.messages.findLast((message) => 'requestId' in message);
    assert.ok(request);
    this.onmessage?.({ data: { requestId: request.requestId, found: [['1', [0, 1]]], done } });
  }
}

describe('searcher of the find widget', () => {
  const turnIds = ['1'];
  const createSearch = (source: string, mayBeSlow = true) => ({
    pattern: { source, flags: 'gu', mayBeSlow },
    turnIds,
    firstTurnId: '1',
    maxMatches: 10,
  });
  let workers: FakeWorker[];
  let events: string[];
  let searcher: Searcher;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    workers = [];
    events = [];
    searcher = new Searcher(
      () => {
        const worker = new FakeWorker();
        workers.push(worker);
        return worker as unknown as Worker;
      },
      {
        onFound: (_, done) => events.push(done ? 'done' : 'found'),
        onFailed: () => events.push('failed'),
      },
    );
    searcher.setTexts([['1', 'a']]);
  });
  afterEach(() => {
    searcher.dispose();
    mock.timers.reset();
  });

  const pass = (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) mock.timers.tick(250);
  };

  it('ends a search without an answer, although changes of a reply are searched in the meantime', () => {
    searcher.search(createSearch('a'));
    workers[0]?.start();
    for (let tick = 0; tick < 8; tick++) {
      assert.deepEqual(events, []);
      searcher.setTexts([['1', 'a'.repeat(tick)]]);
      pass(1);
    }
    assert.deepEqual(events, ['failed']);
    assert.ok(workers[0]?.ended);
  });

  it('lets a search take longer while it answers', () => {
    searcher.search(createSearch('a'));
    for (let answer = 0; answer < 5; answer++) {
      pass(7);
      workers[0]?.answer(false);
    }
    workers[0]?.answer(true);
    pass(20);
    assert.deepEqual(events, [...Array(5).fill('found'), 'done']);
    assert.equal(workers[0]?.ended, false);
  });

  it('lets a worker start for longer than a search may take', () => {
    searcher.search(createSearch('a'));
    pass(20);
    assert.deepEqual(events, []);
    workers[0]?.start();
    pass(7);
    workers[0]?.answer(true);
    assert.deepEqual(events, ['done']);
  });

  it('lets a search for plain words take as long as a busy machine needs', () => {
    searcher.search(createSearch('a', false));
    workers[0]?.start();
    pass(100);
    assert.deepEqual(events, []);
    workers[0]?.answer(true);
    assert.deepEqual(events, ['done']);
  });

  it('searches for plain words in a new worker if an earlier expression blocks it', () => {
    searcher.search(createSearch('a'));
    searcher.search(createSearch('b', false));
    workers[0]?.start();
    pass(8);
    assert.ok(workers[0]?.ended);
    workers[1]?.answer(true);
    assert.deepEqual(events, ['done']);
  });

  it('repeats a search in a new worker, with all texts, if the one before blocks the worker', () => {
    searcher.search(createSearch('a'));
    pass(2);
    searcher.search(createSearch('b'));
    workers[0]?.start();
    pass(8);
    assert.ok(workers[0]?.ended);
    assert.deepEqual(
      workers[1]?.messages.map((message) => ({ ...message, requestId: 0 })),
      [
        { type: 'texts', requestId: 0, texts: [['1', 'a']] },
        { type: 'order', requestId: 0, turnIds },
        { type: 'search', requestId: 0, source: 'b', flags: 'gu', firstTurnId: '1', maxMatches: 10 },
      ],
    );
    workers[1]?.answer(true);
    pass(20);
    assert.deepEqual(events, ['done']);
  });

  it('ignores the answers to an earlier search', () => {
    searcher.search(createSearch('a'));
    const [worker] = workers;
    searcher.search(createSearch('b'));
    worker?.onmessage?.({ data: { requestId: 2, found: [], done: true } });
    assert.deepEqual(events, []);
    worker?.answer(true);
    assert.deepEqual(events, ['done']);
  });

  it('posts the order of the turns only if it is another one', () => {
    searcher.search(createSearch('a'));
    searcher.search(createSearch('b'));
    searcher.search({ ...createSearch('c'), turnIds: ['1', '2'] });
    const types = workers[0]?.messages.map(({ type }) => type);
    assert.deepEqual(types, ['texts', 'order', 'search', 'search', 'order', 'search']);
  });

  it('searches changed texts until the search is stopped, and is only done with the last ones', () => {
    searcher.search(createSearch('a'));
    searcher.setTexts([['1', 'aa']]);
    const [worker] = workers;
    const [first, last] = (worker?.messages ?? [])
      .flatMap((message) => ('requestId' in message ? [message.requestId] : []))
      .slice(-2);
    worker?.onmessage?.({ data: { requestId: first ?? 0, found: [], done: true } });
    worker?.onmessage?.({ data: { requestId: last ?? 0, found: [], done: true } });
    assert.deepEqual(events, ['found', 'done']);
    searcher.stop();
    searcher.setTexts([['1', 'aaa']]);
    pass(20);
    assert.equal(worker?.messages.at(-2)?.type, 'stop');
    assert.equal(worker?.ended, false);
  });
});
