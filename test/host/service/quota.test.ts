import assert from 'node:assert/strict';
import { Quota } from '../../../src/host/service/quota';
import { MemoryState } from '../support/memory';

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

  it('counts messages if the service reports no cost', () => {
    send(3);
    assert.deepEqual(quota.getEstimate(URL), { messages: 3 });
    assert.deepEqual(quota.getEstimate('https://other.example.com'), { messages: 0 });
  });

  it('counts reported credits, and one for each other message', () => {
    send(3);
    quota.recordCredits(URL, 2.5);
    quota.recordCredits(URL, 0);
    assert.deepEqual(quota.getEstimate(URL), { messages: 3, credits: 3.5 });
  });

  it('resets messages and credits after 30 days, not when the limit is reached', () => {
    send(1);
    quota.recordCredits(URL, 4);
    quota.record(URL, { operation: 'POST /messages', status: 402, durationMs: 1 });
    assert.deepEqual(quota.getEstimate(URL), { messages: 1, credits: 4 });
    now += 31 * DAY_MS;
    assert.deepEqual(quota.getEstimate(URL), { messages: 0 });
  });
});

describe('Message count', () => {
  const url = 'https://bots.example/api/v1';
  const DAY = 24 * 60 * 60 * 1000;
  const sent = { operation: 'POST /messages/stream', status: 200, durationMs: 1 };
  const refused = { ...sent, status: 402 };

  it('covers the last 30 days, for each service', () => {
    let now = 20_000 * DAY + 5;
    const quota = new Quota(new MemoryState(), () => now);
    for (let day = 0; day < 31; day++) {
      quota.record(url, sent);
      assert.equal(quota.getEstimate(url).messages, Math.min(day + 1, 30), `day ${day}`);
      now += DAY;
    }
    quota.record('https://other.example', sent);
    assert.deepEqual(
      [quota.getEstimate(url).messages, quota.getEstimate('https://other.example').messages],
      [29, 1],
    );
    now += 40 * DAY;
    assert.equal(quota.getEstimate(url).messages, 0);
    quota.dispose();
  });

  it('keeps the time when the limit was reached until a message is accepted or 30 days have passed', () => {
    let now = 20_000 * DAY;
    const quota = new Quota(new MemoryState(), () => now);
    quota.record(url, refused);
    now += DAY;
    quota.record(url, refused);
    assert.equal(quota.getReachedAt(url), 20_000 * DAY);
    now = 20_030 * DAY - 1;
    assert.equal(quota.getReachedAt(url), 20_000 * DAY);
    now++;
    assert.equal(quota.getReachedAt(url), undefined);
    quota.record(url, refused);
    quota.record(url, sent);
    assert.equal(quota.getReachedAt(url), undefined);
    quota.dispose();
  });

  it('includes accepted messages only', () => {
    const quota = new Quota(new MemoryState(), () => 0);
    for (const entry of [
      { ...sent, status: 500 },
      { ...sent, status: 422 },
      { operation: 'GET /bots', status: 200, durationMs: 1 },
      { operation: 'POST /messages/stream', durationMs: 1 },
    ]) {
      quota.record(url, entry);
    }
    assert.equal(quota.getEstimate(url).messages, 0);
    quota.dispose();
  });
});
