/**
 * Whether a text fits a pattern in which `*` stands for any characters. A pattern may come from a hostile workspace, and a regular
 * expression made of one can take hours: this takes no longer than the two are long, multiplied.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  // The leftmost place of each part leaves the most for those after it.
  let end = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, end);
    if (at < 0) return false;
    end = at + part.length;
  }
  return text.length - last.length >= end && text.endsWith(last);
}
