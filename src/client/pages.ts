import * as v from 'valibot';
import { isRecord, toList } from './models';
import { ServiceError } from './serviceError';

/** Limits a list that never ends. */
const MAX_PAGES = 50;
/** Maximum number of items read from a list: far more than a user looks through. */
export const MAX_ITEMS = 10_000;
/** No service has smaller pages: a shorter list that says nothing about pages is complete. */
const MIN_FULL_PAGE = 10;

/** One page of a list, with what the answer says about further ones (docs/service.md: Rules for every operation). */
export interface Page<T> {
  readonly items: readonly T[];
  /** Count of items in the answer that couldn't be read. */
  readonly skipped?: number;
  /** The number of the next page, or `none` if the answer says that there is none. */
  readonly next?: number | 'none' | undefined;
  /** The number of the last page. */
  readonly lastPage?: number | undefined;
  /** The number of items on all pages. */
  readonly total?: number | undefined;
}

/** A page with its number, and without the items of the pages before it. */
export interface NumberedPage<T> extends Page<T> {
  readonly number: number;
}

/** Parses a list as a bare array or as `{ data: [...] }`. Skips invalid items, so that they don't hide the others. */
export function listSchema<T>(item: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, Page<T>> {
  return v.pipe(
    v.unknown(),
    v.transform((body) => {
      const list = toList(body);
      return Array.isArray(list) ? { data: list } : body;
    }),
    v.looseObject({ data: v.pipe(v.unknown(), v.transform(toList), v.array(v.unknown())) }),
    v.transform((body): Page<T> => {
      // Items beyond the limit aren't parsed: a body of 16 MB can have millions of empty ones.
      const items = body.data.slice(0, MAX_ITEMS).flatMap((each) => {
        const read = v.safeParse(item, each);
        return read.success ? [read.output] : [];
      });
      return { items, skipped: body.data.length - items.length, ...readPagination(body) };
    }),
  );
}

/**
 * Yields the pages of a list, reading each when the one before it is used up. Requests the first page without a number,
 * because a service without pages has none. Ends at a page without new items, so that a service that ignores the number
 * is asked at most twice. Throws what `read` throws.
 */
export async function* readPages<T extends { readonly id: string }>(
  read: (page: number | undefined) => Promise<Page<T>>,
  { firstPage = 1, maxPages = MAX_PAGES }: { firstPage?: number; maxPages?: number } = {},
): AsyncGenerator<NumberedPage<T>, void, undefined> {
  const ids = new Set<string>();
  let fullCount = MIN_FULL_PAGE;
  let number: number | undefined = firstPage;
  for (let pages = 0; pages < maxPages && number !== undefined; pages++) {
    const page: Page<T> = await readOrEnd(read, number);
    const newItems = page.items.filter(({ id }) => !ids.has(id)).slice(0, MAX_ITEMS - ids.size);
    if (newItems.length === 0) return;
    const { size } = ids;
    for (const { id } of newItems) if (id !== '') ids.add(id);
    yield { ...page, number, items: newItems };
    if (ids.size === size || ids.size >= MAX_ITEMS) return;
    fullCount = Math.max(fullCount, countItems(page));
    number = findNextPage(page, number, ids.size, fullCount);
  }
}

/** Reads all items of a list. */
export async function collectItems<T>(pages: AsyncIterable<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

/** After the last page some services answer with an empty one and others with 404. */
async function readOrEnd<T>(
  read: (page: number | undefined) => Promise<Page<T>>,
  number: number,
): Promise<Page<T>> {
  try {
    return await read(number === 1 ? undefined : number);
  } catch (error) {
    if (number > 1 && error instanceof ServiceError && error.status === 404) return { items: [] };
    throw error;
  }
}

function findNextPage<T>(
  page: Page<T>,
  number: number,
  readItems: number,
  fullCount: number,
): number | undefined {
  const { next, lastPage, total } = page;
  const count = countItems(page);
  // A total below the number of items on one page is wrong.
  if (total !== undefined && total >= count && readItems >= total) return undefined;
  if (typeof next === 'number') return next > number ? next : undefined;
  if (lastPage !== undefined) return number < lastPage ? number + 1 : undefined;
  if (next === 'none') return undefined;
  return total !== undefined || count >= fullCount ? number + 1 : undefined;
}

/** Returns how many items an answer had. */
export function countItems<T>({ items, skipped = 0 }: Page<T>): number {
  return items.length + skipped;
}

/** Reads every known way of telling about further pages. */
function readPagination(
  body: Readonly<Record<string, unknown>>,
): Pick<Page<never>, 'next' | 'lastPage' | 'total'> {
  const meta = isRecord(body.meta) ? body.meta : {};
  const pagination = isRecord(meta.pagination) ? meta.pagination : {};
  const fields: Readonly<Record<string, unknown>> = { ...body, ...meta, ...pagination };
  const links = [pagination, meta, body].flatMap((part) => (isRecord(part.links) ? [part.links.next] : []));
  const hints = ['next_page', 'next_page_url'].flatMap((name) => (name in fields ? [fields[name]] : []));
  const candidates = [...hints, ...links];
  return {
    next:
      candidates.map(toPageNumber).find((page) => page !== undefined) ??
      (candidates.length > 0 ? 'none' : undefined),
    lastPage: toPageNumber(fields.total_pages) ?? toPageNumber(fields.last_page),
    total: toCount(fields.total),
  };
}

/** Reads the number of a page, also from a URL, of which nothing else is used: it may lead anywhere. */
function toPageNumber(value: unknown): number | undefined {
  const inUrl = typeof value === 'string' ? /[?&]page=(\d{1,9})(?:[&#]|$)/.exec(value)?.[1] : undefined;
  const number = toCount(value) ?? toCount(inUrl);
  return number === 0 ? undefined : number;
}

function toCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
