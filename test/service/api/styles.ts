import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';

/**
 * How answers show a value, where services differ. A profile names a line of each table; the next habit of a
 * service is another line. `shapes.ts` applies them.
 */

/** How a time is sent, from Unix seconds. */
export const timeStyles = {
  seconds: (seconds: number) => seconds,
  text: (seconds: number) => String(seconds),
  milliseconds: (seconds: number) => seconds * 1000,
  iso: (seconds: number) => new Date(seconds * 1000).toISOString(),
} as const;

/** How a boolean is sent. */
export const flagStyles = {
  boolean: (flag: boolean) => flag,
  number: (flag: boolean) => (flag ? 1 : 0),
  text: (flag: boolean) => String(flag),
} as const;

/** The name under which a document is listed, from the name with which it was registered. */
export const documentNameStyles = {
  asSent: (name: string) => name,
  withoutExtension: (name: string) => name.slice(0, name.length - extname(name).length),
  /** With other case and punctuation: `release-notes.md` is listed as `Release Notes.md`. */
  changed(name: string) {
    const extension = extname(name);
    const words = documentNameStyles.withoutExtension(name).split(/[^\p{L}\p{N}]+/u);
    return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') + extension;
  },
} as const;

/** Which sources of a message a list shows, and how. */
export const listedSourceStyles = {
  all: (sources: readonly object[]): object => sources,
  first: (sources: readonly object[]): object => sources.slice(0, 1),
  /** `{ "0": {…}, "1": {…} }` */
  numbered: (sources: readonly object[]): object => ({ ...sources }),
} as const;

let lastId = 0;

/** The IDs of records; those of bots are fixed. */
export const idStyles = {
  uuid: () => randomUUID() as string,
  /** As the hosted service's. */
  short: () => randomUUID().replaceAll('-', '').slice(0, 12),
  /** Sent as a number. */
  number: () => String(++lastId),
} as const;

/** How a single field is sent. */
export const fieldStyles = {
  null: () => null,
  /** Null in every other record. */
  sometimesNull: (value: unknown, isOdd: boolean) => (isOdd ? null : value),
  object: (value: unknown) => ({ value }),
  list: (value: unknown) => [value],
  /** A text of digits as a number, as PHP does with JSON_NUMERIC_CHECK. */
  number: (value: unknown) =>
    typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value,
} as const;

/** What a body may look like that isn't as documented. Each is applied to every JSON body of a success, in this order. */
export const bodyStyles = {
  /** `{ data: … }` without the wrapper, if nothing is beside it. */
  bare: (body: unknown) => (isRecord(body) && Object.keys(body).join() === 'data' ? body.data : body),
  /** Fields that nobody knows, in every record. */
  unknownFields: (body: unknown) =>
    mapJson(body, (value) => (isRecord(value) ? { ...value, ...UNKNOWN_FIELDS } : value)),
  /** A single record beside an empty `data`. */
  emptyData(body: unknown) {
    const single = isRecord(body) && isRecord(body.data) ? body.data : body;
    return isRecord(single) && !('data' in single) ? { ...single, data: {} } : body;
  },
  /** A list as PHP writes one with gaps: `{ "0": …, "2": … }`. */
  numbered(body: unknown): unknown {
    if (isRecord(body) && Array.isArray(body.data)) return { ...body, data: bodyStyles.numbered(body.data) };
    if (!Array.isArray(body) || body.length === 0) return body;
    return Object.fromEntries(body.map((item, index) => [2 * index, item]));
  },
  /** The numbers of the pages as text. */
  textNumbers: (body: unknown) =>
    isRecord(body) && 'meta' in body
      ? { ...body, meta: mapJson(body.meta, (value) => (typeof value === 'number' ? String(value) : value)) }
      : body,
} as const;

const UNKNOWN_FIELDS = {
  success: true,
  message: 'OK',
  errors: [],
  updated_at: '2025-02-14',
  deleted_at: null,
  user: { id: 1, name: 'Ada', data: [{ id: 2 }] },
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Changes all values of a JSON value, from the inside out. */
function mapJson(json: unknown, change: (value: unknown) => unknown): unknown {
  return JSON.parse(JSON.stringify(json), (_, value: unknown) => change(value));
}

export type IdStyle = keyof typeof idStyles;
export type FieldStyle = keyof typeof fieldStyles;
export type BodyStyle = keyof typeof bodyStyles;
export type TimeStyle = keyof typeof timeStyles;
export type FlagStyle = keyof typeof flagStyles;
export type DocumentNameStyle = keyof typeof documentNameStyles;
export type ListedSourceStyle = keyof typeof listedSourceStyles;
