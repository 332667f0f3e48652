import { trimEndCharacters } from '../../shared/text/trimEnd';
import type { Turn } from '../model/turn';
import { toFileName } from '../text/fileName';

/** Code points of the text that are quoted to say what a document is about. */
const MAX_LEAD_IN_CODE_POINTS = 300;
const MAX_NAME_CODE_POINTS = 60;

/**
 * Names a document after its text's first heading or line if that is a valid name, otherwise `message-1.md`.
 */
export function createDocumentName(text: string, turns: readonly Turn[]): string {
  const taken = new Set(turns.flatMap((turn) => (turn.kind === 'document' ? [turn.name] : [])));
  const line = trimEndCharacters(getFirstLine(text).replace(/^[#>\s*-]+/, ''), '# \t');
  const isName =
    /[\p{L}\p{N}]{2}/u.test(line) &&
    !/^(?:`{3}|~{3})/.test(line) &&
    Array.from(line).length <= MAX_NAME_CODE_POINTS;
  const stem = isName ? toFileName(line) : 'message';
  for (let number = isName ? 0 : 1; ; number++) {
    const name = number === 0 ? `${stem}.md` : `${stem}-${number}.md`;
    if (!taken.has(name)) return name;
  }
}

/** Returns the first line of a text, shortened if it is very long. */
export function createLeadIn(text: string): string {
  const points = Array.from(getFirstLine(text));
  return points.length <= MAX_LEAD_IN_CODE_POINTS
    ? points.join('')
    : `${points.slice(0, MAX_LEAD_IN_CODE_POINTS).join('')}…`;
}

function getFirstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.trim() ?? '';
}
