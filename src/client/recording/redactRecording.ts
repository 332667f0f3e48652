import type { ObservedExchange, ObservedResponse } from './exchangeObserver';
import { TOKEN } from './fieldRules';
import { type Redaction, redactJson } from './jsonRedaction';
import { Pseudonyms } from './pseudonyms';
import type { OriginRole, Recording, RedactedContent, RedactedExchange, RedactedResponse } from './recording';
import { redactStream } from './streamRedaction';
import { mask, TextRedaction } from './textRedaction';
import { UrlRedaction } from './urlRedaction';

const HTTP_DATE = /^[A-Za-z]{3}, \d\d [A-Za-z]{3} \d{4} [\d:]{8} GMT$/;
const MEDIA_TYPES = /^(?:[a-z*]{1,20}\/[\w.+*-]{1,60}(?:; ?charset=[\w-]{1,20})?(?:, ?|$))+$/i;

/** The headers that are recorded, and what they look like; other values of theirs are masked. */
const HEADERS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(?:content-type|accept)$/, MEDIA_TYPES],
  [/^content-length$/, /^\d{1,15}$/],
  [/^date$/, HTTP_DATE],
  [/^retry-after$/, new RegExp(`^\\d{1,9}(?:\\.\\d{1,3})?$|${HTTP_DATE.source}`)],
  [/^x-ratelimit-[a-z-]{1,20}$/, /^\d{1,16}$/],
];

/** The elements of a storage's answer, which may be shown (docs/service.md: PUT {url}). */
const XML_TAGS = /(<\/?(?:Error|Code|Message|Key|Resource|RequestId|HostId|BucketName|Expires|ServerTime)>)/;

/** Removes from exchanges what must not leave the machine: keys, host names, signatures and, by default, texts. */
export function redactRecording(
  exchanges: readonly ObservedExchange[],
  options: { readonly startedAt: number; readonly keys: readonly string[]; readonly keepsTexts: boolean },
): Recording {
  const { startedAt, keys, keepsTexts } = options;
  const hosts = new Set(
    exchanges
      .flatMap(({ url, baseUrl }) => [url, baseUrl])
      .flatMap((url) => {
        const { host, hostname } = new URL(url);
        return [host, hostname];
      }),
  );
  const texts = new TextRedaction(keys, hosts, keepsTexts);
  const ids = new Pseudonyms();
  const baseUrls = new Set(exchanges.map(({ baseUrl }) => baseUrl));
  const urls = new UrlRedaction(baseUrls, findRoles(exchanges), ids, texts);
  return {
    parleyRecording: 1,
    startedAt: new Date(startedAt).toISOString(),
    textsKept: keepsTexts,
    exchanges: exchanges.map((exchange) => redactExchange(exchange, { texts, ids, urls, url: exchange.url })),
  };
}

/** Finds out what each origin is for, by what was requested of it. */
function findRoles(exchanges: readonly ObservedExchange[]): ReadonlyMap<string, OriginRole> {
  const roles = new Map<string, OriginRole>();
  for (const { url, method, headers } of exchanges) {
    const role = method === 'PUT' ? 'storage' : headers.Accept === 'text/event-stream' ? 'stream' : undefined;
    const { origin } = new URL(url);
    if (role && !roles.has(origin)) roles.set(origin, role);
  }
  return roles;
}

function redactExchange(exchange: ObservedExchange, redaction: Redaction): RedactedExchange {
  const { at, url, method, headers, body, bodyBytes, response, failure } = exchange;
  const { origin, path, template, query } = redaction.urls.locate(new URL(url));
  return {
    ...{ at, operation: `${method} ${template}`, origin, path },
    ...(query && { query }),
    request: {
      headers: redactHeaders(new Headers(headers), redaction),
      ...(body !== undefined && redactBody(new TextEncoder().encode(body), '', redaction)),
      ...(bodyBytes !== undefined && { bytes: bodyBytes }),
    },
    ...(response && { response: redactResponse(response, redaction) }),
    ...(failure !== undefined && { failure }),
  };
}

function redactResponse(response: ObservedResponse, redaction: Redaction): RedactedResponse {
  const { at, status, headers, chunks, incomplete } = response;
  const type = headers.get('content-type') ?? '';
  return {
    at,
    status,
    headers: redactHeaders(headers, redaction),
    ...(/^text\/event-stream\b/i.test(type)
      ? { events: redactStream(chunks, redaction) }
      : redactBody(joinBytes(chunks.map(({ bytes }) => bytes)), type, redaction)),
    ...(incomplete && { incomplete }),
  };
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let length = 0;
  for (const part of parts) {
    bytes.set(part, length);
    length += part.length;
  }
  return bytes;
}

function redactBody(bytes: Uint8Array, type: string, redaction: Redaction): RedactedContent {
  if (bytes.length === 0) return {};
  const text = new TextDecoder().decode(bytes);
  const texts = redaction.texts.forBody(text);
  try {
    return { body: redactJson(JSON.parse(text), { ...redaction, texts }) };
  } catch {
    const isText = type === '' || /^text\/|json|xml|html/i.test(type);
    return isText ? { text: redactMarkup(text, texts) } : { bytes: bytes.length };
  }
}

/** Redacts a text; of XML, the names of elements and the error's code stay. */
function redactMarkup(text: string, texts: TextRedaction): string {
  const parts = text.split(XML_TAGS);
  return parts
    .map((part, index) => {
      const isCode = parts[index - 1] === '<Code>' && TOKEN.test(part) && !texts.hasKey(part);
      const isKept = index % 2 === 1 || isCode;
      return isKept ? part : texts.redact(part);
    })
    .join('');
}

function redactHeaders(headers: Headers, redaction: Redaction): Record<string, string> {
  const redacted: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (name === 'location') redacted[name] = redactLocation(value, redaction);
    for (const [names, values] of HEADERS) {
      if (names.test(name))
        redacted[name] = values.test(value) && !redaction.texts.hasKey(value) ? value : mask(value);
    }
  });
  return redacted;
}

/** Redacts where a redirect leads, and leaves out its query. */
function redactLocation(location: string, { urls, url }: Redaction): string {
  return (urls.redact(location) ?? urls.redactPath(location, url) ?? mask(location)).replace(/[?#].*/, '');
}
