import { isConverted } from '../conversions';
import { isPublished } from '../history';
import type { Conversation, Folder, Message, MessageSource, ServiceDocument } from '../records';
import { listConversationMessages, type ServiceState } from '../state';
import { signDownload } from '../storage/objectStore';
import type { OptionalField } from './optionalFields';
import { documentNameStyles, fieldStyles, flagStyles, listedSourceStyles, timeStyles } from './styles';

/** Returns the record without the fields that the settings omit, and with the others as the settings say. */
export function shapeRecord(state: ServiceState, kind: string, record: Readonly<Record<string, unknown>>) {
  const { omit, fields } = state.settings;
  const isOdd = parseInt(String(record.id).slice(-1), 36) % 2 === 1;
  const shown = Object.entries(record).flatMap(([name, value]) => {
    const field = `${kind}.${name}` as OptionalField;
    if (omit.includes(field)) return [];
    const shaped = shapeValue(state, name, value);
    const style = fields[field];
    return [[name, style ? fieldStyles[style](shaped, isOdd) : shaped]];
  });
  return Object.fromEntries(shown);
}

function shapeValue({ settings }: ServiceState, name: string, value: unknown): unknown {
  if (settings.ids === 'number' && /(^|_)ids?$/.test(name)) return toNumbers(value);
  if (name === 'created_at' && typeof value === 'number') return timeStyles[settings.times](value);
  // The contract promises that `is_web_search` is a boolean.
  if (name !== 'is_web_search' && typeof value === 'boolean') return flagStyles[settings.flags](value);
  return value;
}

/** Returns an ID, or the IDs of a list, as numbers; those of bots stay texts. */
function toNumbers(value: unknown): unknown {
  return Array.isArray(value) ? value.map(toNumbers) : fieldStyles.number(value);
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
  const messages = listConversationMessages(state, conversation.id).filter((message) =>
    isPublished(state, message),
  );
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
  { sources, usage, publishedAt: _, ...message }: Message,
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
