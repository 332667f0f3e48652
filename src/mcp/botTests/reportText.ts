import { escapeInvisible } from '../../shared/text/escapeInvisible';

/** What XML 1.0 can't have, not even escaped: other control characters, halves of surrogate pairs, and two noncharacters. */
const NOT_XML = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Makes a text of others inert on a terminal and in the log of a build server, which acts on lines with `::` or `##[`. */
export function toLogText(text: string): string {
  return escapeInvisible(text)
    .replace(/##(?=[\w.-]{0,20}\[)/g, '# #')
    .replace(/^(\s*):(?=:)/gm, '$1: ');
}

/** Returns a text as the content of an XML element. */
export function toXmlText(text: string): string {
  return toXmlCharacters(text).replace(/[&<>]/g, (character) => ENTITIES[character] ?? '');
}

/** Returns a text as the value of an XML attribute, without its quotation marks. */
export function toXmlAttribute(text: string): string {
  return toXmlCharacters(text).replace(/[&<>"\n\t]/g, (character) => ENTITIES[character] ?? '');
}

function toXmlCharacters(text: string): string {
  return escapeInvisible(text).replace(
    NOT_XML,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
