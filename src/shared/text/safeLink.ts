import { MAX_ADDRESS_LENGTH } from './linkAddress';

declare const safe: unique symbol;

/** A URL that was checked and normalized, so that what was checked is what opens. Only this file makes it. */
export type SafeLink = string & { readonly [safe]: true };

/** Returns the URL if it may be opened outside VS Code: only `https:` and `mailto:`. */
export function toOpenableLink(address: string): SafeLink | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === 'https:' || protocol === 'mailto:' ? (href as SafeLink) : undefined;
}

/** Returns an address that an exported document may link to: only `https:`, without a user name and a password. */
export function toSafeLink(address: string): SafeLink | undefined {
  const link = address.length > MAX_ADDRESS_LENGTH ? undefined : toOpenableLink(address);
  if (link === undefined) return undefined;
  const { protocol, username, password } = new URL(link);
  return protocol === 'https:' && !username && !password
    ? (link.replace(/[\\<>]/g, encodeURIComponent) as SafeLink)
    : undefined;
}

/** Returns whether a link opens the email app. */
export function isEmailLink(link: SafeLink): boolean {
  return link.startsWith('mailto:');
}
