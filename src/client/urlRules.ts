/** Why a URL from the service isn't followed. */
export type UrlProblem = 'notAbsolute' | 'notHttps' | 'hasCredentials' | 'linkLocal';

/** Returns whether a URL's `hostname` is this machine. */
export function isLoopback(hostname: string): boolean {
  // The URL parser has normalized every notation of an IPv4 address; `127.example.com` isn't one. Neither is
  // `x.localhost`: a browser resolves it to this machine, but Node asks DNS.
  return /^localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);
}

// 169.254/16 (also written as IPv6) and fe80::/10, as the URL parser normalizes them.
const LINK_LOCAL = /^169\.254\.\d+\.\d+$|^\[::ffff:a9fe:|^\[fe[89ab][0-9a-f]:/;

/**
 * Checks a URL given by the service: `https:`, or `http:` on loopback if the service is there, too; no userinfo; not
 * link-local, where clouds keep the credentials of their instances. The API's own origin was chosen by the user and may
 * be link-local.
 */
export function findUrlProblem(text: string, apiOrigin: string): UrlProblem | undefined {
  if (!URL.canParse(text)) return 'notAbsolute';
  const url = new URL(text);
  if (url.username || url.password) return 'hasCredentials';
  // Another service must not reach what listens on this machine.
  const mayBePlain = isLoopback(url.hostname) && isLoopback(new URL(apiOrigin).hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain)) return 'notHttps';
  if (LINK_LOCAL.test(url.hostname) && url.origin !== apiOrigin) return 'linkLocal';
  return undefined;
}
