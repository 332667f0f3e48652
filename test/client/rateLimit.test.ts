import assert from 'node:assert/strict';
import { RateLimit } from '../../src/client/rateLimit';
import { createClient, getServiceError } from './support/clients';
import { json, startServer, stopServers } from './support/servers';

const NOW = 1_739_534_400_000;

function createResponse(headers: Record<string, string>, status = 200): Response {
  return new Response(null, { status, headers });
}

function createHeaders(remaining: number, resetInSeconds: number, limit = 60): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(NOW / 1000 + resetInSeconds),
  };
}

describe('RateLimit', () => {
  let rateLimit: RateLimit;
  beforeEach(() => {
    rateLimit = new RateLimit();
  });

  it('does not delay when the service sends no rate limit', () => {
    rateLimit.update(createResponse({}), NOW);
    rateLimit.update(createResponse({ 'x-ratelimit-remaining': '0' }), NOW);
    rateLimit.update(createResponse({ 'x-ratelimit-remaining': 'none', 'x-ratelimit-reset': '-1' }), NOW);
    assert.equal(rateLimit.getDelay(NOW), 0);
  });

  it('delays until the reset when only a tenth of the limit is left', () => {
    rateLimit.update(createResponse(createHeaders(7, 20)), NOW);
    assert.equal(rateLimit.getDelay(NOW), 0);
    rateLimit.update(createResponse(createHeaders(6, 20)), NOW);
    assert.equal(rateLimit.getDelay(NOW), 20_000);
    assert.equal(rateLimit.getDelay(NOW + 15_000), 5000);
    assert.equal(rateLimit.getDelay(NOW + 20_000), 0);
  });

  it('reserves up to half of a small limit', () => {
    rateLimit.update(createResponse(createHeaders(1, 20, 3)), NOW);
    assert.equal(rateLimit.getDelay(NOW), 20_000);
    rateLimit.update(createResponse(createHeaders(2, 20, 3)), NOW);
    assert.equal(rateLimit.getDelay(NOW), 0);
  });

  it('counts a request as soon as it is sent', () => {
    rateLimit.update(createResponse(createHeaders(7, 20)), NOW);
    rateLimit.countRequest();
    assert.equal(rateLimit.getDelay(NOW), 20_000);
  });

  it('counts a response once, however often it is reported', () => {
    const first = rateLimit.countRequest();
    rateLimit.countRequest();
    first();
    first();
    rateLimit.update(createResponse(createHeaders(7, 20)), NOW);
    assert.equal(rateLimit.getDelay(NOW), 20_000);
  });

  it('keeps what it knows when a response has no valid counts', () => {
    for (const remaining of ['', '-1', '+6', '6x', 'x6', '6 6', '1'.repeat(16)]) {
      rateLimit.update(createResponse(createHeaders(6, 20)), NOW);
      rateLimit.update(createResponse({ ...createHeaders(60, 20), 'x-ratelimit-remaining': remaining }), NOW);
      assert.equal(rateLimit.getDelay(NOW), 20_000, remaining);
    }
    rateLimit.update(createResponse({ 'x-ratelimit-remaining': '60' }), NOW);
    rateLimit.update(createResponse({ 'x-ratelimit-reset': '0' }), NOW);
    assert.equal(rateLimit.getDelay(NOW), 20_000);
    rateLimit.update(createResponse({ ...createHeaders(60, 20), 'x-ratelimit-remaining': ' 60 ' }), NOW);
    assert.equal(rateLimit.getDelay(NOW), 0);
  });

  it('counts requests in progress', () => {
    const first = rateLimit.countRequest();
    const second = rateLimit.countRequest();
    first();
    rateLimit.update(createResponse(createHeaders(7, 20)), NOW);
    assert.equal(rateLimit.getDelay(NOW), 20_000);
    second();
    second();
    rateLimit.update(createResponse(createHeaders(7, 20)), NOW);
    assert.equal(rateLimit.getDelay(NOW), 0);
  });

  it("converts the reset from the service's clock, and never delays for more than a minute", () => {
    rateLimit.update(createResponse(createHeaders(0, -3590)), NOW, NOW - 3_600_000);
    assert.equal(rateLimit.getDelay(NOW), 10_000);
    rateLimit.update(createResponse(createHeaders(0, 3600)), NOW);
    assert.equal(rateLimit.getDelay(NOW), 60_000);
  });

  it('delays for as long as a 429 says', () => {
    rateLimit.update(createResponse({ 'retry-after': '7' }, 429), NOW);
    assert.equal(rateLimit.getDelay(NOW), 7000);
    rateLimit.update(createResponse({ 'retry-after': '2' }, 429), NOW);
    rateLimit.update(createResponse({ 'retry-after': '9' }, 503), NOW);
    assert.equal(rateLimit.getDelay(NOW), 7000);
  });
});

describe('ServiceClient.rateLimit', () => {
  afterEach(stopServers);

  it('reads the headers of the API, including those of failures, but of no other origin', async () => {
    const reset = Math.ceil(Date.now() / 1000) + 1000;
    const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    const storage = await startServer(json({}, 200, headers));
    const server = await startServer(json({}, 500, headers));
    const { client } = createClient(server.origin);
    const file = { size: 1, open: () => new Blob(['a']) };
    await client.putFile({ url: `${storage.origin}/a`, contentType: 'text/plain', file });
    assert.equal(client.rateLimit.getDelay(Date.now()), 0);
    await getServiceError(client.listBots(), 'service');
    assert.ok(client.rateLimit.getDelay(Date.now()) > 0);
  });
});
