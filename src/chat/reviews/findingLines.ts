/** A change to a text: what was replaced, as positions from 0, and by what. */
export interface LineChange {
  readonly startLine: number;
  readonly endLine: number;
  readonly endCharacter: number;
  /** The number of line breaks in the new text. */
  readonly lineBreaks: number;
}

/** How many lines away from where a finding says a line is looked for. */
const MAX_DISTANCE = 200;

/**
 * Returns the index of the line that a finding is about, from 0; undefined if the file has no such line. `expected`: the
 * line's text in the diff, which other changes to the file may have moved.
 */
export function findFindingLine(
  fileLines: readonly string[],
  line: number,
  expected: string | undefined,
): number | undefined {
  const named = line - 1;
  if (expected !== undefined && expected.trim() !== '') {
    for (let distance = 0; distance <= MAX_DISTANCE; distance++) {
      for (const index of [named - distance, named + distance])
        if (fileLines[index] === expected) return index;
    }
  }
  return named >= 0 && named < fileLines.length ? named : undefined;
}

/** Returns where a line is after a change to the text; both from 0. */
export function moveLine(line: number, change: LineChange): number {
  const { startLine, endLine, endCharacter, lineBreaks } = change;
  const newEnd = startLine + lineBreaks;
  if (endLine < line || (endLine === line && endCharacter === 0)) return line - endLine + newEnd;
  if (startLine >= line) return line;
  // What is left of the line follows the new text; of a line that was removed, nothing is.
  return endLine === line ? newEnd : Math.min(line, newEnd);
}
