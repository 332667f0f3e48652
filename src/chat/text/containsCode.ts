import { escapeBidi } from '../../shared/text/escapeInvisible';

/**
 * Returns whether the Markdown contains the lines of the code, as the page reads them from a code block: without the
 * marks of quotes and the indentation of lists and fences. The last line may be cut off, because a reply may still be
 * streaming.
 */
export function containsCode(markdown: string, code: string): boolean {
  const lines = splitLines(code);
  while (lines[0]?.trim() === '') lines.shift();
  while (lines.at(-1)?.trim() === '') lines.pop();
  const wanted = toComparable(lines).slice(0, -LINE_END.length);
  return `\n${toComparable(splitLines(escapeBidi(markdown)))}`.includes(`\n${wanted}`);
}

const LINE_END = '\0\n';

function splitLines(text: string): string[] {
  return text.replaceAll('\0', '\ufffd').split(/\r\n?|\n/);
}

/**
 * Formats lines without their indentation and marks of quotes, each with how much more of those the next one has: this is
 * the same wherever the lines stand, but not if one is indented differently from the others.
 */
function toComparable(lines: readonly string[]): string {
  let indentation = 0;
  let formatted = '';
  for (const [index, line] of lines.entries()) {
    const content = line.replace(/^[\s>]+/, '');
    const before = indentation;
    if (content !== '') indentation = line.length - content.length;
    formatted += index === 0 ? content : `${indentation - before}${LINE_END}${content}`;
  }
  return `${formatted}${LINE_END}`;
}
