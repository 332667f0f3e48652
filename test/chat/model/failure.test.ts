import assert from 'node:assert/strict';
import * as v from 'valibot';
import { FileChangedError, failureSchema, returnsText, toFailure } from '../../../src/chat/model/failure';
import { ServiceError } from '../../../src/client/serviceError';

describe('A failure', () => {
  it('has what the service’s error says, and nothing else', () => {
    const details = {
      status: 429,
      serviceMessage: 'Slow down.',
      fieldErrors: { name: ['too long'] },
      reason: 'busy',
    };
    const about = { operation: 'GET /bots', message: 'x', maySend: true };
    assert.deepEqual(
      toFailure(new ServiceError('rateLimited', { ...about, ...details, retryAfterMs: 5 }), 100),
      {
        code: 'rateLimited',
        maySend: true,
        ...details,
        retryAt: 105,
      },
    );
    assert.deepEqual(toFailure(new ServiceError('timeout', { ...about, maySend: false }), 100), {
      code: 'timeout',
      maySend: false,
    });
    assert.deepEqual(toFailure(new Error('a bug'), 100), { code: 'internal', maySend: false });
  });

  it('is a changed file if that is one of the first five causes', () => {
    const wrap = (depth: number): Error =>
      depth === 0 ? new FileChangedError('a.txt') : new Error('wrapped', { cause: wrap(depth - 1) });
    for (let depth = 0; depth < 7; depth++) {
      const expected =
        depth < 5 ? { code: 'fileChanged', maySend: true } : { code: 'internal', maySend: false };
      assert.deepEqual(toFailure(wrap(depth), 0), expected, `${depth}`);
    }
    assert.equal(toFailure('text', 0).code, 'internal');
    assert.equal(new FileChangedError('a.txt').name, 'FileChangedError');
  });

  it('is internal if it was stored with a code that isn’t known', () => {
    assert.equal(v.parse(failureSchema, { code: 'new', maySend: false }).code, 'internal');
    assert.equal(v.parse(failureSchema, { code: 'flagged', maySend: false }).code, 'flagged');
  });

  it('returns the text to the composer if the text must change or wait', () => {
    for (const code of ['quotaReached', 'validation'] as const)
      assert.ok(returnsText({ code, maySend: true }));
    assert.ok(!returnsText({ code: 'timeout', maySend: true }));
  });
});
