import type { ApiCall } from './apiCall';

/** A page of a list. */
interface ListPage {
  /** The items of this page, of all pages, and of a full page. */
  readonly count: number;
  readonly total: number;
  readonly perPage: number;
  /** The number of this page, from 1. */
  readonly page: number;
  readonly totalPages: number;
  /** The numbers of the pages after and before; null without one. */
  readonly next: number | null;
  readonly previous: number | null;
}

/** The host of a list's links is one that clients can't reach: only the page number may be used. */
const LINKED_LIST = 'https://api.internal.example/api/v1/list';

const toUrl = (page: number | null) => (page === null ? null : `${LINKED_LIST}?page=${page}`);

const toPagination = (pagination: object) => ({ meta: { pagination } });

const toSizes = ({ total, count, perPage }: ListPage) => ({ total, count, per_page: perPage });

/** Page numbers as they are documented, with another form for each number. */
const toNumberedPagination = (page: ListPage, format: (page: number | null) => unknown) => {
  const [next_page, previous_page] = [format(page.next), format(page.previous)];
  return toPagination({ ...toSizes(page), total_pages: page.totalPages, next_page, previous_page });
};

/** How a list tells of its next page: what its body has beside `data`. */
export const pageStyles = {
  nextPage: (page: ListPage) => toNumberedPagination(page, (number) => number),
  nextPageText: (page: ListPage) => toNumberedPagination(page, (number) => number && String(number)),
  nextPageUrl: (page: ListPage) => toNumberedPagination(page, toUrl),
  /** As captured in 2023. */
  links: (page: ListPage) =>
    toPagination({
      ...toSizes(page),
      current_page: page.page,
      total_pages: page.totalPages,
      links: {
        ...(page.previous && { previous: toUrl(page.previous) }),
        ...(page.next && { next: toUrl(page.next) }),
      },
    }),
  topLinks: ({ next, previous }: ListPage) => ({ links: { prev: toUrl(previous), next: toUrl(next) } }),
  totalPages: ({ page, totalPages }: ListPage) =>
    toPagination({ current_page: page, total_pages: totalPages }),
  lastPage: ({ page, totalPages }: ListPage) => toPagination({ current_page: page, last_page: totalPages }),
  none: (_: ListPage) => ({}),
} as const;

export type PageStyle = keyof typeof pageStyles;

const MAX_PAGE_SIZE = 100;

/**
 * Returns the requested page of `items` and what its body has beside `data`, or all items if the service
 * doesn't page.
 */
export function paginate<T>(
  { state: { settings }, query }: Pick<ApiCall, 'state' | 'query'>,
  items: readonly T[],
  defaultSize = settings.pageSize,
) {
  if (!settings.paging) return { data: items };
  const read = (name: string, fallback: number) => {
    const asked = settings.ignoresPage ? undefined : Math.trunc(Number(query.get(name)));
    return Math.max(asked || fallback, 1);
  };
  const perPage = Math.min(read('per_page', defaultSize), MAX_PAGE_SIZE);
  const page = read('page', 1);
  const totalPages = Math.max(Math.ceil(items.length / perPage), 1);
  const data = items.slice((page - 1) * perPage, page * perPage);
  const hints = pageStyles[settings.pageStyle]({
    count: data.length,
    total: items.length,
    perPage,
    page,
    totalPages,
    next: page < totalPages ? page + 1 : null,
    previous: page > 1 ? page - 1 : null,
  });
  return { data, ...hints };
}
