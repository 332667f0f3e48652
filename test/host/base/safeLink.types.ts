import { openSafeLink } from '../../../src/host/base/externalLink';
import { type SafeLink, toOpenableLink, toSafeLink } from '../../../src/shared/text/safeLink';

// Compiled with the lint, and never run: a URL that wasn't checked doesn't open.

export async function openChecked(address: string) {
  const link = toSafeLink(address) ?? toOpenableLink(address);
  if (link) await openSafeLink(link);
}

export async function openUnchecked(address: string) {
  // @ts-expect-error
  await openSafeLink(address);
  // @ts-expect-error
  await openSafeLink('https://example.com/');
  // @ts-expect-error: parsed isn't checked.
  await openSafeLink(new URL(address).href);
  // @ts-expect-error: it may be none.
  await openSafeLink(toSafeLink(address));
  // @ts-expect-error: what is changed is no longer checked.
  const changed: SafeLink = `${toSafeLink(address)}#top`;
  return changed;
}
