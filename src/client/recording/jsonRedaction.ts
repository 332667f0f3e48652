import { findExtension, ID, isIdField, isKeptValue, isUrlField, isWord } from './fieldRules';
import type { Pseudonyms } from './pseudonyms';
import type { TextRedaction } from './textRedaction';
import type { UrlRedaction } from './urlRedaction';

/** Values nested deeper become null. */
const MAX_DEPTH = 100;
/** In UTF-16 code units: a shorter text may equal an ID by chance. */
const MIN_ID_LENGTH = 6;

/** State shared by the redaction of all parts of a recording. */
export interface Redaction {
  readonly ids: Pseudonyms;
  readonly texts: TextRedaction;
  readonly urls: UrlRedaction;
  /** The URL that paths are resolved against. */
  readonly url: string;
}

/** Redacts a JSON value: types, lengths, numbers and the names of fields stay. */
export function redactJson(value: unknown, redaction: Redaction, field = '', depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === 'string') return redactString(value, field, redaction);
  if (typeof value === 'number') return redactNumber(value, field, redaction);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redaction, field, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      redactName(name, redaction),
      // Below `errors` are texts, by the names of fields.
      redactJson(item, redaction, field === 'errors' ? field : name, depth + 1),
    ]),
  );
}

function redactString(value: string, field: string, { ids, texts, urls, url }: Redaction): string {
  if (isIdField(field) && ID.test(value)) return ids.get(value);
  const address = urls.redact(value) ?? (isUrlField(field) ? urls.redactPath(value, url) : undefined);
  if (address !== undefined) return address;
  if (isKeptValue(field, value) && !texts.hasKey(value)) return value;
  if (value.length >= MIN_ID_LENGTH && ids.has(value)) return ids.get(value);
  const text = texts.redact(value);
  const extension = findExtension(field, value);
  if (extension === '' || texts.hasKey(value)) return text;
  return text.slice(0, -extension.length) + extension;
}

function redactNumber(value: number, field: string, { ids, texts }: Redaction): number {
  const isId = isIdField(field) && Number.isSafeInteger(value) && value >= 0;
  return isId || texts.hasKey(String(value)) ? Number(ids.get(String(value))) : value;
}

/** Redacts the name of a field, which may be an ID or a text: what is by ID or by name is an object, too. */
function redactName(name: string, { ids, texts }: Redaction): string {
  return isWord(name) && !ids.has(name) && !texts.hasKey(name) ? name : ids.get(name);
}
