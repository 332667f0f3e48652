import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { raceWithAbort } from '../../../src/chat/base/abort';

describe('raceWithAbort', () => {
  it('settles like the promise, or with the reason of the signal if that is aborted first', async () => {
    const { signal } = new AbortController();
    assert.equal(await raceWithAbort(Promise.resolve(1), signal), 1);
    await assert.rejects(raceWithAbort(Promise.reject(new Error('failed')), signal), /failed/);
    const controller = new AbortController();
    const raced = raceWithAbort(once(new EventEmitter(), 'never'), controller.signal);
    controller.abort(new Error('stopped'));
    await assert.rejects(raced, /stopped/);
  });

  it('leaves no rejection unhandled if the signal was aborted before', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(raceWithAbort(Promise.reject(new Error('failed')), stopped), /stopped/);
    // An unhandled rejection fails the test by then.
    await setImmediate();
  });
});
