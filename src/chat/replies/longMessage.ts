import { trimEndCharacters } from '../../shared/trimEnd';
import type { Turn } from '../model/conversation';
import { toFileName } from '../text/fileName';

/** Code points of a message that say what a document is about. */
const BEGINNING = 300;
const LONGEST_NAME = 60;

/** The name of a text that becomes a document: its first heading or line, where that can be a name, else `message-1.md`. */
export function createDocumentName(text: string, turns: readonly Turn[]): string {
  const taken = new Set(turns.flatMap((turn) => (turn.kind === 'document' ? [turn.name] : [])));
  const line = trimEndCharacters(firstLine(text).replace(/^[#>\s*-]+/, ''), '# \t');
  const isName =
    /[\p{L}\p{N}]{2}/u.test(line) && !/^(?:`{3}|~{3})/.test(line) && Array.from(line).length <= LONGEST_NAME;
  const stem = isName ? toFileName(line) : 'message';
  for (let number = isName ? 0 : 1; ; number++) {
    const name = number === 0 ? `${stem}.md` : `${stem}-${number}.md`;
    if (!taken.has(name)) return name;
  }
}

/** How a text begins, as far as it says what it is about: its first line, cut where it is very long. */
export function createLeadIn(text: string): string {
  const points = Array.from(firstLine(text));
  return points.length <= BEGINNING ? points.join('') : `${points.slice(0, BEGINNING).join('')}…`;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.trim() ?? '';
}
