import { Api, encodePathSegment, type ServiceClientOptions } from './api';
import {
  type Bot,
  botSchema,
  type Conversation,
  conversationSchema,
  type Document,
  documentIdsSchema,
  documentSchema,
  type Folder,
  folderSchema,
  type Message,
  messageSchema,
  type SignedUpload,
  signedUploadSchema,
  singleSchema,
} from './models';
import { listSchema, type Page } from './pages';
import { type PutFileOptions, putFile, type Upload } from './putFile';
import type { RateLimit } from './rateLimit';
import { requestReply, type StreamReplyOptions } from './requestReply';
import type { ServiceClock } from './serviceClock';
import { ServiceError } from './serviceError';

export type { ServiceClientOptions } from './api';
export type { RequestLogEntry } from './exchangeRequest';
export type { PutFileOptions, Upload, UploadBody } from './putFile';
export type { StreamReplyOptions } from './requestReply';

/** Values of `includes` (docs/service.md: Messages), each a fallback if the service refuses the one before. */
const SOURCES = ['sources', undefined] as const;
const SOURCES_AND_USAGE = ['sources,usage', ...SOURCES] as const;

/**
 * The service's operations, as described in docs/service.md.
 *
 * Everything throws ServiceError. Read operations are retried after passing failures; writes are sent once.
 */
export class ServiceClient {
  readonly #api: Api;
  /** By operation, how many values of `includes` the service has refused. */
  readonly #refusedIncludes = new Map<string, number>();

  /** Throws ServiceError `refusedUrl` for a base URL that `parseBaseUrl` refuses. */
  constructor(options: ServiceClientOptions) {
    this.#api = new Api(options);
  }

  /** The service's rate limit: how long uploads and polling should wait. */
  get rateLimit(): Pick<RateLimit, 'getDelay'> {
    return this.#api.context.rateLimit;
  }

  /** The service's clock, on which `createdAt` is based. */
  get clock(): Pick<ServiceClock, 'toServiceTime'> {
    return this.#api.context.clock;
  }

