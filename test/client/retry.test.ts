import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { withRetries } from '../../src/client/retry';
import { ServiceError, type ServiceErrorCode, type ServiceErrorDetails } from '../../src/client/serviceError';

function createError(code: ServiceErrorCode, details: Partial<ServiceErrorDetails> = {}): ServiceError {
  return new ServiceError(code, { operation: 'GET /bots', message: 'failed', maySend: false, ...details });
}

describe('withRetries', () => {
  let pauses: number[];
  /** Whether the pauses end. */
  let passes: boolean;

  beforeEach(() => {
    pauses = [];
    passes = true;
    const { setTimeout } = globalThis;
    mock.method(globalThis, 'setTimeout', (end: () => void, ms: number) => {
      pauses.push(ms);
      return passes ? setTimeout(end, 0) : undefined;
    });
  });
  afterEach(() => mock.restoreAll());

  /** Returns how many attempts are made when each fails with the error. */
  async function countAttempts(error: unknown, signal?: AbortSignal): Promise<number> {
    let count = 0;
    const attempt = async () => {
      count++;
      throw error;
    };
    await assert.rejects(withRetries(attempt, signal), (reason) => reason === error);
    return count;
  }

  it('doubles the pause after each attempt, with jitter', async () => {
    for (const [random, expected] of [
      [0, [125, 250]],
      [0.5, [250, 500]],
    ] as const) {
      pauses = [];
      mock.method(Math, 'random', () => random);
      assert.equal(await countAttempts(createError('interrupted')), 3);
      assert.deepEqual(pauses, expected);
    }
  });

  it('waits for a Retry-After of up to 10 s', async () => {
    assert.equal(await countAttempts(createError('rateLimited', { status: 429, retryAfterMs: 10_000 })), 3);
    assert.deepEqual(pauses, [10_000, 10_000]);
    assert.equal(await countAttempts(createError('rateLimited', { status: 429, retryAfterMs: 10_001 })), 1);
  });

  it('repeats only what may pass', async () => {
    for (const status of [429, 502, 503, 504]) {
      assert.equal(await countAttempts(createError('service', { status })), 3, `${status}`);
    }
    for (const status of [400, 404, 500]) {
      assert.equal(await countAttempts(createError('interrupted', { status })), 1, `${status}`);
    }
    for (const reason of ['certificate', 'tls', 'proxy']) {
      assert.equal(await countAttempts(createError('unreachable', { reason })), 1, reason);
    }
    for (const reason of ['dns', 'refused', 'reset', 'network']) {
      assert.equal(await countAttempts(createError('unreachable', { reason })), 3, reason);
    }
    assert.equal(await countAttempts(createError('interrupted', { status: 200 })), 3);
    assert.equal(await countAttempts(createError('timeout')), 1);
    assert.equal(await countAttempts(new Error('no ServiceError')), 1);
  });

  it('leaves no listener at the signal of the caller', async () => {
    const { signal } = new AbortController();
    assert.equal(await countAttempts(createError('interrupted'), signal), 3);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  for (const when of ['before', 'during']) {
    it(`makes no other attempt when the caller aborts ${when} the pause`, async () => {
      passes = false;
      const controller = new AbortController();
      let count = 0;
      const attempt = async () => {
        count++;
        if (when === 'before') controller.abort();
        else setImmediate(() => controller.abort());
        throw createError('interrupted');
      };
      await assert.rejects(withRetries(attempt, controller.signal), (error) => {
        assert.ok(error instanceof ServiceError && error.name === 'ServiceError');
        assert.deepEqual([error.code, error.operation, error.maySend], ['aborted', 'GET /bots', true]);
        assert.match(error.message, /aborted by the caller/);
        return true;
      });
      assert.equal(count, 1);
    });
  }
});
