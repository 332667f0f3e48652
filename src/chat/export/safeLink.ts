/** Returns an address that an exported document may link to: only `https:`, as in the panel. */
export function toSafeLink(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, username, password, href } = new URL(url);
  return protocol === 'https:' && !username && !password
    ? href.replace(/[\\<>]/g, encodeURIComponent)
    : undefined;
}
