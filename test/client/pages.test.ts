import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collect, readPages } from '../../src/client/pages';
import { ServiceClient } from '../../src/client/serviceClient';
import { createNodeFetch } from '../../src/host/platform/nodeFetch';

describe('readPages', () => {
  const counts: readonly (readonly [
    what: string,
    items: number,
    nextPage: (page: number) => number | undefined,
    requests: number,
  ])[] = [
    ['reads at most 50 pages', 1, (page) => page + 1, 50],
    ['ends at a page that names no other', 1, (page) => (page < 3 ? page + 1 : undefined), 3],
    ['ends at a page that names itself', 1, (page) => page, 1],
    ['ends at a page that names an earlier one', 1, (page) => (page < 3 ? page + 1 : 2), 3],
    ['ends when 10,000 items are read', 5000, (page) => page + 1, 2],
  ];
  for (const [what, size, getNextPage, expected] of counts) {
    it(what, async () => {
      let requests = 0;
      const pages = readPages(async (page) => {
        requests++;
        return { items: Array.from({ length: size }, () => page), nextPage: getNextPage(page ?? 1) };
      });
      assert.deepEqual([(await collect(pages)).length, requests], [size * expected, expected]);
    });
  }

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
