// Control and invisible characters, except line feeds, tabs, and the joiners and selectors that scripts and emoji need.
const INVISIBLE =
  /(?![\n\t\u200c]|[\u200d]|[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Escapes control, bidirectional, tag and other invisible characters in untrusted text, so that it can't imitate another. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** Returns the escape sequence of a character, such as `\u{202e}`. */
function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/**
 * Bidirectional controls, which right-to-left text doesn't need and which make code read as different code. And other
 * control characters and line separators, which browsers don't show and terminals act on.
 */
const BIDI_AND_CONTROL = /[\u202a-\u202e\u2066-\u2069\u2028\u2029]|[^\P{Cc}\t\n\r]/gu;

/** Escapes characters that would reorder others or are hidden. Works chunk by chunk. */
export function escapeBidi(text: string): string {
  return text.replace(BIDI_AND_CONTROL, escapeCharacter);
}
