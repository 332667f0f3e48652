import { isLoopback } from './urlRules';

/** Why a text is no base URL. `notHttps`: only loopback may be reached by `http:`. */
export type BaseUrlProblem = 'notAbsolute' | 'notHttps' | 'hasCredentials' | 'hasQuery' | 'hasFragment';

export type BaseUrl =
  | {
      readonly ok: true;
      /** Normalised, without a trailing slash. */
      readonly url: string;
      /** The only origin that the API key goes to. */
      readonly origin: string;
      /** Whether the path ends with a version, such as `/api/v1` (docs/service.md: Rules for every operation). */
      readonly hasVersionPath: boolean;
      /** `url`, with `/api/v1` appended where it has no version yet: an offer to make. */
      readonly withVersionPath: string;
    }
  | { readonly ok: false; readonly problem: BaseUrlProblem };

/** Reads what a person typed as the service's `{base_url}`, `/api/v1` included. */
export function parseBaseUrl(text: string): BaseUrl {
  const trimmed = text.trim();
  // `localhost:3000` parses as a URL of the scheme `localhost:`, hence the slashes.
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
