import { isConverted } from '../conversions';
import type { Conversation, Message, MessageSource, ServiceDocument } from '../records';
import { listConversationMessages, type ServiceState } from '../state';
import { signDownload } from '../storage/objectStore';

/** Returns the record without the fields that the settings omit. */
export function shapeRecord(state: ServiceState, kind: string, record: Readonly<Record<string, unknown>>) {
  const omitted: readonly string[] = state.settings.omit;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !omitted.includes(`${kind}.${name}`)));
}

/** Whether the query's `includes`, or the operation's default for it, contains `name`. */
function includesField(query: URLSearchParams, name: string, fallback = ''): boolean {
  return (query.get('includes') ?? fallback).split(',').includes(name);
}

/** Returns sources in their response format; omits documents that were deleted since. */
function toSources(state: ServiceState, sources: readonly MessageSource[]) {
  return sources.flatMap((source) => {
    const document = typeof source === 'string' ? state.documents.get(source) : undefined;
    if (typeof source === 'string' && !document) return [];
    const found = document
      ? {
          type: 'document',
          document_id: document.id,
          document_name: document.name,
          document_url: signDownload(state, document.key),
          created_at: document.created_at,
        }
      : (source as Readonly<Record<string, unknown>>);
    return [shapeRecord(state, 'source', found)];
  });
}

export function toConversation(
  state: ServiceState,
  query: URLSearchParams,
  { document_ids, ...conversation }: Conversation,
  includesFallback = '',
) {
  const messages = listConversationMessages(state, conversation.id);
  return shapeRecord(state, 'conversation', {
    ...conversation,
    ...(includesField(query, 'document_ids') && { document_ids }),
    ...(includesField(query, 'sources', includesFallback) && {
      sources: { data: toSources(state, [...new Set(messages.flatMap(({ sources }) => sources))]) },
    }),
  });
}

/** `where` decides the shape of a single source: an object in a list, if the settings say so. */
export function toMessage(
  state: ServiceState,
  query: URLSearchParams,
  { sources, usage, ...message }: Message,
  where: 'list' | 'single',
) {
  const found = toSources(state, sources);
  const asObject = where === 'list' && state.settings.sourceAsObject && found.length === 1;
  return shapeRecord(state, 'message', {
    ...message,
    ...(includesField(query, 'sources') && { sources: { data: asObject ? found[0] : found } }),
    ...(includesField(query, 'usage') && message.machine && { usage }),
  });
}

export function toDocument(state: ServiceState, document: ServiceDocument) {
  const { id, name, folder_id, created_at, key, result } = document;
  return shapeRecord(state, 'document', {
    id,
    name,
    status: isConverted(state, document) ? result : 'syncing',
    content_url: signDownload(state, key),
    folder_id,
    created_at,
  });
}
