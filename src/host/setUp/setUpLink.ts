import { parseBaseUrl } from '../../client/baseUrl';
import { findUrlProblem } from '../../client/urlRules';
import { escapeInvisible } from '../../shared/text/escapeInvisible';

/** In UTF-16 code units. */
const MAX_QUERY = 2000;
const MAX_NAME = 60;

/** Why a set-up link is refused. */
export type SetUpLinkProblem =
  | 'hasKey'
  | 'hasCredentials'
  | 'notHttps'
  | 'internationalHost'
  | 'unusualHost'
  | 'linkLocal'
  | 'otherVersion'
  | 'invalidUrl'
  | 'invalidName'
  | 'invalidBot'
  | 'unknownPart'
  | 'tooLong';

/** What a set-up link proposes; nothing of it is stored or sent before the user agrees. */
export interface SetUpProposal {
  readonly baseUrl: string;
  /** Absent to name the service by its host. */
  readonly name?: string;
  readonly botId?: string;
}

export type SetUpLink =
  | { readonly ok: true; readonly proposal: SetUpProposal }
  /** `host`: the host as it would be asked, with punycode. */
  | { readonly ok: false; readonly problem: SetUpLinkProblem; readonly host?: string };

const PARTS = ['url', 'name', 'bot'];
/** Names under which people put keys into links. */
const KEY_NAME = /key|token|secret|passw|auth|bearer|credential|signature/i;
/** What keys look like in any part of a link. */
const KEY_VALUE = /\bsk[-_][\w-]{16,}|\bbearer\s+\S/i;

/** Creates the query of a set-up link. A link never contains a key. */
export function createSetUpQuery({ baseUrl, name, botId }: SetUpProposal): string {
  const query = new URLSearchParams({ url: baseUrl });
  if (name !== undefined) query.set('name', name);
  if (botId !== undefined) query.set('bot', botId);
  return query.toString();
}

/** Parses the query and the fragment of a set-up link, which anyone may have made. */
export function parseSetUpLink(query: string, fragment = ''): SetUpLink {
  const refuse = (problem: SetUpLinkProblem): SetUpLink => ({ ok: false, problem });
  // First of all, because a key that was in a link must be replaced, whatever else is wrong with the link.
  if (hasKey(query) || hasKey(fragment)) return refuse('hasKey');
  if (query.length > MAX_QUERY) return refuse('tooLong');
  const parts = new URLSearchParams(query);
  const names = [...parts.keys()];
  if (fragment !== '' || names.some((name) => !PARTS.includes(name))) return refuse('unknownPart');
  if (new Set(names).size < names.length) return refuse('unknownPart');
  const url = checkServiceUrl(parts.get('url') ?? '');
  if (!('baseUrl' in url)) return { ok: false, ...url };
  const name = (parts.get('name') ?? '').replace(/\s+/g, ' ').trim();
  if (Array.from(name).length > MAX_NAME || escapeInvisible(name) !== name) return refuse('invalidName');
  if (isNameOfOther(name, url.baseUrl)) return refuse('invalidName');
  const botId = parts.get('bot') ?? '';
  if (!/^[\x21-\x7e]{0,200}$/.test(botId)) return refuse('invalidBot');
  return {
    ok: true,
    proposal: { ...url, ...(name !== '' && { name }), ...(botId !== '' && { botId }) },
  };
}

/** Returns whether a name would pass a service off as another one: it is a host or a URL, but not the service's host. */
export function isNameOfOther(name: string, baseUrl: string): boolean {
  const looksLikeHost = /^[^\s/]+\.[^\s/.]{2,}\.?(:\d+)?$|:\/\//u.test(name);
  return looksLikeHost && name.toLowerCase() !== new URL(baseUrl).host;
}

/**
 * Checks the URL of a link more strictly than one that is typed: the user reads it only once, so it must say plainly where
 * it leads.
 */
export function checkServiceUrl(
  text: string,
): { readonly baseUrl: string } | { readonly problem: SetUpLinkProblem; readonly host?: string } {
  const parsed = parseBaseUrl(text);
  const host = URL.canParse(text) ? new URL(text).host : '';
  const refuse = (problem: SetUpLinkProblem) => ({ problem, ...(host !== '' && { host }) });
  if (!parsed.ok) {
    const isNamed = parsed.problem === 'notHttps' || parsed.problem === 'hasCredentials';
    return refuse(isNamed ? parsed.problem : 'invalidUrl');
  }
  const { hostname, pathname } = new URL(parsed.url);
  if (/(^|\.)xn--/.test(hostname)) return refuse('internationalHost');
  const [, rawHost = '', rawPath = ''] = /^[a-z]+:\/\/([^/]*)(.*)$/i.exec(text) ?? [];
  // Another notation of an IP address, a name with a dot at its end, an escape, a backslash or an invisible character.
  if (rawHost.toLowerCase().replace(/:(443|80)$/, '') !== host.toLowerCase() || /\.$/.test(hostname))
    return refuse('unusualHost');
  if (findUrlProblem(parsed.url, 'https://service.invalid') === 'linkLocal') return refuse('linkLocal');
  if (!/^[\w.~/-]*$/.test(rawPath) || rawPath.replace(/\/+$/, '') !== pathname.replace(/\/+$/, ''))
    return refuse('invalidUrl');
  if (!/\/v1$/.test(parsed.url)) return refuse('otherVersion');
  return { baseUrl: parsed.url };
}

/** Returns whether a part of a link is named or looks like a key. */
function hasKey(text: string): boolean {
  const looked = text.slice(0, 10 * MAX_QUERY);
  const parts = [...new URLSearchParams(looked)];
  // Percent signs may be escaped again, and a URL in the link may have parts of its own.
  const nested = parts.flatMap(([, value]) => [...new URLSearchParams(/[?#](.*)$/s.exec(value)?.[1] ?? '')]);
  return (
    [...parts, ...nested].some(([name, value]) => KEY_NAME.test(name) && value !== '') ||
    parts.some(([name, value]) => KEY_VALUE.test(name) || KEY_VALUE.test(value))
  );
}
