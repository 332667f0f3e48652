import type { Operation } from './api/operations';
import { type OptionalField, optionalFields } from './api/optionalFields';
import type { PageStyle } from './api/pages';
import type {
  BodyStyle,
  DocumentNameStyle,
  FieldStyle,
  FlagStyle,
  IdStyle,
  ListedSourceStyle,
  TimeStyle,
} from './api/styles';

/** A service's behavior where the contract leaves a choice. `docs/service.md` has the facts. */
export interface Profile {
  /** Operations that the service doesn't have: they answer 404, or 405 where the path has other methods. */
  readonly missing: readonly Operation[];
  /** Operations that answer with an empty body on success. */
  readonly empty: readonly Operation[];
  /** Fields omitted from every record. */
  readonly omit: readonly OptionalField[];
  /** Errors have a body only where the contract shows one. */
  readonly bareErrors: boolean;
  /** Lists have pages, and tell of them if they are wrapped. */
  readonly paging: boolean;
  /** How a list tells of its next page. */
  readonly pageStyle: PageStyle;
  /** Lists ignore `page` and `per_page`: they always answer with their first page. */
  readonly ignoresPage: boolean;
  /** The items of a page unless the query says `per_page`, and of a page of messages. */
  readonly pageSize: number;
  readonly messagePageSize: number;
  /** GET /messages lists the newest message first. */
  readonly newestFirst: boolean;
  /** Lists that ignore `conversation_id`: they have the items of all conversations. */
  readonly ignoresConversation: readonly Operation[];
  /** POST /uploads/signed-url answers `{ data: { url, key } }`, as in the contract's usage example. */
  readonly wrapSigned: boolean;
  /** GET /messages answers `{ data: [...], meta }` instead of the contract's array. */
  readonly wrapMessages: boolean;
  /** In lists, a message's single source is an object; elsewhere, sources are always an array. */
  readonly sourceAsObject: boolean;
  /** Which sources of a message a list shows. */
  readonly listedSources: ListedSourceStyle;
  /** The names under which documents are listed. */
  readonly documentNames: DocumentNameStyle;
  /** How `created_at` is sent. */
  readonly times: TimeStyle;
  /** How booleans that the contract doesn't promise are sent, such as `machine`. */
  readonly flags: FlagStyle;
  readonly ids: IdStyle;
  /** Fields that are sent in another form, or not at all. */
  readonly fields: Readonly<Partial<Record<OptionalField, FieldStyle>>>;
  /** Forms of a body other than the documented one. */
  readonly bodies: readonly BodyStyle[];
  /** The service doesn't name the conversations that it opens itself: their `name` is null. */
  readonly nullNames: boolean;
  /** Streams have comments, ids and named events in between, and blanks after `[END]`. */
  readonly streamNoise: boolean;
  /**
   * The time from the break of a reply's connection until the history has the whole reply; until then, it has the
   * question only. Infinity: until a test publishes it. 0: the history has what was sent so far, and gets no more.
   */
  readonly historyDelayMs: number;
  /** The time from the acceptance of a file until its document is listed. Infinity: until a test lists it. */
  readonly listingMs: number;
  /**
   * The time from the acceptance of a file until its document is `synced`. Infinity: until a test finishes
   * the conversion.
   */
  readonly conversionMs: number;
  /** Bots can read documents that are still being converted. */
  readonly readsUnconverted: boolean;
  /** The limit of concurrent conversions; another file is rejected with 429. */
  readonly maxConversions: number;
  /** Requests per minute before a 429; below Infinity, responses have `x-ratelimit-*` headers. */
  readonly requestsPerMinute: number;
  /** The folders from the start; clients can create more. */
  readonly folders: readonly { readonly id: string; readonly name: string }[];
  /** POST /documents/file requires `folder_id`. */
  readonly requiresFolder: boolean;
}

/** Answers everything immediately and completely. */
const LENIENT: Profile = {
  missing: [],
  empty: [],
  omit: ['message.usage'],
  bareErrors: false,
  paging: true,
  pageStyle: 'nextPage',
  ignoresPage: false,
  pageSize: 50,
  messagePageSize: 50,
  newestFirst: false,
  ignoresConversation: [],
  wrapSigned: false,
  wrapMessages: false,
  sourceAsObject: false,
  listedSources: 'all',
  documentNames: 'asSent',
  times: 'seconds',
  flags: 'boolean',
  ids: 'uuid',
  fields: {},
  bodies: [],
  nullNames: false,
  streamNoise: false,
  historyDelayMs: 0,
  listingMs: 0,
  conversionMs: 1500,
  readsUnconverted: true,
  maxConversions: Number.POSITIVE_INFINITY,
  requestsPerMinute: Number.POSITIVE_INFINITY,
  folders: [],
  requiresFolder: false,
};

/** The operations that aren't in the contract but publicly known. */
export const optionalOperations = [
  'GET /bots',
  'GET /conversations',
  'POST /documents',
  'GET /documents/{id}',
  'DELETE /documents/{id}',
  'GET /folders',
  'POST /folders',
  'GET /folders/{id}',
  'POST /folders/{id}',
] as const satisfies readonly Operation[];

/** Only what the contract shows. */
const MINIMAL: Profile = {
  ...LENIENT,
  missing: optionalOperations,
  empty: ['DELETE /conversations/{id}', 'GET /documents', 'POST /documents/file'],
  omit: optionalFields.filter((field) => /^(conversation|message)\./.test(field)),
  bareErrors: true,
  paging: false,
  conversionMs: 0,
};

/** The publicly known behavior of the hosted service, and the stricter choice where it is unknown. */
const HOSTED: Profile = {
  ...LENIENT,
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
  folders: [{ id: 'handbooks', name: 'Handbooks' }],
};

/** The untidy habits of the hosted service that captured answers show, and that its pages don't tell of. */
const CAPTURED: Profile = {
  ...HOSTED,
  pageStyle: 'links',
  pageSize: 15,
  messagePageSize: 10,
  newestFirst: true,
  listedSources: 'first',
  documentNames: 'withoutExtension',
  times: 'text',
  flags: 'number',
  nullNames: true,
  streamNoise: true,
  historyDelayMs: 2000,
  folders: [
    { id: 'handbooks', name: 'Handbooks' },
    { id: 'projects', name: 'Projects' },
  ],
  requiresFolder: true,
};

export const profiles = { lenient: LENIENT, minimal: MINIMAL, hosted: HOSTED, captured: CAPTURED } as const;

/** `lenient` is the default; older tests rely on it. */
export type ProfileName = keyof typeof profiles;
