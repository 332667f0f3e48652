const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'ÀƁÇÐÈƑĜĤÌĴĶĻṀÑÒÞǪŔŠŢÛṼŴẊÝŽàƀçđèƒĝĥìĵķļɱñòþʠŕšţûṽŵẋýž';

/** A message as no language says it: legible, without a letter of ASCII, its places for arguments as they were. */
export function pseudo(message: string): string {
  const accented = message.replace(/\{\d+\}|[A-Za-z]/g, (part) => ACCENTED[PLAIN.indexOf(part)] ?? part);
  return `[${accented}]`;
}

/** A whole bundle in it. */
export function pseudoBundle(messages: Iterable<string>): Record<string, string> {
  return Object.fromEntries(Array.from(messages, (message) => [message, pseudo(message)]));
}

/** The words of a text that no bundle translated. */
export function plainWords(text: string): string[] {
  return text.match(/[A-Za-z]{2,}/g) ?? [];
}
