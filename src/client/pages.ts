import { MAX_ITEMS, type Page } from './models';

/** Limits a list that never ends. */
const MAX_PAGES = 50;

/**
 * Yields the items of a paged list, reading each page when the previous one is used up. Requests the first
 * page without a number, because a service that doesn't page has none. Throws what `read` throws.
 */
export async function* readPages<T>(
  read: (page: number | undefined) => Promise<Page<T>>,
  maxPages = MAX_PAGES,
): AsyncGenerator<T, void, undefined> {
  let page: number | undefined;
  let left = MAX_ITEMS;
  for (let count = 0; count < maxPages; count++) {
    const { items, nextPage } = await read(page);
    yield* items.slice(0, left);
    left -= items.length;
    // Avoid an endless loop if a service names the same page again, or an earlier one.
    if (left <= 0 || nextPage === undefined || nextPage <= (page ?? 1)) return;
    page = nextPage;
  }
}

/** Reads all items of a list. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
