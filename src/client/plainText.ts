import { redactSecret } from './redactSecret';

// Escape sequences that a terminal acts on: ESC [ … final byte, and ESC ] … BEL or ESC \. \u009b is the
// one-byte ESC [.
const TERMINAL_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences are control characters
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g;

// Controls, invisible characters (bidi, tags, byte order marks, fillers, variation selectors), lone
// surrogates, private use and line separators. Keeps line feeds and tabs, and the joiners and selectors that
// scripts and emoji need.
const UNSAFE_CHARACTERS =
  /(?![\n\t\u200c]|[\u200d]|[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Makes untrusted text inert: removes terminal sequences, control, bidi and tag characters, and truncates it
 * to `maxCodePoints` code points and an ellipsis.
 */
export function toPlainText(text: string, maxCodePoints: number): string {
  return truncate(text.replace(TERMINAL_SEQUENCES, '').replace(UNSAFE_CHARACTERS, '').trim(), maxCodePoints);
}

const VISIBLE_CHARACTER = /[^\s\u2800\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** Returns whether nothing of a text can be seen once it is made inert, such as one of spaces and invisible characters. */
export function isBlank(text: string): boolean {
  return !VISIBLE_CHARACTER.test(toPlainText(text, Number.POSITIVE_INFINITY));
}

/** Like `toPlainText`, and redacts `secret` in all forms that `redactSecret` knows. */
export function toRedactedText(text: string, maxCodePoints: number, secret: string | undefined): string {
  // Clean first: an invisible character inside the secret would hide it. Truncate last: half a secret is
  // still a secret.
  const clean = toPlainText(text, Number.POSITIVE_INFINITY);
  return truncate(secret ? redactStart(clean, secret) : clean, maxCodePoints);
}

/** In UTF-16 code units: redacting takes much longer than anything else that is done to a text. */
const MAX_REDACTED_LENGTH = 65_536;
/** Characters dropped where a longer text is cut, which may be in the middle of a secret; longer than any form of a secret. */
const MAX_SECRET_LENGTH = 16_384;

function redactStart(text: string, secret: string): string {
  if (text.length <= MAX_REDACTED_LENGTH) return redactSecret(text, secret);
  const redacted = redactSecret(text.slice(0, MAX_REDACTED_LENGTH), secret);
  return `${redacted.slice(0, Math.max(0, redacted.length - MAX_SECRET_LENGTH))}…`;
}

function truncate(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints) return text;
  let end = 0;
  for (let count = 0; end < text.length; count++) {
    if (count === maxCodePoints) return `${text.slice(0, end).trimEnd()}…`;
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text;
}
