/** The longest message the service takes, in Unicode code points (contract: Limits). */
export const MAX_MESSAGE_CODE_POINTS = 2000;

/** Counts Unicode code points without building an array; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) index++;
    count++;
  }
  return count;
}
