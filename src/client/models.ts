import * as v from 'valibot';
import { isBlank } from './plainText';
import { toUnixSeconds } from './unixTime';

/** Connects a bot and a user (docs/service.md: Conversations). Strings that the service omits are empty. */
export interface Conversation {
  readonly id: string;
  readonly name: string;
  readonly botId: string;
  /** Unix time in seconds. */
  readonly createdAt?: number | undefined;
}

/** One message of a conversation, from the user or a bot (docs/service.md: Messages). */
export interface Message {
  /** Empty if the service omits it. */
  readonly id: string;
  readonly content: string;
  readonly conversationId?: string | undefined;
  /** True for a reply. */
  readonly machine?: boolean | undefined;
  readonly failedResponding?: boolean | undefined;
  /** The service considers it a violation of its usage policy. */
  readonly flagged?: boolean | undefined;
  /** Unix time in seconds. */
  readonly createdAt?: number | undefined;
  readonly isWebSearch?: boolean | undefined;
  readonly sources: readonly Source[];
  /** Whether only one source was shown, as lists do: `GET /messages/{id}` may have more. */
  readonly mayHaveMoreSources?: boolean;
  readonly usage?: Usage | undefined;
}

/** The cost of a reply. */
export interface Usage {
  readonly tokens?: number;
  readonly credits?: number;
}

/** A source of a reply: a document, a web page, or something else. */
export interface Source {
  readonly type?: string | undefined;
  readonly documentId?: string | undefined;
  readonly documentName?: string | undefined;
  /** Untrusted: check it before opening it. */
  readonly documentUrl?: string | undefined;
  /** Unix time in seconds. */
  readonly createdAt?: number | undefined;
}

/**
 * The URL to PUT a file to, and the key that refers to it afterwards (docs/service.md: POST /uploads/signed-url).
 */
export interface SignedUpload {
  readonly url: string;
  readonly key: string;
}

/** A file on the service. */
export interface Document {
  readonly id: string;
  readonly name: string;
  /** The conversation that it was uploaded to, if the service says so. */
  readonly conversationId?: string | undefined;
  /** Such as `syncing`, while the service converts it. */
  readonly status?: string | undefined;
  /** Untrusted: check it before opening it. */
  readonly contentUrl?: string | undefined;
  /** Unix time in seconds. */
  readonly createdAt?: number | undefined;
  /** The folder that it is in, if the service says so. */
  readonly folderId?: string;
}

export interface Bot {
  readonly id: string;
  readonly name: string;
  /** Name of the language model that it uses. */
  readonly model?: string;
}

/** A folder on the service that documents lie in (docs/service.md: Folders). */
export interface Folder {
  readonly id: string;
  readonly name: string;
}

/** In UTF-16 code units; IDs are copied to the page with each change, and are part of URLs. */
const MAX_ID_LENGTH = 1000;
const id = v.union(
  // A lone surrogate can't be part of a URL.
  [
    v.pipe(v.string(), v.regex(/^\P{Surrogate}+$/u), v.maxLength(MAX_ID_LENGTH)),
    v.pipe(v.number(), v.safeInteger(), v.transform(String)),
  ],
  'no id',
);
/** In UTF-16 code units: longer than any signed URL. */
const MAX_URL_LENGTH = 10_000;
const address = v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_URL_LENGTH));
// Optional facts are read if they are present and have the right type
// (docs/service.md: Rules for every operation).
const optionalId = v.fallback(v.optional(id), undefined);
/** Some services send a text of digits as a number. */
const text = v.union([v.string(), v.pipe(v.number(), v.transform(String))]);
const optionalText = v.fallback(v.optional(text), undefined);
/** In UTF-16 code units: longer than any list shows and any file system allows. */
const MAX_NAME_LENGTH = 1000;
/** Truncates long names, because they are copied to the page with each change. */
export const nameSchema = v.pipe(text, v.transform(truncateName));
const optionalName = v.fallback(v.optional(nameSchema), undefined);
/** Drops a URL that is too long: a part of one would lead elsewhere. */
const optionalUrl = v.fallback(v.optional(v.pipe(v.string(), v.maxLength(MAX_URL_LENGTH))), undefined);
const optionalFlag = v.pipe(v.optional(v.unknown()), v.transform(toFlag));
const optionalTime = v.pipe(v.optional(v.unknown()), v.transform(toUnixSeconds));

/** Far above any real usage, and small enough that a sum of amounts stays finite. */
const MAX_AMOUNT = 1e12;
const optionalAmount = v.fallback(
  v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_AMOUNT))),
  undefined,
);

// Only documents have specified properties; other kinds are read by the usual names.
const sourceSchema = v.pipe(
  v.object({
    type: optionalName,
    document_id: optionalId,
    id: optionalId,
    document_name: optionalName,
    file_name: optionalName,
    name: optionalName,
    title: optionalName,
    document_url: optionalUrl,
    webpage_url: optionalUrl,
    url: optionalUrl,
    created_at: optionalTime,
  }),
  v.transform(
    (source): Source => ({
      type: source.type,
      documentId: source.document_id ?? source.id,
      documentName: source.document_name ?? source.file_name ?? source.name ?? source.title,
      documentUrl: source.document_url ?? source.webpage_url ?? source.url,
      createdAt: source.created_at,
    }),
  ),
);

/** More sources than anyone looks through; the page draws all of them. */
export const MAX_SOURCES = 500;

