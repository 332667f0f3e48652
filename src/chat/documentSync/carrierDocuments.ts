import type { Document } from '../../client/models';
import { collectItems, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import { readDocumentIds } from '../documents/focusSync';
import { dropOthers, isFiltered } from '../remote/conversationLists';
import { type Service, waitForRateLimit } from '../remote/service';

/** Of more conversations of one name only the newest are looked at. */
const MAX_CARRIERS = 20;
/** In characters. */
const MAX_LABEL_LENGTH = 80;

/** The place of documents that have a conversation of their own on the service. */
export interface CarrierPlace {
  /** How the name of the conversation begins. */
  readonly label: string;
  /** The bot of a conversation that is created. */
  readonly botId: string;
  /** Tells the workspace folder from all others, and is the same on every machine. Undefined if nothing tells that. */
  readonly key: string | undefined;
}

/** Returns the name of the conversation for documents: those of two workspace folders never have the same. */
export function createCarrierName({ label, key = createRandomKey() }: CarrierPlace): string {
  return `${Array.from(label).slice(0, MAX_LABEL_LENGTH).join('')} (${key})`;
}

function createRandomKey(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 16);
}

/** A conversation that a sync registered documents with, and those that the service lists for it. */
export interface Carrier {
  readonly id: string;
  /** Undefined if the service lacks the list. */
  readonly documents: readonly Document[] | undefined;
}

/** What is known of the conversation that is looked for. */
export interface CarrierQuery {
  readonly name: string;
  readonly folderId?: string | undefined;
  /** IDs of conversations that documents with another home are registered with. */
  readonly others: ReadonlySet<string>;
}

/**
 * Finds the conversations of exactly this name on the service, newest first: those of a sync whose journal was lost, or of
 * another machine. Of any bot: which one was chosen when they were created says nothing about the documents. None if the
 * service lacks the list, or if all documents of a conversation are in another folder. Throws ServiceError.
 */
export async function findCarriers(
  service: Service,
  { name, folderId, others }: CarrierQuery,
  signal: AbortSignal,
): Promise<readonly Carrier[]> {
  const { client, capabilities } = service;
  const read = async (page: number | undefined) => {
    await waitForRateLimit(service, signal);
    return client.listConversations({ keyword: name, page }, signal);
  };
  const listed = await capabilities.use('GET /conversations', () => collectItems(readPages(read)));
  const named = (listed ?? [])
    .filter((each) => each.name === name && !others.has(each.id))
    .toSorted((one, other) => (other.createdAt ?? 0) - (one.createdAt ?? 0));
  const carriers: Carrier[] = [];
  for (const { id } of named.slice(0, MAX_CARRIERS)) {
    const all = await listCarrierDocuments(service, id, signal);
    const documents = all?.filter((document) => isInUploadFolder(document, folderId));
    if (all?.length === 0 || documents?.length !== 0) carriers.push({ id, documents });
  }
  return carriers;
}

/**
 * Lists the documents that are known to be the conversation's own: a service may ignore the query.
 * Undefined if it lacks the list, or no longer has the conversation. Throws ServiceError.
 */
export async function listCarrierDocuments(
  service: Service,
  id: string,
  signal: AbortSignal,
): Promise<readonly Document[] | undefined> {
  const { client, capabilities } = service;
  const read = async (conversationId: string | undefined, page: number | undefined) => {
    await waitForRateLimit(service, signal);
    return client.listDocuments({ conversationId, page }, signal);
  };
  const readOwn = () => collectItems(readPages((page) => read(id, page)));
  try {
    const listed = await capabilities.use('GET /documents', readOwn);
    if (!listed || listed.length === 0) return listed;
    const own = dropOthers(listed, id);
    const readers = { readAll: () => read(undefined, undefined), readAgain: readOwn };
    if (await isFiltered(service, 'documents', own, readers)) return own;
    const focused = new Set(await readDocumentIds(service, id, signal));
    return own.filter((document) => focused.has(document.id));
  } catch (error) {
    if (isWithoutList(error)) return undefined;
    throw error;
  }
}

/** Returns whether a failure of the list means that there is none, or that the conversation is gone. */
export function isWithoutList(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.reason === 'empty' || error.reason === 'field' || error.status === 404 || error.status === 422)
  );
}

/** Returns whether a document may be in a folder: a service may not tell. */
export function isInUploadFolder(document: Document, folderId: string | undefined): boolean {
  return document.folderId === undefined || document.folderId === folderId;
}
