import assert from 'node:assert/strict';
import type { LocalService } from './localService';
import { call, createConversation, requestStreamUrl, sendRaw, upload } from './support/testCalls';
import { withLocalService } from './support/withLocalService';

describe('local service: HTTP control', () => {
  let service: LocalService;
  const restart = withLocalService(
    (started) => {
      service = started;
    },
    { profile: 'hosted', conversionMs: Number.POSITIVE_INFINITY, limits: { requests: 2 } },
  );

  const control = async (operation: string, body?: unknown, key = service.key) => {
    const [method = '', path = ''] = operation.split(' ');
    const response = await fetch(`${service.apiOrigin}/local/${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

  it('rejects a wrong key, an unknown fault and unknown resources', async () => {
    assert.equal((await control('DELETE faults', undefined, 'wrong')).status, 401);
    assert.equal((await control('POST faults', { name: 'toString' })).status, 422);
    assert.equal((await control('POST scripts/3', {})).status, 404);
    assert.equal((await control('POST conversions/none', {})).status, 404);
    assert.equal((await control('GET nothing')).status, 404);
  });

  it('injects faults and clears them', async () => {
    const fault = { name: 'status', on: 'GET /bots', status: 503, times: 2 };
    assert.equal((await control('POST faults', fault)).status, 200);
    assert.equal((await call(service, 'GET /bots')).status, 503);
    await control('DELETE faults');
    assert.equal((await call(service, 'GET /bots')).status, 200);
  });

  it('scripts a reply in several steps', async () => {
    const { body } = await control('POST scripts', { chunks: ['one ', 'two '] });
    const reply = sendRaw(await requestStreamUrl(service));
    await control(`POST scripts/${body.number}`, { chunks: ['three'], end: { flagged: true } });
    assert.match((await reply).body, /"one "[\s\S]*"two "[\s\S]*"three"[\s\S]*\[END\]/);
    assert.equal([...service.messages.values()].at(-1)?.flagged, true);
    await control('POST scripts', { chunks: ['cut'], end: 'close' });
    assert.doesNotMatch((await sendRaw(await requestStreamUrl(service))).body, /END/);
  });

  it('lists documents and ends conversions', async () => {
    await upload(service, await createConversation(service), 'my notes.txt', 'x');
    const status = async () => (await call(service, 'GET /documents')).body.data[0]?.status;
    await control('POST conversions/my%20notes.txt', { result: 'syncing' });
    assert.equal(await status(), 'syncing');
    await control('POST conversions/my%20notes.txt', { result: 'sync_failed' });
    assert.equal(await status(), 'sync_failed');
  });

  it('publishes late replies', async () => {
    await restart({ historyDelayMs: Number.POSITIVE_INFINITY });
    assert.equal((await control('POST history', {})).status, 404);
    await control('POST scripts', { chunks: ['late'], end: 'close' });
    await sendRaw(await requestStreamUrl(service));
    const count = async () => (await call(service, 'GET /messages')).body.data.length;
    assert.equal(await count(), 1);
    assert.equal((await control('POST history', {})).status, 200);
    assert.equal(await count(), 2);
  });

  it('returns the latest requests without those to the control itself', async () => {
    for (const path of ['/bots', '/documents', '/messages']) await call(service, `GET ${path}`);
    const { data } = (await control('GET requests')).body;
    assert.deepEqual(
      data.map(({ path }: { path: string }) => path),
      ['/api/v1/documents', '/api/v1/messages'],
    );
  });
});
