import { toPlainText } from '../plainText';
import { redactSecret } from '../redactSecret';

/** Text that was escaped more often isn't decoded. */
const MAX_DECODINGS = 3;

/** An address with a scheme, which has at most 20 letters: searching for more would take quadratic time. */
const ADDRESS = /\b[a-z][a-z0-9+.-]{0,19}:\/\/[^\s"'<>]+/gi;
/** Matches a query after a `?`, as in an address without a scheme. */
const QUERY = /\?[^\s"'<>?]*/g;

/** Redacts texts and names. The length stays the same, in UTF-16 code units. */
export class TextRedaction {
  readonly #keys: readonly string[];
  /** No encoding of a key is shorter. */
  readonly #shortestKey: number;
  readonly #keepsTexts: boolean;
  readonly #hosts: RegExp | undefined;
  readonly #masking: TextRedaction | undefined;

  /** `hosts`: the names to redact in texts that are kept. */
  constructor(keys: readonly string[], hosts: Iterable<string>, keepsTexts: boolean) {
    this.#keys = keys.filter(Boolean);
    this.#shortestKey = Math.min(...this.#keys.map(({ length }) => length));
    this.#keepsTexts = keepsTexts;
    // The longest first: another may be a part of it.
    const names = [...hosts].filter(Boolean).sort((one, other) => other.length - one.length);
    const pattern = names.map((name) => name.replace(/[^\w-]/g, '\\$&')).join('|');
    this.#hosts = pattern ? new RegExp(pattern, 'gi') : undefined;
    this.#masking = keepsTexts ? new TextRedaction(keys, [], false) : undefined;
  }

  /** Returns what redacts the texts in a body: it keeps none if the body has a key, which may be split there. */
  forBody(body: string): TextRedaction {
    return this.#masking && this.hasKey(body) ? this.#masking : this;
  }

  /**
   * Returns as many `x`; if texts are kept, the text without what only those may know who were given it: host names,
   * and whatever addresses and queries have. A text that has a key is masked as a whole.
   */
  redact(text: string): string {
    if (!this.#keepsTexts || this.hasKey(text)) return mask(text);
    const kept = text
      .replace(ADDRESS, (address) => {
        const start = address.indexOf('://');
        return address.slice(0, start) + maskLetters(address.slice(start));
      })
      .replace(QUERY, (query) => (query.includes('=') ? maskLetters(query) : query));
    return this.#hosts ? kept.replace(this.#hosts, mask) : kept;
  }

  /** Returns whether a text contains a key, in an encoding known to `redactSecret` or escaped as in JSON, HTML, or XML. */
  hasKey(text: string): boolean {
    if (text.length < this.#shortestKey) return false;
    return listDecodings(text).some((form) => this.#keys.some((key) => redactSecret(form, key) !== form));
  }
}

export function mask(text: string): string {
  return 'x'.repeat(text.length);
}

/** Masks all but punctuation. */
function maskLetters(text: string): string {
  return text.replace(/[^-/:?#[\]@!$&()*+,;=.%_~]/g, 'x');
}

/** Returns the text, what it is without invisible characters, and unescaped. */
function listDecodings(text: string): readonly string[] {
  const forms = new Set([text]);
  let latest = [toPlainText(text, Number.POSITIVE_INFINITY)];
  for (let count = 0; count <= MAX_DECODINGS && latest.length > 0; count++) {
    for (const form of latest) forms.add(form);
    const decoded = latest
      .flatMap((form) => [unescapeJson(form), unescapeHtml(form)])
      .map((form) => toPlainText(form, Number.POSITIVE_INFINITY));
    latest = [...new Set(decoded)].filter((form) => !forms.has(form));
  }
  return [...forms];
}

function unescapeJson(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, code?: string, letter = '') =>
    code === undefined ? letter : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Also of XML. */
function unescapeHtml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (whole, hex?: string, decimal?: string, entity?: string) => {
      if (entity !== undefined) return ENTITIES[entity.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
