import { isLoopback } from './urlRules';

/** Why a text is not a base URL. `notHttps`: only loopback may use `http:`. */
export type BaseUrlProblem = 'notAbsolute' | 'notHttps' | 'hasCredentials' | 'hasQuery' | 'hasFragment';

export type BaseUrl =
  | {
      readonly ok: true;
      /** Normalized, without a trailing slash. */
      readonly url: string;
      /** The only origin that receives the API key. */
      readonly origin: string;
      /**
       * Whether the path ends with a version, such as `/api/v1` (docs/service.md: Rules for every operation).
       */
      readonly hasVersionPath: boolean;
      /** `url` with `/api/v1` appended if it has no version, as a suggestion. */
      readonly withVersionPath: string;
    }
  | { readonly ok: false; readonly problem: BaseUrlProblem };

/** Parses what the user entered as the service's `{base_url}`, including `/api/v1`. */
export function parseBaseUrl(text: string): BaseUrl {
  const trimmed = text.trim();
  // `localhost:3000` parses as a URL with the scheme `localhost:`, so require the slashes.
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) || !URL.canParse(trimmed))
    return { ok: false, problem: 'notAbsolute' };
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    return { ok: false, problem: 'notHttps' };
  }
  if (url.username || url.password) return { ok: false, problem: 'hasCredentials' };
  if (trimmed.includes('#')) return { ok: false, problem: 'hasFragment' };
  if (trimmed.includes('?')) return { ok: false, problem: 'hasQuery' };
  const path = url.pathname.replace(/\/+$/, '');
  const base = url.origin + path;
  const hasVersionPath = /\/v\d+$/.test(path);
  return {
    ok: true,
    url: base,
    origin: url.origin,
    hasVersionPath,
    withVersionPath: hasVersionPath ? base : `${base.replace(/\/api$/, '')}/api/v1`,
  };
}
