import * as v from 'valibot';

/** Names a bot and a person in it (docs/service.md: Conversations). Strings that the service left out are empty. */
export interface Conversation {
  readonly id: string;
  readonly name: string;
  readonly botId: string;
  /** Unix time in seconds. */
  readonly createdAt?: number | undefined;
}

/** One message of a conversation, the person's or a bot's (docs/service.md: Messages). */
export interface Message {
  /** Empty where the service left it out. */
  readonly id: string;
  readonly content: string;
  readonly conversationId?: string | undefined;
  /** True for a reply. */
  readonly machine?: boolean | undefined;
  readonly failedResponding?: boolean | undefined;
  /** The service holds it to be against its usage policy. */
  readonly flagged?: boolean | undefined;
  /** Unix time in seconds. */
  readonly createdAt?: number | undefined;
  readonly isWebSearch?: boolean | undefined;
  readonly sources: readonly Source[];
  readonly usage?: Usage | undefined;
}

/** What a reply cost. */
export interface Usage {
  readonly tokens?: number;
  readonly credits?: number;
}

/** What a reply was generated from: a document, a page of the web, or another kind. */
export interface Source {
  readonly type?: string | undefined;
  readonly documentId?: string | undefined;
  readonly documentName?: string | undefined;
  /** The service's text: check it before it is opened. */
  readonly documentUrl?: string | undefined;
  /** Unix time in seconds. */
  readonly createdAt?: number | undefined;
}

/** Where to PUT a file, and the key that refers to it afterwards (docs/service.md: POST /uploads/signed-url). */
export interface SignedUpload {
  readonly url: string;
  readonly key: string;
}

/** A file that the service knows. */
export interface Document {
  readonly id: string;
  readonly name: string;
  /** Such as `syncing`, while the service converts it. */
  readonly status?: string | undefined;
  /** The service's text: check it before it is opened. */
  readonly contentUrl?: string | undefined;
  /** Unix time in seconds. */
  readonly createdAt?: number | undefined;
}

export interface Bot {
  readonly id: string;
  readonly name: string;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** To ask for next; missing on the last page, and where the service doesn't page. */
  readonly nextPage?: number | undefined;
  readonly total?: number | undefined;
}

const id = v.union(
  [v.pipe(v.string(), v.nonEmpty()), v.pipe(v.number(), v.safeInteger(), v.transform(String))],
  'no id',
);
const text = v.pipe(v.string(), v.nonEmpty());
// What the contract doesn't promise is read where it is present and of the right type.
const optionalId = v.fallback(v.optional(id), undefined);
const optionalText = v.fallback(v.optional(v.string()), undefined);
const optionalFlag = v.fallback(v.optional(v.boolean()), undefined);
// Within what a date can be made of: whoever shows another one throws.
const optionalSeconds = v.fallback(
  v.optional(v.pipe(v.number(), v.minValue(-8.64e12), v.maxValue(8.64e12))),
  undefined,
);

const optionalAmount = v.fallback(v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))), undefined);

// Documents are the one kind whose properties are public; others are read by the names that are usual for them.
const sourceSchema = v.pipe(
  v.object({
    type: optionalText,
    document_id: optionalId,
    id: optionalId,
    document_name: optionalText,
    name: optionalText,
    title: optionalText,
    document_url: optionalText,
    url: optionalText,
    created_at: optionalSeconds,
  }),
  v.transform(
    (source): Source => ({
      type: source.type,
      documentId: source.document_id ?? source.id,
      documentName: source.document_name ?? source.name ?? source.title,
      documentUrl: source.document_url ?? source.url,
      createdAt: source.created_at,
    }),
  ),
);

/** Reads one source or many, wrapped in `data` or not: an object in a list's example, an array in a single message's. */
const sourcesSchema = v.pipe(
  v.unknown(),
  v.transform((value) => {
    const data = unwrap(value);
    return (Array.isArray(data) ? data : [data]).flatMap((item): Source[] => {
      const source = v.safeParse(sourceSchema, item);
      return source.success && Object.values(source.output).some((each) => each !== undefined)
        ? [source.output]
        : [];
    });
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
  v.object({ id, name: optionalText, bot_id: optionalId, created_at: optionalSeconds }),
  v.transform(
    ({ id, name, bot_id, created_at }): Conversation => ({
      id,
      name: name ?? '',
      botId: bot_id ?? '',
      createdAt: created_at,
    }),
  ),
);

/** The documents of a conversation's focus, where the service tells them (docs/service.md: Focus). */
export const documentIdsSchema = v.pipe(
  v.object({ document_ids: v.fallback(v.optional(v.array(id)), undefined) }),
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
    created_at: optionalSeconds,
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
      sources: message.sources ?? [],
      usage: message.usage,
    }),
  ),
);

export const signedUploadSchema: v.GenericSchema<unknown, SignedUpload> = v.object({ url: text, key: text });

export const documentSchema = v.pipe(
  v.object({
    id,
    name: optionalText,
    status: optionalText,
    content_url: optionalText,
    created_at: optionalSeconds,
  }),
  v.transform(
    (document): Document => ({
      id: document.id,
      name: document.name ?? '',
      status: document.status,
      contentUrl: document.content_url,
      createdAt: document.created_at,
    }),
  ),
);

export const botSchema = v.pipe(
  v.object({ id, name: optionalText }),
  v.transform(({ id, name }): Bot => ({ id, name: name ?? '' })),
);

export const streamUrlSchema = v.object({ stream_url: text });

const pageNumber = v.fallback(
  v.optional(v.pipe(v.union([v.number(), v.pipe(v.string(), v.toNumber())]), v.safeInteger(), v.minValue(0))),
  undefined,
);
const pagination = v.object({ next_page: pageNumber, total: pageNumber });
const meta = v.fallback(v.optional(v.object({ pagination })), undefined);

/** A single thing, wrapped in `data` or not (docs/service.md: Rules for every operation). */
export function single<T>(item: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T> {
  return v.pipe(v.unknown(), v.transform(unwrap), item);
}

/**
 * A list as a bare array or as `{ data: [...], meta }` (contract: GET /messages; service-notes: `data` wrappers). An item
 * that can't be read is left out: it must not hide the others.
 */
export function list<T>(item: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, Page<T>> {
  return v.pipe(
    v.unknown(),
    v.transform((body) => (Array.isArray(body) ? { data: body } : body)),
    v.object({ data: v.array(v.unknown()), meta }),
    v.transform(
      ({ data, meta }): Page<T> => ({
        items: data.flatMap((each) => {
          const read = v.safeParse(item, each);
          return read.success ? [read.output] : [];
        }),
        nextPage: meta?.pagination.next_page,
        total: meta?.pagination.total,
      }),
    ),
  );
}

function unwrap(body: unknown): unknown {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  return typeof data === 'object' && data !== null ? data : body;
}
