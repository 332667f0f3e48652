/** Longer than addresses are. Many references in a text may share one, which each of them writes. */
const MAX_URL_LENGTH = 10_000;

/** Returns an address that an exported document may link to: only `https:`, as in the panel. */
export function toSafeLink(url: string): string | undefined {
  if (url.length > MAX_URL_LENGTH || !URL.canParse(url)) return undefined;
  const { protocol, username, password, href } = new URL(url);
  return protocol === 'https:' && !username && !password
    ? href.replace(/[\\<>]/g, encodeURIComponent)
    : undefined;
}
