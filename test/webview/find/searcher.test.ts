import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Searcher } from '../../../src/webview/find/searcher';
import type { FromFindWorker, ToFindWorker } from '../../../src/webview/find/worker/findMessages';

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

  /** Answers the last search. */
  answer(done: boolean): void {
    const search = this.messages.findLast((message) => message.type === 'search');
    assert.ok(search);
    this.onmessage?.({ data: { searchId: search.searchId, found: [['1', [0, 1]]], done } });
  }
}

describe('searcher of the find widget', () => {
  const pattern = { source: 'a', flags: 'gu' };
  const other = { source: 'b', flags: 'gu' };
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

  it('ends a search without an answer, although changes of a reply are searched meanwhile', () => {
    searcher.search(pattern, ['1'], 10);
    for (let tick = 0; tick < 4; tick++) {
      assert.deepEqual(events, []);
      searcher.search(pattern, ['1'], 10);
      pass(1);
    }
    assert.deepEqual(events, ['failed']);
    assert.ok(workers[0]?.ended);
  });

  it('lets a search take longer while it answers', () => {
    searcher.search(pattern, ['1'], 10);
    for (let answer = 0; answer < 5; answer++) {
      pass(3);
      workers[0]?.answer(false);
    }
    workers[0]?.answer(true);
    pass(10);
    assert.deepEqual(events, [...Array(5).fill('found'), 'done']);
    assert.equal(workers[0]?.ended, false);
  });

  it('repeats a search in a new worker, with all texts, if the one before blocks the worker', () => {
    searcher.search(pattern, ['1'], 10);
    pass(2);
    searcher.search(other, ['1'], 10);
    pass(2);
    assert.ok(workers[0]?.ended);
    assert.deepEqual(
      workers[1]?.messages.map((message) => (message.type === 'search' ? message.source : message.texts)),
      [[['1', 'a']], 'b'],
    );
    workers[1]?.answer(true);
    pass(10);
    assert.deepEqual(events, ['done']);
  });

  it('ignores the answers to an earlier search', () => {
    searcher.search(pattern, ['1'], 10);
    const [worker] = workers;
    searcher.search(other, ['1'], 10);
    worker?.onmessage?.({ data: { searchId: 1, found: [], done: true } });
    assert.deepEqual(events, []);
    worker?.answer(true);
    assert.deepEqual(events, ['done']);
  });
});
