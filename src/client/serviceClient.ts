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
  type Page,
  type SignedUpload,
  signedUploadSchema,
  singleSchema,
} from './models';
import { listSchema, readPages } from './pages';
import { type PutFileOptions, putFile, type Upload } from './putFile';
import type { RateLimit } from './rateLimit';
import type { ServiceClock } from './serviceClock';
import { type StreamReplyOptions, streamReply } from './streamReply';

export type { ServiceClientOptions } from './api';
export type { RequestLogEntry } from './exchangeRequest';
export type { PutFileOptions, Upload, UploadBody } from './putFile';
export type { StreamReplyOptions } from './streamReply';

/** Requests the documents that replies are based on (docs/service.md: Messages). */
const INCLUDE_SOURCES = { includes: 'sources' };
/** Also requests usage, which some services support and others may refuse (docs/service.md: Messages). */
const INCLUDE_SOURCES_AND_USAGE = { includes: 'sources,usage' };

/**
 * The service's operations, as described in docs/service.md.
 *
 * Everything throws ServiceError. Read operations are retried after passing failures; writes are sent once.
 */
export class ServiceClient {
  readonly #api: Api;

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
    return this.#api.requestJson(
      { operation, path, query: INCLUDE_SOURCES },
      singleSchema(conversationSchema),
      signal,
    );
  }

  /** GET /conversations/{id}: the ids of the documents in its focus. Undefined if the service doesn't return them. */
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
    return this.#api.requestAccepted(
      { operation, path, query: INCLUDE_SOURCES, body },
      singleSchema(conversationSchema),
      signal,
    );
  }

  /** DELETE /conversations/{id} */
  async deleteConversation(id: string, signal?: AbortSignal): Promise<void> {
    const operation = 'DELETE /conversations/{id}';
    const path = `/conversations/${encodePathSegment(id, operation)}`;
    return this.#api.send({ operation, path, query: INCLUDE_SOURCES }, signal);
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
    return streamReply(this.#api, body, options);
  }

  /** POST /messages: sends a message, optionally with web search, and waits for the whole reply. */
  createMessage(
    {
      conversationId,
      content,
      isWebSearch,
      withUsage,
    }: { conversationId: string; content: string; isWebSearch: boolean; withUsage?: boolean },
    signal?: AbortSignal,
  ): Promise<Message> {
    return this.#api.requestJson(
      {
        operation: 'POST /messages',
        path: '/messages',
        query: withUsage ? INCLUDE_SOURCES_AND_USAGE : INCLUDE_SOURCES,
        body: { conversation_id: conversationId, content, is_web_search: isWebSearch },
        headerDeadline: this.#api.deadlines.generatedReply,
      },
      singleSchema(messageSchema),
      signal,
    );
  }

  /**
   * GET /messages of one conversation. `withUsage` asks for the cost of replies, which a service may refuse.
   */
  listMessages(
    {
      conversationId,
      page,
      withUsage,
    }: { conversationId: string; page?: number | undefined; withUsage?: boolean },
    signal?: AbortSignal,
  ): Promise<Page<Message>> {
    return this.#api.requestJson(
      {
        operation: 'GET /messages',
        path: '/messages',
        query: {
          conversation_id: conversationId,
          page,
          ...(withUsage ? INCLUDE_SOURCES_AND_USAGE : INCLUDE_SOURCES),
        },
      },
      listSchema(messageSchema),
      signal,
    );
  }

  /** GET /messages/{id} */
  async getMessage(id: string, signal?: AbortSignal): Promise<Message> {
    const operation = 'GET /messages/{id}';
    const path = `/messages/${encodePathSegment(id, operation)}`;
    return this.#api.requestJson(
      { operation, path, query: INCLUDE_SOURCES },
      singleSchema(messageSchema),
      signal,
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
   * returning a document: `GET /documents` lists its id later.
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

  /** GET /documents of one conversation. */
  listDocuments(
    { conversationId, page }: { conversationId: string; page?: number | undefined },
    signal?: AbortSignal,
  ): Promise<Page<Document>> {
    return this.#api.requestJson(
      { operation: 'GET /documents', path: '/documents', query: { conversation_id: conversationId, page } },
      listSchema(documentSchema),
      signal,
    );
  }

  /** Yields all documents of one conversation, reading pages as needed. */
  documents(conversationId: string, signal?: AbortSignal): AsyncGenerator<Document, void, undefined> {
    return readPages((page) => this.listDocuments({ conversationId, page }, signal));
  }

  /** GET /documents/{id}; fails with `notFound` if the service lacks it or has no such document. */
  async getDocument(id: string, signal?: AbortSignal): Promise<Document> {
    const operation = 'GET /documents/{id}';
    const path = `/documents/${encodePathSegment(id, operation)}`;
    return this.#api.requestJson({ operation, path }, singleSchema(documentSchema), signal);
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
}
