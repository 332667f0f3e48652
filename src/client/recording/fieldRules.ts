/** Returns whether a field or parameter with this name is a reference: `id`, `bot_id`, `document_ids`, an upload's `key`. */
export function isIdField(name: string): boolean {
  return /^(?:id|ids|key)$|_(?:id|ids|key)$|[a-z]Ids?$/.test(name);
}

/** An ID has no white space, and isn't a sentence without any. */
export const ID = /^\S{1,200}$/;

/** Whether a field holds a URL, which may be a path alone. */
export function isUrlField(name: string): boolean {
  return /(?:^|_)(?:url|uri|link|href)$|^(?:next|prev|previous|first|last)(?:_page)?$|[a-z]Ur[li]$/.test(
    name,
  );
}

/**
 * Returns whether a name could be a programmer's identifier: such names are kept. Names that are IDs or texts, as in an
 * object by ID, aren't: digits are only at the end (`x1`) or an index (`document_ids.0`).
 */
export function isWord(name: string): boolean {
  return name.length <= 32 && /^_{0,2}[A-Za-z]+(?:[_.-][A-Za-z]+|\.\d{1,3})*\d?_{0,2}$|^\d{1,3}$/.test(name);
}

/** A short word, as in `status: "syncing"`. */
export const TOKEN = /^[A-Za-z][A-Za-z_-]{0,31}$/;

const NUMBER_OR_FLAG = /^-?\d{1,16}(?:\.\d{1,9})?$|^(?:true|false)$/i;
const TIME =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$|^\d{1,16}(?:\.\d{1,9})?$/;

/** Fields with strings that are no texts (docs/service.md), and what these look like: they are kept. */
const KEPT_VALUES: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(?:status|type)$/, TOKEN],
  [/^content_type$/, /^[a-z]{1,20}\/[\w.+-]{1,80}$/],
  [/_at$/, TIME],
  [/^(?:machine|failed_responding|flagged|is_web_search|redirect)$/, NUMBER_OR_FLAG],
  [/^(?:count|total|tokens|credits|file_size|size)$|(?:^|_)pages?$/, NUMBER_OR_FLAG],
];

/** Whether a field may have a string as it is, because it is no text. */
export function isKeptValue(name: string, value: string): boolean {
  return KEPT_VALUES.some(([names, values]) => names.test(name) && values.test(value));
}

/** The extensions that a service takes (docs/service.md: POST /documents/file); whether names have them matters. */
const EXTENSION = /\.(?:txt|md|rtf|pdf|pptx?|pptm|docx?|docm)$/i;

/** Returns the extension of a file's name, with its dot; '' if the field isn't for names or the name has none. */
export function findExtension(name: string, value: string): string {
  return /(?:^|_)name$/.test(name) ? (EXTENSION.exec(value)?.[0] ?? '') : '';
}
