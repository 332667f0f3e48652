/**
 * The text without what is at its end of some characters. A regular expression such as `/ +$/` looks for the end from each
 * of the characters of each run in the text, which takes the square of a run's length.
 */
export function trimEndCharacters(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
