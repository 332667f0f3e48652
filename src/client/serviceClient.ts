import { Api, pathSegment, type ServiceClientOptions } from './api';
import {
  type Bot,
  botSchema,
  type Conversation,
  conversationSchema,
  type Document,
  documentIdsSchema,
  documentSchema,
  list,
  type Message,
  messageSchema,
  type Page,
  type SignedUpload,
  signedUploadSchema,
  single,
} from './models';
import { readPages } from './pages';
import { type PutFileOptions, putFile, type Upload } from './putFile';
import type { RateLimit } from './rateLimit';
import type { ServiceClock } from './serviceClock';
import { type StreamReplyOptions, streamReply } from './streamReply';

export type { ServiceClientOptions } from './api';
export type { RequestLogEntry } from './exchangeRequest';
export type { PutFileOptions, Upload, UploadBody } from './putFile';
export type { StreamReplyOptions } from './streamReply';

/** Asks for the documents that replies were generated from (docs/service.md: Messages). */
const includes = { includes: 'sources' };
/** The same, and what they cost: an option of some services, which others may refuse (service-notes: `usage`). */
const includesUsage = { includes: 'sources,usage' };

/**
 * The service, operation by operation, as docs/service.md has them.
 *
 * Everything throws ServiceError. Reading operations are repeated while that may help; what writes is sent once.
 */
export class ServiceClient {
  readonly #api: Api;

  /** Throws ServiceError `refusedUrl` for a base URL that `parseBaseUrl` refuses. */
  constructor(options: ServiceClientOptions) {
    this.#api = new Api(options);
  }

  /** What the service says of its rate limit: how long uploads and polling should wait. */
  get rateLimit(): Pick<RateLimit, 'getDelay'> {
    return this.#api.context.rateLimit;
  }

  /** The service's clock: what `createdAt` is by. */
  get clock(): Pick<ServiceClock, 'toServiceTime'> {
    return this.#api.context.clock;
  }

