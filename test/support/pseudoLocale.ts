const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'ÀƁÇÐÈƑĜĤÌĴĶĻṀÑÒÞǪŔŠŢÛṼŴẊÝŽàƀçđèƒĝĥìĵķļɱñòþʠŕšţûṽŵẋýž';

/** Translates a message to a pseudo-locale: legible, without ASCII letters, with unchanged placeholders. */
export function toPseudo(message: string): string {
  const accented = message.replace(/\{\d+\}|[A-Za-z]/g, (part) => ACCENTED[PLAIN.indexOf(part)] ?? part);
  return `[${accented}]`;
}

/** Creates a bundle in the pseudo-locale. */
export function createPseudoBundle(messages: Iterable<string>): Record<string, string> {
  return Object.fromEntries(Array.from(messages, (message) => [message, toPseudo(message)]));
}

/** Finds the untranslated words of a text. */
export function findPlainWords(text: string): string[] {
  return text.match(/[A-Za-z]{2,}/g) ?? [];
}
