import { isIdField, isWord } from './fieldRules';
import type { Pseudonyms } from './pseudonyms';
import type { OriginRole } from './recording';
import { mask, type TextRedaction } from './textRedaction';

/** The path of the base URL in recordings. */
const BASE_PATH = '/api/v1';

/** The parts of the API's paths that are no IDs (docs/service.md, and operations that are publicly known). */
const OPERATION_WORDS = new Set(
  'conversations messages stream documents file webpage uploads signed-url bots folders'.split(' '),
);

/** Parameters of the API with values that aren't text, and what these look like. */
const QUERY_VALUES: Readonly<Record<string, RegExp>> = {
  page: /^\d{1,9}$/,
  per_page: /^\d{1,9}$/,
  includes: /^[a-z_]{1,20}(,[a-z_]{1,20}){0,5}$/,
};

/** A redacted URL in its parts. */
export interface Place {
  readonly origin: OriginRole;
  /** Of the API: without the path of the base URL. */
  readonly path: string;
  /** `path` with `{id}` for IDs. */
  readonly template: string;
  /** Without `?`. */
  readonly query: string;
}

/** Redacts URLs: hosts become one of four names, IDs in paths pseudonyms, and values of queries `x`. */
export class UrlRedaction {
  readonly #bases: readonly URL[];
  readonly #roles: ReadonlyMap<string, OriginRole>;
  readonly #ids: Pseudonyms;
  readonly #texts: TextRedaction;

  /** `baseUrls`: of the API; `roles`: of the other origins. */
  constructor(
    baseUrls: Iterable<string>,
    roles: ReadonlyMap<string, OriginRole>,
    ids: Pseudonyms,
    texts: TextRedaction,
  ) {
    this.#bases = [...baseUrls].map((url) => new URL(url));
    this.#roles = roles;
    this.#ids = ids;
    this.#texts = texts;
  }

  /** Redacts a URL, if the text is one and nothing else. */
  redact(text: string): string | undefined {
    if (!/^[a-z][a-z0-9+.-]{0,19}:\/\/\S+$/i.test(text) || !URL.canParse(text)) return undefined;
    const url = new URL(text);
    const { origin, path, query } = this.locate(url);
    const hash = url.hash && `#${mask(url.hash.slice(1))}`;
    return `https://${origin}.invalid${path}${query && `?${query}`}${hash}`;
  }

  /** Redacts a path that is resolved against `base`, if the text is one and nothing else. */
  redactPath(text: string, base: string): string | undefined {
    if (!/^\/(?!\/)\S*$/.test(text) || !URL.canParse(text, base)) return undefined;
    const { origin, path, query } = this.locate(new URL(text, base));
    return (origin === 'api' ? BASE_PATH : '') + path + (query && `?${query}`);
  }

  locate(url: URL): Place {
    const { origin } = url;
    const base = this.#bases.find(
      (base) =>
        base.origin === origin && `${url.pathname}/`.startsWith(`${base.pathname.replace(/\/$/, '')}/`),
    );
    const role = base ? 'api' : (this.#roles.get(origin) ?? 'other');
    const path = base ? url.pathname.slice(base.pathname.replace(/\/$/, '').length) : url.pathname;
    const isWordOfPath = (part: string) => part === '' || (role === 'api' && OPERATION_WORDS.has(part));
    const parts = path.split('/');
    return {
      origin: role,
      path: parts.map((part) => (isWordOfPath(part) ? part : this.#redactPart(part))).join('/'),
      template: parts.map((part) => (isWordOfPath(part) ? part : '{id}')).join('/'),
      query: this.#redactQuery(url.search.slice(1), role),
    };
  }

  #redactPart(part: string): string {
    return encodeURIComponent(this.#ids.get(decode(part)));
  }

  #redactQuery(query: string, role: OriginRole): string {
    if (query === '') return '';
    return query
      .split('&')
      .map((parameter) => {
        const [name = '', ...rest] = parameter.split('=').map((part) => decode(part.replaceAll('+', ' ')));
        // Without a value, the name may be one.
        if (rest.length === 0) return mask(name);
        const value = rest.join('=');
        const isShown = isWord(name) && !this.#texts.hasKey(name);
        const shown = role === 'api' ? this.#redactValue(name, value) : mask(value);
        return `${isShown ? name : mask(name)}=${encodeURIComponent(shown)}`;
      })
      .join('&');
  }

  #redactValue(name: string, value: string): string {
    if (value === '') return '';
    if (isIdField(name)) return this.#ids.get(value);
    if (QUERY_VALUES[name]?.test(value) && !this.#texts.hasKey(value)) return value;
    return mask(value);
  }
}

/** Decodes a part of a URL, or returns it as it is if it isn't encoded correctly. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
