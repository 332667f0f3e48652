// Control and invisible characters, except line feeds, tabs, and the joiners and selectors that scripts and emoji need.
const INVISIBLE =
  /(?![\n\t\u200c]|[\u200d]|[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Escapes control, bidirectional, tag and other invisible characters in untrusted text, so that it can't imitate another. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** Returns the escape sequence of a character, such as `\u{202e}`. */
export function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
