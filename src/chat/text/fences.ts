/** Returns the text in a Markdown code block with a fence longer than any in the text. */
export function toFencedBlock(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\r\n?/g, '\n').replace(/\n$/, '')}\n${fence}`;
}

/** Returns the width of white space, expanding tabs as CommonMark does. */
function countColumns(space: string): number {
  let width = 0;
  for (const character of space) width += character === '\t' ? 4 - (width % 4) : 1;
  return width;
}

/**
 * Closes the last fenced block, so that text appended to the Markdown isn't code: a reply may break off
 * within one. A fence in a quote ends with the quote and is left open (CommonMark 0.31.2, section 4.5).
 */
export function closeLastFence(markdown: string): string {
  if (!/```|~~~/.test(markdown)) return markdown;
  /** Content columns of the open list items. */
  let items: number[] = [];
  let open: { readonly mark: string; readonly column: number; readonly container: number } | undefined;
  /**
   * Whether the previous line is paragraph text, which the next line continues regardless of its indentation.
   */
  let paragraph = false;
  for (const line of markdown.split(/\r\n?|\n/)) {
    let rest = line.trimStart();
    let column = countColumns(line.slice(0, line.length - rest.length));
    if (open && (rest === '' || column >= open.container)) {
      if (column - open.container < 4 && isClosingFence(rest, open.mark)) open = undefined;
      continue;
    }
    open = undefined;
    if (rest === '' || (paragraph && isParagraphText(rest))) {
      paragraph = rest !== '';
      continue;
    }
    items = items.filter((content) => content <= column);
    let container = items.at(-1) ?? 0;
    for (
      let marker = matchItemMarker(rest);
      marker && column - container < 4;
      marker = matchItemMarker(rest)
    ) {
      column += marker.length;
      container = column;
      items.push(container);
      rest = rest.slice(marker.length);
    }
    const mark = column - container < 4 ? matchFence(rest) : undefined;
    if (mark) open = { mark, column, container };
    paragraph = !mark && column - container < 4 && isParagraphText(rest);
  }
  if (!open) return markdown;
  // Indented like the opening fence, so that it also closes a fence in a list item.
  return `${markdown.replace(/\n$/, '')}\n${' '.repeat(open.column)}${open.mark}`;
}

/** Returns whether a line continues the paragraph above it. */
function isParagraphText(text: string): boolean {
  return !matchItemMarker(text) && !matchFence(text) && !/^(?:>|#{1,6}(?:\s|$))/.test(text);
}

function matchFence(text: string): string | undefined {
  return /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text)?.[0];
}

function matchItemMarker(text: string): string | undefined {
  return /^(?:[-+*]|\d{1,9}[.)])[ \t]{1,4}(?=\S)/.exec(text)?.[0];
}

function isClosingFence(text: string, mark: string): boolean {
  const run = text.trimEnd();
  return run.length >= mark.length && run === (mark[0] ?? '').repeat(run.length);
}
