import assert from 'node:assert/strict';
import type { LocalService, LocalServiceOptions } from '../localService';
import { call, createConversation } from '../support/testCalls';
import { withLocalService } from '../support/withLocalService';
import { type PageStyle, pageStyles } from './pages';

describe('local service: pages', () => {
  let service: LocalService;
  const restart = withLocalService((started) => {
    service = started;
  });
  /** Starts a service with 5 conversations on pages of 2. */
  const start = async (options: LocalServiceOptions) => {
    await restart({ pageSize: 2, ...options });
    for (let i = 0; i < 5; i++) await createConversation(service);
  };
  /** Returns the number of items and what the list's body has beside them. */
  const list = async (query = '') => {
    const { data, ...hints } = (await call(service, `GET /conversations${query}`)).body;
    return { items: data.length, hints };
  };
  const toUrl = (page: number) => `https://api.internal.example/api/v1/list?page=${page}`;
  const sizes = { total: 5, count: 2, per_page: 2 };

  const middlePages: Readonly<Record<PageStyle, object>> = {
    nextPage: { meta: { pagination: { ...sizes, total_pages: 3, next_page: 3, previous_page: 1 } } },
    nextPageText: { meta: { pagination: { ...sizes, total_pages: 3, next_page: '3', previous_page: '1' } } },
    nextPageUrl: {
      meta: { pagination: { ...sizes, total_pages: 3, next_page: toUrl(3), previous_page: toUrl(1) } },
    },
    links: {
      meta: {
        pagination: {
          ...{ ...sizes, current_page: 2, total_pages: 3 },
          links: { previous: toUrl(1), next: toUrl(3) },
        },
      },
    },
    topLinks: { links: { prev: toUrl(1), next: toUrl(3) } },
    totalPages: { meta: { pagination: { current_page: 2, total_pages: 3 } } },
    lastPage: { meta: { pagination: { current_page: 2, last_page: 3 } } },
    none: {},
  };
  for (const pageStyle of Object.keys(pageStyles) as PageStyle[]) {
    it(`lists tell of their next page by the style ${pageStyle}, and the last page of none`, async () => {
      await start({ pageStyle });
      assert.deepEqual(await list('?page=2'), { items: 2, hints: middlePages[pageStyle] });
      const last = await list('?page=3');
      assert.equal(last.items, 1);
      assert.doesNotMatch(JSON.stringify(last.hints), /"next(_page)?":[^n]|page=4/);
      assert.equal((await list('?page=4')).items, 0);
    });
  }

  it('a list that ignores the page always answers with the first one', async () => {
    await start({ pageStyle: 'links', ignoresPage: true });
    const first = await list();
    assert.deepEqual([first.items, first.hints.meta.pagination.current_page], [2, 1]);
    assert.deepEqual(await list('?page=3&per_page=5'), first);
    await start({ paging: false });
    assert.deepEqual(await list('?page=3'), { items: 5, hints: {} });
  });

  it('a list has as many items as the query says, up to 100', async () => {
    await start({});
    for (const [query, items] of [
      ['?per_page=4', 4],
      ['?per_page=1000', 5],
      ['?per_page=x', 2],
    ] as const) {
      assert.equal((await list(query)).items, items, query);
    }
  });

  it('pages of messages have their own size, and the newest message first if told to', async () => {
    const getContents = async (query = '') => {
      const { body } = await call(service, `GET /messages${query}`);
      return body.map(({ content }: { content: string }) => content);
    };
    for (const newestFirst of [false, true]) {
      await restart({ messagePageSize: 3, newestFirst });
      const conversation_id = await createConversation(service);
      for (const content of ['1', '2']) await call(service, 'POST /messages', { content, conversation_id });
      const pages = [await getContents(), await getContents('?page=2')];
      assert.deepEqual(pages, newestFirst ? [['2', '2', '1'], ['1']] : [['1', '1', '2'], ['2']]);
    }
  });
});
