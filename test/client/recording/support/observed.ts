import type { ObservedExchange, ObservedResponse } from '../../../../src/client/recording/exchangeObserver';

export const BASE_URL = 'https://bots.acme.example/tenant-7/api/v1';

/** Creates the response of an exchange: JSON, a text, or the pieces of a stream. */
export function responseOf(
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): ObservedResponse {
  const type =
    typeof content === 'string'
      ? 'text/plain'
      : Array.isArray(content)
        ? 'text/event-stream'
        : 'application/json';
  const pieces: readonly string[] =
    typeof content === 'string' ? [content] : Array.isArray(content) ? content : [JSON.stringify(content)];
  return {
    at: 2,
    status,
    headers: new Headers({ 'Content-Type': type, ...headers }),
    chunks: pieces.map((piece, index) => ({ at: 3 + index, bytes: new TextEncoder().encode(piece) })),
  };
}

export function exchangeOf(
  rest: Partial<ObservedExchange> & { readonly path?: string } = {},
): ObservedExchange {
  const { path = '/messages', ...others } = rest;
  const url = BASE_URL + path;
  return { at: 1, baseUrl: BASE_URL, url, method: 'GET', headers: { Accept: 'application/json' }, ...others };
}