  /** POST /conversations. An unknown bot is `validation` with field errors for `bot_id`. */
  createConversation(
    { name, botId }: { name: string; botId: string },
    signal?: AbortSignal,
  ): Promise<Conversation> {
    return this.#api.json(
      { operation: 'POST /conversations', path: '/conversations', body: { name, bot_id: botId } },
      single(conversationSchema),
      signal,
    );
  }

  /** GET /conversations/{id} */
  async getConversation(id: string, signal?: AbortSignal): Promise<Conversation> {
    const operation = 'GET /conversations/{id}';
    const path = `/conversations/${pathSegment(id, operation)}`;
    return this.#api.json({ operation, path, query: includes }, single(conversationSchema), signal);
  }

  /** GET /conversations/{id}: the ids of the documents in its focus. Undefined if the service doesn't return them. */
  async getDocumentIds(id: string, signal?: AbortSignal): Promise<readonly string[] | undefined> {
    const operation = 'GET /conversations/{id}';
    const path = `/conversations/${pathSegment(id, operation)}`;
    const query = { includes: 'document_ids' };
    return this.#api.json({ operation, path, query }, single(documentIdsSchema), signal);
  }

  /** POST /conversations/{id}: sets both name and bot. Undefined where the answer has no conversation. */
  async updateConversation(
    id: string,
    { name, botId, documentIds }: { name: string; botId: string; documentIds?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<Conversation | undefined> {
    const operation = 'POST /conversations/{id}';
    const path = `/conversations/${pathSegment(id, operation)}`;
    const body = { name, bot_id: botId, ...(documentIds && { document_ids: documentIds }) };
    return this.#api.accepted({ operation, path, query: includes, body }, single(conversationSchema), signal);
  }

  /** DELETE /conversations/{id} */
  async deleteConversation(id: string, signal?: AbortSignal): Promise<void> {
    const operation = 'DELETE /conversations/{id}';
    const path = `/conversations/${pathSegment(id, operation)}`;
    return this.#api.done({ operation, path, query: includes }, signal);
  }

  /** GET /conversations, where the service has it: `notFound` where it doesn't. */
  listConversations(
    {
      botId,
      keyword,
      page,
    }: { botId?: string | undefined; keyword?: string | undefined; page?: number | undefined },
    signal?: AbortSignal,
  ): Promise<Page<Conversation>> {
    return this.#api.json(
      { operation: 'GET /conversations', path: '/conversations', query: { bot_id: botId, keyword, page } },
      list(conversationSchema),
      signal,
    );
  }

  /**
   * POST /messages/stream: sends a message and yields the text of its reply as it comes.
   *
   * Leaving the loop closes the connection; while a read is awaited, only the signal does. A reply that ends without
   * `[END]` throws `interrupted`; the text until then has been yielded.
   */
  streamReply(
    body: { conversationId: string; content: string },
    options: StreamReplyOptions = {},
  ): AsyncIterable<string> {
    return streamReply(this.#api, body, options);
  }

  /** POST /messages: sends a message, with web search or without, and waits for what it comes to. */
  createMessage(
    {
      conversationId,
      content,
      isWebSearch,
      withUsage,
    }: { conversationId: string; content: string; isWebSearch: boolean; withUsage?: boolean },
    signal?: AbortSignal,
  ): Promise<Message> {
    return this.#api.json(
      {
        operation: 'POST /messages',
        path: '/messages',
        query: withUsage ? includesUsage : includes,
        body: { conversation_id: conversationId, content, is_web_search: isWebSearch },
        headerDeadline: this.#api.deadlines.generatedReply,
      },
      single(messageSchema),
      signal,
    );
  }

  /** GET /messages of one conversation; `withUsage` asks what replies cost, which a service may refuse. */
  listMessages(
    {
      conversationId,
      page,
      withUsage,
    }: { conversationId: string; page?: number | undefined; withUsage?: boolean },
    signal?: AbortSignal,
  ): Promise<Page<Message>> {
    return this.#api.json(
      {
        operation: 'GET /messages',
        path: '/messages',
        query: { conversation_id: conversationId, page, ...(withUsage ? includesUsage : includes) },
      },
      list(messageSchema),
      signal,
    );
  }

  /** GET /messages/{id} */
  async getMessage(id: string, signal?: AbortSignal): Promise<Message> {
    const operation = 'GET /messages/{id}';
    const path = `/messages/${pathSegment(id, operation)}`;
    return this.#api.json({ operation, path, query: includes }, single(messageSchema), signal);
  }

  /** POST /uploads/signed-url. `fileName` needs an extension. */
  createSignedUpload(
    { fileName, contentType }: { fileName: string; contentType: string },
    signal?: AbortSignal,
  ): Promise<SignedUpload> {
    return this.#api.json(
      {
        operation: 'POST /uploads/signed-url',
        path: '/uploads/signed-url',
        body: { file_name: fileName, content_type: contentType },
      },
      single(signedUploadSchema),
      signal,
    );
  }

  /** PUTs a file to its signed URL, once. `contentType` is the one the URL was asked for with. */
  putFile(upload: Upload, options: PutFileOptions = {}): Promise<void> {
    return putFile(this.#api, upload, options);
  }

  /**
   * POST /documents/file: makes an uploaded file a document of a conversation. Undefined where the service accepted it
   * and told no document: its id is found in `GET /documents`, later.
   */
  createDocument(
    { key, conversationId, fileName }: { key: string; conversationId: string; fileName: string },
    signal?: AbortSignal,
  ): Promise<Document | undefined> {
    return this.#api.accepted(
      {
        operation: 'POST /documents/file',
        path: '/documents/file',
        body: { key, conversation_id: conversationId, file_name: fileName },
      },
      single(documentSchema),
      signal,
    );
  }

  /** GET /documents of one conversation. */
  listDocuments(
    { conversationId, page }: { conversationId: string; page?: number | undefined },
    signal?: AbortSignal,
  ): Promise<Page<Document>> {
    return this.#api.json(
      { operation: 'GET /documents', path: '/documents', query: { conversation_id: conversationId, page } },
      list(documentSchema),
      signal,
    );
  }

  /** All documents of one conversation, page by page as they are asked for. */
  documents(conversationId: string, signal?: AbortSignal): AsyncGenerator<Document, void, undefined> {
    return readPages((page) => this.listDocuments({ conversationId, page }, signal));
  }

  /** GET /documents/{id}, where the service has it: `notFound` where it doesn't, or has no such document. */
  async getDocument(id: string, signal?: AbortSignal): Promise<Document> {
    const operation = 'GET /documents/{id}';
    const path = `/documents/${pathSegment(id, operation)}`;
    return this.#api.json({ operation, path }, single(documentSchema), signal);
  }

  /** DELETE /documents/{id}, where the service has it: `notFound` where it doesn't, or has no such document. */
  async deleteDocument(id: string, signal?: AbortSignal): Promise<void> {
    const operation = 'DELETE /documents/{id}';
    return this.#api.done({ operation, path: `/documents/${pathSegment(id, operation)}` }, signal);
  }

  /** GET /bots, where the service has it: `notFound` where it doesn't. */
  listBots(
    { keyword, page }: { keyword?: string | undefined; page?: number | undefined } = {},
    signal?: AbortSignal,
  ): Promise<Page<Bot>> {
    return this.#api.json(
      { operation: 'GET /bots', path: '/bots', query: { keyword, page } },
      list(botSchema),
      signal,
    );
  }
}
