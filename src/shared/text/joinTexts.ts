/** Joins the texts that aren't empty as paragraphs. */
export function joinTexts(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
