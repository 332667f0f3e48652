import { MAX_ADDRESS_LENGTH } from '../../shared/text/linkAddress';

/** Returns an address that an exported document may link to: only `https:`, as in the panel. */
export function toSafeLink(url: string): string | undefined {
  if (url.length > MAX_ADDRESS_LENGTH || !URL.canParse(url)) return undefined;
  const { protocol, username, password, href } = new URL(url);
  return protocol === 'https:' && !username && !password
    ? href.replace(/[\\<>]/g, encodeURIComponent)
    : undefined;
}
