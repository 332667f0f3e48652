import type { Operation } from './operations';
import { type OptionalField, optionalFields } from './shapes';

/** What a service does with the interface where the contract leaves it the choice. `docs/service.md` has the facts. */
export interface Profile {
  /** Operations the service doesn't have: 404, or 405 where the path has other methods. */
  readonly missing: readonly Operation[];
  /** Operations whose success has an empty body. */
  readonly empty: readonly Operation[];
  /** Fields left out of every record. */
  readonly omit: readonly OptionalField[];
  /** Errors have a body only where the contract shows one. */
  readonly bareErrors: boolean;
  /** Lists have pages, and `meta.pagination` where they are wrapped. */
  readonly paging: boolean;
  /** POST /uploads/signed-url answers `{ data: { url, key } }`, as the contract's usage example reads it. */
  readonly wrapSigned: boolean;
  /** GET /messages answers `{ data: [...], meta }` instead of the contract's array. */
  readonly wrapMessages: boolean;
  /** In lists, a message's only source is an object; elsewhere sources are always an array. */
  readonly sourceAsObject: boolean;
  /** From the acceptance of a file until its document is listed. Infinity: until a test lists it. */
  readonly listingMs: number;
  /** From the acceptance of a file until its document is `synced`. Infinity: until a test finishes the conversion. */
  readonly conversionMs: number;
  /** Bots read documents that are still being converted. */
  readonly readsUnconverted: boolean;
  /** Conversions at the same time; one more is refused with 429. */
  readonly maxConversions: number;
  /** Requests per minute before a 429; below Infinity, answers carry `x-ratelimit-*` headers. */
  readonly requestsPerMinute: number;
  /** Ids that `folder_id` may have. */
  readonly folders: readonly string[];
}

/** Answers everything at once and completely. */
const lenient: Profile = {
  missing: [],
  empty: [],
  omit: ['message.usage'],
  bareErrors: false,
  paging: true,
  wrapSigned: false,
  wrapMessages: false,
  sourceAsObject: false,
  listingMs: 0,
  conversionMs: 1500,
  readsUnconverted: true,
  maxConversions: Number.POSITIVE_INFINITY,
  requestsPerMinute: Number.POSITIVE_INFINITY,
  folders: [],
};

/** Operations that only the public facts tell of. */
export const optionalOperations = [
  'GET /bots',
  'GET /conversations',
  'POST /documents',
  'GET /documents/{id}',
  'DELETE /documents/{id}',
] as const satisfies readonly Operation[];

/** Only what the contract shows. */
const minimal: Profile = {
  ...lenient,
  missing: optionalOperations,
  empty: ['DELETE /conversations/{id}', 'GET /documents', 'POST /documents/file'],
  omit: optionalFields.filter((field) => /^(conversation|message)\./.test(field)),
  bareErrors: true,
  paging: false,
  conversionMs: 0,
};

/** What is publicly known about the hosted service, and the harder choice where that is open. */
const hosted: Profile = {
  ...lenient,
  empty: ['POST /documents/file', 'DELETE /documents/{id}'],
  omit: [],
  wrapSigned: true,
  wrapMessages: true,
  sourceAsObject: true,
  listingMs: 200,
  conversionMs: 1000,
  readsUnconverted: false,
  maxConversions: 10,
  requestsPerMinute: 1000,
  folders: ['handbooks'],
};

export const profiles = { lenient, minimal, hosted } as const;

/** `lenient`, the default, is what older tests rely on. */
export type ProfileName = keyof typeof profiles;
