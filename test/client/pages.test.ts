import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectItems, type Page, readPages } from '../../src/client/pages';
import { ServiceClient } from '../../src/client/serviceClient';
import { createNodeFetch } from '../../src/host/platform/nodeFetch';

describe('readPages', () => {
  const createItems = (count: number, page: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${page}.${index}` }));
  const counts: readonly (readonly [
    what: string,
    size: number,
    getPage: (page: number) => Partial<Page<{ id: string }>>,
    requests: number,
  ])[] = [
    ['reads at most 50 pages', 1, (page) => ({ next: page + 1 }), 50],
    ['ends at a page that names no other', 1, (page) => ({ next: page < 3 ? page + 1 : 'none' }), 3],
    ['ends at a page that names itself', 1, (page) => ({ next: page }), 1],
    ['ends at a page that names an earlier one', 1, (page) => ({ next: page < 3 ? page + 1 : 2 }), 3],
    ['ends at the last page', 1, () => ({ lastPage: 3 }), 3],
    ['ends when all items are read', 4, (page) => ({ next: page + 1, total: 12 }), 3],
    [
      'ignores a total below the number of items',
      4,
      (page) => ({ total: 1, lastPage: 2, next: page + 1 }),
      50,
    ],
    ['ends when 10,000 items are read', 5000, (page) => ({ next: page + 1 }), 2],
    ['reads a short list that says nothing about pages once', 9, () => ({}), 1],
  ];
  for (const [what, size, getPage, expected] of counts) {
    it(what, async () => {
      let requests = 0;
      const pages = readPages(async (page = 1) => {
        requests++;
        return { items: createItems(size, page), ...getPage(page) };
      });
      assert.deepEqual([(await collectItems(pages)).length, requests], [size * expected, expected]);
    });
  }

  it('ends at a page that is empty or missing', async () => {
    for (const last of ['empty', 404, 500] as const) {
      const { client, requests } = await serve((page) =>
        page < 3 ? { body: createItems(10, page) } : last === 'empty' ? { body: [] } : { status: last },
      );
      const items = collectItems(readPages((page) => client.listBots({ page })));
      if (last === 500) await assert.rejects(items, { status: 500 });
      else assert.deepEqual([(await items).length, requests.length], [20, 3]);
    }
  });

  it('fails if the first page is missing', async () => {
    const { client } = await serve(() => ({ status: 404 }));
    await assert.rejects(collectItems(readPages((page) => client.listBots({ page }))), { status: 404 });
  });

  describe('reads each of 24 items once [fault 53]', () => {
    const all = createItems(24, 0);
    const slice = (page: number, size = 10) => all.slice((page - 1) * size, page * size);
    const paged = (getPagination: (page: number) => object, size?: number) => (page: number) => ({
      body: { data: slice(page, size), meta: { pagination: getPagination(page) } },
    });
    const nextOf = (page: number) => (page < 3 ? page + 1 : null);
    const elsewhere = 'https://attacker.example/api/v1/bots?per_page=10&page=';
    const styles: Readonly<Record<string, readonly [answer: (page: number) => Answer, requests: number]>> = {
      'next_page as a number': [paged((page) => ({ next_page: nextOf(page) })), 3],
      'next_page as text': [paged((page) => ({ next_page: nextOf(page)?.toString() ?? '' })), 3],
      'next_page as a URL': [paged((page) => ({ next_page: page < 3 ? elsewhere + (page + 1) : null })), 3],
      'the captured answer': [
        paged((page) => ({
          ...{ total: 24, count: slice(page).length, per_page: 10, current_page: page, total_pages: 3 },
          links: page < 3 ? { next: elsewhere + (page + 1) } : [],
        })),
        3,
      ],
      'links.next in the pagination': [
        paged((page) => ({ links: page < 3 ? { next: elsewhere + (page + 1) } : {} })),
        3,
      ],
      'links.next at the top level': [
        (page) => ({
          body: { data: slice(page), links: { next: page < 3 ? `?page=${page + 1}` : null } },
        }),
        3,
      ],
      'current_page and total_pages': [paged((page) => ({ current_page: page, total_pages: 3 })), 3],
      'last_page in meta': [
        (page) => ({ body: { data: slice(page), meta: { current_page: page, last_page: '3' } } }),
        3,
      ],
      'a total alone': [paged(() => ({ total: 24 }), 5), 5],
      'nothing, as long as pages are full': [(page) => ({ body: slice(page) }), 3],
      'nothing, with a last page that is full': [(page) => ({ body: slice(page, 12) }), 3],
      'all at once, whatever page was asked for': [() => ({ body: all }), 2],
      'all at once, with a total': [() => ({ body: { data: all, meta: { pagination: { total: 24 } } } }), 1],
      'an object with numbered keys': [(page) => ({ body: { data: { ...slice(page) }, total: 24 } }), 3],
      'pages that move by one while they are read': [
        (page) => ({ body: { data: all.slice(Math.max(0, (page - 1) * 10 - 1), page * 10), total: 24 } }),
        3,
      ],
    };
    for (const [style, [answer, expected]] of Object.entries(styles)) {
      it(`readPages reads each item once from ${style}`, async () => {
        const { client, requests } = await serve(answer);
        const items = await collectItems(readPages((page) => client.listBots({ page })));
        assert.deepEqual(
          items.map(({ id }) => id),
          all.map(({ id }) => id),
        );
        assert.equal(requests.length, expected);
        assert.ok(requests.every((path) => /^\/api\/v1\/bots(\?page=\d)?$/.test(path)));
      });
    }
  });

  it('ignores what can’t be the number of a page, even if it can’t be converted to text', async () => {
    const nested = JSON.parse(`${'['.repeat(1000)}1${']'.repeat(1000)}`);
    for (const hint of [{ toString: 1, valueOf: 1 }, nested, ['?page=2'], true, -1, 1.5, 'page=two']) {
      const { client, requests } = await serve(() => ({
        body: {
          data: createItems(1, 1),
          next_page: hint,
          links: { next: hint },
          total: hint,
          last_page: hint,
        },
      }));
      const items = await collectItems(readPages((page) => client.listBots({ page })));
      assert.deepEqual([items.length, requests.length], [1, 1], JSON.stringify(hint).slice(0, 50));
    }
  });

  it('stops after 10,000 items, however many pages follow', async () => {
    const { client, requests } = await serve((page) => ({
      body: { data: createItems(4000, page), meta: { pagination: { next_page: page + 1 } } },
    }));
    const documents = readPages((page) => client.listDocuments({ conversationId: 'c', page }));
    assert.deepEqual([(await collectItems(documents)).length, requests.length], [10_000, 3]);
  });

  interface Answer {
    readonly status?: number;
    readonly body?: unknown;
  }
  const servers: { close(): void }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** Starts a server that answers by the requested page, and returns a client of it and the paths of its requests. */
  async function serve(answer: (page: number) => Answer) {
    const requests: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      requests.push(url);
      const page = Number(new URL(url, 'http://service').searchParams.get('page') ?? 1);
      const { status = 200, body } = answer(page);
      response.writeHead(status).end(JSON.stringify(body));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    const options = { baseUrl, apiKey: async () => 'key', fetch: createNodeFetch() };
    return { client: new ServiceClient(options), requests };
  }
});
