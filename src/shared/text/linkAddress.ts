/** Longer than addresses are, in UTF-16 code units. Many references in a text may share one, which is written for each of them. */
export const MAX_ADDRESS_LENGTH = 10_000;

/** More of an address isn't shown instead of an alternative text. */
const MAX_SHOWN_LENGTH = 100;

/** Shortens an address that is shown instead of an alternative text. */
export function shortenAddress(address: string): string {
  return address.length > MAX_SHOWN_LENGTH ? `${address.slice(0, MAX_SHOWN_LENGTH)}…` : address;
}
