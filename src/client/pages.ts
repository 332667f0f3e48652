import * as v from 'valibot';
import { MAX_ITEMS, type Page } from './models';

/** Limits a list that never ends. */
const MAX_PAGES = 50;

const pageNumber = v.fallback(
  v.optional(v.pipe(v.union([v.number(), v.pipe(v.string(), v.toNumber())]), v.safeInteger(), v.minValue(0))),
  undefined,
);
const pagination = v.object({ next_page: pageNumber, total: pageNumber });
const meta = v.fallback(v.optional(v.object({ pagination })), undefined);

/**
 * Parses a list as a bare array or as `{ data: [...], meta }` (docs/service.md: Rules for every operation). Skips
 * invalid items, so that they don't hide the others.
 */
export function listSchema<T>(item: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, Page<T>> {
  return v.pipe(
    v.unknown(),
    v.transform((body) => (Array.isArray(body) ? { data: body } : body)),
    v.object({ data: v.array(v.unknown()), meta }),
    v.transform(
      ({ data, meta }): Page<T> => ({
        // Items beyond the limit aren't parsed: a body of 16 MB can have millions of empty ones.
        items: data.slice(0, MAX_ITEMS).flatMap((each) => {
          const read = v.safeParse(item, each);
          return read.success ? [read.output] : [];
        }),
        nextPage: meta?.pagination.next_page,
        total: meta?.pagination.total,
      }),
    ),
  );
}

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