/**
 * Reads one source or many, wrapped in `data` or not: a list shows an object, a single message an array. Reads each
 * document once, not too many: all messages of a conversation are in memory while they are matched with its turns.
 */
const sourcesSchema = v.pipe(
  v.unknown(),
  v.transform((value) => {
    const data = toList(unwrap(value));
    const sources = new Map<string, Source>();
    for (const item of Array.isArray(data) ? data : [data]) {
      if (sources.size === MAX_SOURCES) break;
      const source = v.safeParse(sourceSchema, item);
      if (!source.success || Object.values(source.output).every((part) => part === undefined)) continue;
      const { documentId, documentUrl, documentName, type } = source.output;
      const key = documentId || documentUrl || documentName || type || '';
      if (!sources.has(key)) sources.set(key, source.output);
    }
    return { sources: [...sources.values()], isSingle: !Array.isArray(data) && sources.size > 0 };
  }),
);

const usageSchema = v.fallback(
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform(unwrap),
      v.object({ tokens: optionalAmount, credits: optionalAmount }),
      v.transform(({ tokens, credits }): Usage | undefined =>
        tokens === undefined && credits === undefined
          ? undefined
          : { ...(tokens !== undefined && { tokens }), ...(credits !== undefined && { credits }) },
      ),
    ),
  ),
  undefined,
);

export const conversationSchema = v.pipe(
  v.object({ id, name: optionalName, bot_id: optionalId, created_at: optionalTime }),
  v.transform(
    ({ id, name, bot_id, created_at }): Conversation => ({
      id,
      name: name ?? '',
      botId: bot_id ?? '',
      createdAt: created_at,
    }),
  ),
);

/** Far more documents than a conversation can have (docs/service.md: Focus). */
const MAX_DOCUMENT_IDS = 10_000;

/** Parses the document IDs of a conversation's focus, if the service returns them (docs/service.md: Focus). */
export const documentIdsSchema = v.pipe(
  v.object({
    document_ids: v.fallback(v.optional(v.pipe(v.array(id), v.maxLength(MAX_DOCUMENT_IDS))), undefined),
  }),
  v.transform(({ document_ids }) => document_ids),
);

export const messageSchema = v.pipe(
  v.object({
    id: optionalId,
    content: optionalText,
    conversation_id: optionalId,
    machine: optionalFlag,
    failed_responding: optionalFlag,
    flagged: optionalFlag,
    created_at: optionalTime,
    is_web_search: optionalFlag,
    sources: v.optional(sourcesSchema),
    usage: usageSchema,
  }),
  v.transform(
    (message): Message => ({
      id: message.id ?? '',
      content: message.content ?? '',
      conversationId: message.conversation_id,
      machine: message.machine,
      failedResponding: message.failed_responding,
      flagged: message.flagged,
      createdAt: message.created_at,
      isWebSearch: message.is_web_search,
      sources: message.sources?.sources ?? [],
      ...(message.sources?.isSingle && { mayHaveMoreSources: true }),
      usage: message.usage,
    }),
  ),
);

export const signedUploadSchema: v.GenericSchema<unknown, SignedUpload> = v.object({
  url: address,
  key: address,
});

export const documentSchema = v.pipe(
  v.object({
    id,
    name: optionalName,
    conversation_id: optionalId,
    status: optionalName,
    content_url: optionalUrl,
    folder_id: optionalId,
    created_at: optionalTime,
  }),
  v.transform(
    (document): Document => ({
      id: document.id,
      name: document.name ?? '',
      conversationId: document.conversation_id,
      status: document.status,
      contentUrl: document.content_url,
      createdAt: document.created_at,
      ...(document.folder_id !== undefined && { folderId: document.folder_id }),
    }),
  ),
);

/** A name that can't be seen is read as empty, and shown as the bot's ID. */
export const botSchema = v.pipe(
  v.object({ id, name: optionalName, model: optionalName }),
  v.transform(
    ({ id, name = '', model }): Bot => ({ id, name: isBlank(name) ? '' : name, ...(model && { model }) }),
  ),
);

/** A name that can't be seen is read as empty, as a bot's is. */
export const folderSchema = v.pipe(
  v.object({ id, name: optionalName }),
  v.transform(({ id, name = '' }): Folder => ({ id, name: isBlank(name) ? '' : name })),
);

export const streamUrlSchema = v.object({ stream_url: address });

/** Parses a single item, wrapped in `data` or not (docs/service.md: Rules for every operation). */
export function singleSchema<T>(item: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T> {
  const wrapped = v.pipe(v.unknown(), v.transform(unwrap), item);
  // An answer may have an empty `data` beside its fields.
  return v.lazy((body) => (v.is(wrapped, body) ? wrapped : item));
}

/** Returns the items of a list; PHP writes a list with gaps as an object with numbered keys. */
export function toList(value: unknown): unknown {
  if (!isRecord(value) || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : value;
}

export function truncateName(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH);
}

/** Returns what is in `data`, unless it is empty: then the fields are beside it. */
function unwrap(body: unknown): unknown {
  const data = isRecord(body) ? body.data : undefined;
  return isRecord(data) && Object.keys(data).length > 0 ? data : body;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Reads a boolean that a database may have stored as a number or a text. */
function toFlag(value: unknown): boolean | undefined {
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  if (value === false || value === 0 || value === '0' || value === 'false') return false;
  return undefined;
}
