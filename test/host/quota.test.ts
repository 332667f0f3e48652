import assert from 'node:assert/strict';
import { Quota } from '../../src/host/quota';
import { MemoryState } from './support/memory';

const URL = 'https://bots.example.com/api/v1';
const DAY_MS = 24 * 60 * 60 * 1000;

describe('Quota', () => {
  let now = 0;
  let quota: Quota;
  const send = (count: number) => {
    for (let sent = 0; sent < count; sent++)
      quota.record(URL, { operation: 'POST /messages/stream', status: 200, durationMs: 1 });
  };

  beforeEach(() => {
    now = 1_739_534_400_000;
    quota = new Quota(new MemoryState(), () => now);
  });

  it('counts messages where the service tells no cost', () => {
    send(3);
    assert.deepEqual(quota.estimate(URL), { messages: 3 });
    assert.deepEqual(quota.estimate('https://other.example.com'), { messages: 0 });
  });

  it('counts credits where the service tells them, and one for each other message', () => {
    send(3);
    quota.recordCredits(URL, 2.5);
    quota.recordCredits(URL, 0);
    assert.deepEqual(quota.estimate(URL), { messages: 3, credits: 3.5 });
  });

  it('forgets both after 30 days, and not with the limit', () => {
    send(1);
    quota.recordCredits(URL, 4);
    quota.record(URL, { operation: 'POST /messages', status: 402, durationMs: 1 });
    assert.deepEqual(quota.estimate(URL), { messages: 1, credits: 4 });
    now += 31 * DAY_MS;
    assert.deepEqual(quota.estimate(URL), { messages: 0 });
  });
});
