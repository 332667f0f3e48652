// Controls and whatever is invisible; line feeds and tabs stay, as do the joiners and selectors that scripts and emoji need.
const INVISIBLE =
  /(?![\n\t\u200c]|[\u200d]|[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Others' text with its control, bidirectional, tag and other invisible characters spelt out, so that it can't pose as something else. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** A character as a code point that can be read, such as `\u{202e}`. */
export function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
