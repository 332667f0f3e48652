/**
 * Returns whether text matches a pattern in which `*` matches any characters. The pattern may come from a
 * hostile workspace, and as a regular expression it could take hours: this takes time proportional to the
 * product of both lengths.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  // The leftmost match of each part leaves the most text for the parts after it.
  let end = first.length;
  for (const part of rest) {
    const index = text.indexOf(part, end);
    if (index < 0) return false;
    end = index + part.length;
  }
  return text.length - last.length >= end && text.endsWith(last);
}
