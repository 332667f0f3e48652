/** Returns the start and the end of each match, in order. Empty matches don't count: there is nothing to mark. */
export function findMatches(text: string, pattern: RegExp, maxMatches: number): number[] {
  const found: number[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match && found.length < maxMatches * 2; match = pattern.exec(text)) {
    const { lastIndex } = pattern;
    if (lastIndex > match.index) found.push(match.index, lastIndex);
    // Within a surrogate pair, the next search would start at the same place again.
    else pattern.lastIndex += (text.codePointAt(lastIndex) ?? 0) > 0xffff ? 2 : 1;
  }
  return found;
}