  /** POST /conversations. An unknown bot fails with `validation` and field errors for `bot_id`. */
  createConversation(
    { name, botId }: { name: string; botId: string },
    signal?: AbortSignal,
  ): Promise<Conversation> {
    return this.#api.requestJson(
      { operation: 'POST /conversations', path: '/conversations', body: { name, bot_id: botId } },
      singleSchema(conversationSchema),
      signal,
    );
  }

  /** GET /conversations/{id} */
  async getConversation(id: string, signal?: AbortSignal): Promise<Conversation> {
    const operation = 'GET /conversations/{id}';
    const path = `/conversations/${encodePathSegment(id, operation)}`;
    return this.#requestIncluding(operation, SOURCES, (includes) =>
      this.#api.requestJson(
        { operation, path, query: { includes } },
        singleSchema(conversationSchema),
        signal,
      ),
    );
  }

  /** GET /conversations/{id}: the IDs of the documents in its focus. Undefined if the service doesn't return them. */
  async getDocumentIds(id: string, signal?: AbortSignal): Promise<readonly string[] | undefined> {
    const operation = 'GET /conversations/{id}';
    const path = `/conversations/${encodePathSegment(id, operation)}`;
    const query = { includes: 'document_ids' };
    return this.#api.requestJson({ operation, path, query }, singleSchema(documentIdsSchema), signal);
  }

  /**
   * POST /conversations/{id}: sets both name and bot. Returns undefined if the response has no conversation.
   */
  async updateConversation(
    id: string,
    { name, botId, documentIds }: { name: string; botId: string; documentIds?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<Conversation | undefined> {
    const operation = 'POST /conversations/{id}';
    const path = `/conversations/${encodePathSegment(id, operation)}`;
    const body = { name, bot_id: botId, ...(documentIds && { document_ids: documentIds }) };
    return this.#requestIncluding(operation, SOURCES, (includes) =>
      this.#api.requestAccepted(
        { operation, path, query: { includes }, body },
        singleSchema(conversationSchema),
        signal,
      ),
    );
  }

  /** DELETE /conversations/{id} */
  async deleteConversation(id: string, signal?: AbortSignal): Promise<void> {
    const operation = 'DELETE /conversations/{id}';
    const path = `/conversations/${encodePathSegment(id, operation)}`;
    return this.#requestIncluding(operation, SOURCES, (includes) =>
      this.#api.send({ operation, path, query: { includes } }, signal),
    );
  }

  /** GET /conversations; fails with `notFound` if the service lacks it. */
  listConversations(
    {
      botId,
      keyword,
      page,
    }: { botId?: string | undefined; keyword?: string | undefined; page?: number | undefined },
    signal?: AbortSignal,
  ): Promise<Page<Conversation>> {
    return this.#api.requestJson(
      { operation: 'GET /conversations', path: '/conversations', query: { bot_id: botId, keyword, page } },
      listSchema(conversationSchema),
      signal,
    );
  }

  /**
   * POST /messages/stream: sends a message and yields the text of its reply as it arrives.
   *
   * Leaving the loop closes the connection; a pending read can only be ended with the signal. A reply that
   * ends without `[END]` throws `interrupted` after its text has been yielded.
   */
  streamReply(
    body: { conversationId: string; content: string },
    options: StreamReplyOptions = {},
  ): AsyncIterable<string> {
    return requestReply(this.#api, body, options);
  }

  /** POST /messages: sends a message, optionally with web search, and waits for the whole reply. */
  createMessage(
    {
      conversationId,
      content,
      isWebSearch,
    }: { conversationId: string; content: string; isWebSearch: boolean },
    signal?: AbortSignal,
  ): Promise<Message> {
    const operation = 'POST /messages';
    const body = { conversation_id: conversationId, content, is_web_search: isWebSearch };
    const headerDeadline = this.#api.deadlines.reply;
    return this.#requestIncluding(operation, SOURCES, (includes) =>
      this.#api.requestJson(
        { operation, path: '/messages', query: { includes }, body, headerDeadline },
        singleSchema(messageSchema),
        signal,
      ),
    );
  }

  /** GET /messages; without `conversationId` those of the account. */
  listMessages(
    { conversationId, page }: { conversationId?: string | undefined; page?: number | undefined },
    signal?: AbortSignal,
  ): Promise<Page<Message>> {
    const operation = 'GET /messages';
    return this.#requestIncluding(operation, SOURCES_AND_USAGE, (includes) =>
      this.#api.requestJson(
        { operation, path: '/messages', query: { conversation_id: conversationId, page, includes } },
        listSchema(messageSchema),
        signal,
      ),
    );
  }

  /** GET /messages/{id} */
  async getMessage(id: string, signal?: AbortSignal): Promise<Message> {
    const operation = 'GET /messages/{id}';
    const path = `/messages/${encodePathSegment(id, operation)}`;
    return this.#requestIncluding(operation, SOURCES_AND_USAGE, (includes) =>
      this.#api.requestJson({ operation, path, query: { includes } }, singleSchema(messageSchema), signal),
    );
  }

  /** POST /uploads/signed-url. `fileName` must have an extension. */
  createSignedUpload(
    { fileName, contentType }: { fileName: string; contentType: string },
    signal?: AbortSignal,
  ): Promise<SignedUpload> {
    return this.#api.requestJson(
      {
        operation: 'POST /uploads/signed-url',
        path: '/uploads/signed-url',
        body: { file_name: fileName, content_type: contentType },
      },
      singleSchema(signedUploadSchema),
      signal,
    );
  }

  /** PUTs a file to its signed URL, once. `contentType` must be the one that the URL was requested with. */
  putFile(upload: Upload, options: PutFileOptions = {}): Promise<void> {
    return putFile(this.#api, upload, options);
  }

  /**
   * POST /documents/file: adds an uploaded file to a conversation as a document. A service that needs a folder
   * fails with `validation` and field errors for `folder_id`. Returns undefined if the service accepted it without
   * returning a document: `GET /documents` lists its ID later.
   */
  createDocument(
    {
      key,
      conversationId,
      fileName,
      folderId,
    }: { key: string; conversationId: string; fileName: string; folderId?: string | undefined },
    signal?: AbortSignal,
  ): Promise<Document | undefined> {
    const body = { key, conversation_id: conversationId, file_name: fileName };
    return this.#api.requestAccepted(
      {
        operation: 'POST /documents/file',
        path: '/documents/file',
        body: { ...body, ...(folderId !== undefined && { folder_id: folderId }) },
      },
      singleSchema(documentSchema),
      signal,
    );
  }

  /** GET /documents; without `conversationId` those of the account. */
  listDocuments(
    { conversationId, page }: { conversationId?: string | undefined; page?: number | undefined },
    signal?: AbortSignal,
  ): Promise<Page<Document>> {
    return this.#api.requestJson(
      { operation: 'GET /documents', path: '/documents', query: { conversation_id: conversationId, page } },
      listSchema(documentSchema),
      signal,
    );
  }

  /** DELETE /documents/{id}; fails with `notFound` if the service lacks it or has no such document. */
  async deleteDocument(id: string, signal?: AbortSignal): Promise<void> {
    const operation = 'DELETE /documents/{id}';
    return this.#api.send({ operation, path: `/documents/${encodePathSegment(id, operation)}` }, signal);
  }

  /** GET /bots; fails with `notFound` if the service lacks it. */
  listBots(
    { keyword, page }: { keyword?: string | undefined; page?: number | undefined } = {},
    signal?: AbortSignal,
  ): Promise<Page<Bot>> {
    return this.#api.requestJson(
      { operation: 'GET /bots', path: '/bots', query: { keyword, page } },
      listSchema(botSchema),
      signal,
    );
  }

  /** GET /folders; fails with `notFound` if the service lacks it. */
  listFolders({ page }: { page?: number | undefined } = {}, signal?: AbortSignal): Promise<Page<Folder>> {
    return this.#api.requestJson(
      { operation: 'GET /folders', path: '/folders', query: { page } },
      listSchema(folderSchema),
      signal,
    );
  }

  /** POST /folders. Returns undefined if the service accepted it without returning the folder. */
  createFolder({ name }: { name: string }, signal?: AbortSignal): Promise<Folder | undefined> {
    return this.#api.requestAccepted(
      { operation: 'POST /folders', path: '/folders', body: { name } },
      singleSchema(folderSchema),
      signal,
    );
  }

  /**
   * Sends a request with the first value of `includes` that the service accepts, and remembers those that it refuses.
   * If it refuses every value, that isn't why.
   */
  async #requestIncluding<T>(
    operation: string,
    values: readonly (string | undefined)[],
    request: (includes: string | undefined) => Promise<T>,
  ): Promise<T> {
    let firstError: unknown;
    for (let refused = this.#refusedIncludes.get(operation) ?? 0; refused < values.length; refused++) {
      try {
        const result = await request(values[refused]);
        if (firstError) this.#refusedIncludes.set(operation, refused);
        return result;
      } catch (error) {
        firstError ??= error;
        if (!(error instanceof ServiceError) || !mayRefuseIncludes(error)) throw firstError;
      }
    }
    throw firstError;
  }
}

/** Returns whether a request was refused for its `includes`. A write is only repeated if the service says so. */
function mayRefuseIncludes({ operation, status, fieldErrors }: ServiceError): boolean {
  return (
    fieldErrors?.includes !== undefined ||
    (operation.startsWith('GET ') && (status === 400 || status === 422))
  );
}
