/** Limit of a link's address, in UTF-16 code units. Many references in a text may share one, and each of them repeats it. */
export const MAX_ADDRESS_LENGTH = 10_000;

/** Limit of an address that is shown instead of an alternative text. */
const MAX_SHOWN_LENGTH = 100;

/** Shortens an address that is shown instead of an alternative text. */
export function shortenAddress(address: string): string {
  return address.length > MAX_SHOWN_LENGTH ? `${address.slice(0, MAX_SHOWN_LENGTH)}…` : address;
}
