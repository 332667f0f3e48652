import { characterEntities } from 'character-entities';
import { escapeBidi } from '../../../text/escapeInvisible';

const REFERENCE = /^&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]*));$/;

/** Decodes a character reference such as `&copy;` or `&#169;`; returns undefined if it isn't one. */
export function decodeReference(reference: string): string | undefined {
  const [, decimal, hexadecimal, name] = REFERENCE.exec(reference) ?? [];
  if (name !== undefined) return Object.hasOwn(characterEntities, name) ? characterEntities[name] : undefined;
  if (decimal !== undefined) return toCharacter(Number.parseInt(decimal, 10));
  return hexadecimal === undefined ? undefined : toCharacter(Number.parseInt(hexadecimal, 16));
}

/**
 * Returns the character, or the replacement character for NUL and invalid code points (CommonMark 2.5). Escapes hidden
 * characters, as in text without references.
 */
function toCharacter(codePoint: number): string {
  const isCharacter = codePoint !== 0 && codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
  return escapeBidi(String.fromCodePoint(isCharacter ? codePoint : 0xfffd));
}
