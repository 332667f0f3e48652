/**
 * Removes trailing characters from a text. A regular expression such as `/ +$/` retries from every character of every run
 * in the text, which takes quadratic time.
 */
export function trimEndCharacters(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
