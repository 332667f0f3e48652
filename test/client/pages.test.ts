import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collect } from '../../src/client/pages';
import { ServiceClient } from '../../src/client/serviceClient';
import { createNodeFetch } from '../../src/host/platform/nodeFetch';

describe('readPages', () => {
  it('stops after 10,000 items, however many pages follow', async () => {
    let requests = 0;
    const data = Array.from({ length: 4000 }, (_, index) => ({ id: index, name: 'a.txt' }));
    const server = createServer((_, response) => {
      requests++;
      response.end(JSON.stringify({ data, meta: { pagination: { next_page: requests + 1 } } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    const client = new ServiceClient({ baseUrl, apiKey: async () => 'key', fetch: createNodeFetch() });
    try {
      assert.equal((await collect(client.documents('c'))).length, 10_000);
      assert.equal(requests, 3);
    } finally {
      server.close();
    }
  });
});
