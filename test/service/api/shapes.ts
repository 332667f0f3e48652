import { isConverted } from '../conversions';
import type { Conversation, Folder, Message, MessageSource, ServiceDocument } from '../records';
import { listConversationMessages, type ServiceState } from '../state';
import { signDownload } from '../storage/objectStore';
import { documentNameStyles, flagStyles, listedSourceStyles, timeStyles } from './styles';

/** Returns the record without the fields that the settings omit, its times and booleans as the settings say. */
export function shapeRecord(state: ServiceState, kind: string, record: Readonly<Record<string, unknown>>) {
  const omitted: readonly string[] = state.settings.omit;
  const shown = Object.entries(record).filter(([name]) => !omitted.includes(`${kind}.${name}`));
  return Object.fromEntries(shown.map(([name, value]) => [name, shapeValue(state, name, value)]));
}

function shapeValue({ settings }: ServiceState, name: string, value: unknown): unknown {
  if (name === 'created_at' && typeof value === 'number') return timeStyles[settings.times](value);
  // The contract promises that `is_web_search` is a boolean.
  if (name !== 'is_web_search' && typeof value === 'boolean') return flagStyles[settings.flags](value);
  return value;
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
          document_name: getListedName(state, document),
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
    name: conversation.name || (state.settings.nullNames ? null : ''),
    ...(includesField(query, 'document_ids') && { document_ids }),
    ...(includesField(query, 'sources', includesFallback) && {
      sources: { data: toSources(state, [...new Set(messages.flatMap(({ sources }) => sources))]) },
    }),
  });
}

/** `where` decides the shape of sources: the settings say how a list shows them; a single message shows all. */
export function toMessage(
  state: ServiceState,
  query: URLSearchParams,
  { sources, usage, ...message }: Message,
  where: 'list' | 'single',
) {
  const found = toSources(state, sources);
  return shapeRecord(state, 'message', {
    ...message,
    ...(includesField(query, 'sources') && {
      sources: { data: where === 'list' ? toListedSources(state, found) : found },
    }),
    ...(includesField(query, 'usage') && message.machine && { usage }),
  });
}

function toListedSources({ settings }: ServiceState, sources: readonly object[]) {
  const shown = listedSourceStyles[settings.listedSources](sources);
  return settings.sourceAsObject && Array.isArray(shown) && shown.length === 1 ? shown[0] : shown;
}

export function toFolder(state: ServiceState, folder: Folder) {
  return shapeRecord(state, 'folder', { ...folder });
}

/** Returns the name under which lists have the document. */
export function getListedName({ settings }: ServiceState, { name }: ServiceDocument): string {
  return documentNameStyles[settings.documentNames](name);
}

export function toDocument(state: ServiceState, document: ServiceDocument) {
  const { id, folder_id, created_at, key, result } = document;
  return shapeRecord(state, 'document', {
    id,
    name: getListedName(state, document),
    status: isConverted(state, document) ? result : 'syncing',
    content_url: signDownload(state, key),
    folder_id,
    created_at,
  });
}
