import type MarkdownIt from 'markdown-it';
import {
  getTex,
  isDisplay,
  MATH_ENDS,
  MAX_DISPLAY_LENGTH,
  scanFormula,
  scanMathMark,
} from '../../shared/text/formulaText';

type Renderer = InstanceType<typeof MarkdownIt>;
type BlockState = Parameters<Parameters<Renderer['block']['ruler']['push']>[1]>[0];

/** Renders formulas as their source, in which nothing is Markdown. */
export function addFormulas(markdown: Renderer): void {
  const { escapeHtml } = markdown.utils;
  markdown.inline.ruler.before('escape', 'formula', (state, silent) => {
    const mark = scanMathMark(state.src, state.pos);
    const found = mark && scanFormula(state.src, state.pos, mark, false);
    if (typeof found !== 'object') return false;
    if (!silent) state.push('formula', 'code', 0).content = found.value;
    state.pos = found.end;
    return true;
  });
  markdown.block.ruler.before(
    'fence',
    'formula_block',
    (state, startLine, lastLine, silent) => {
      const mark = getLine(state, startLine);
      if (isIndented(state, startLine) || (mark !== '$$' && mark !== '\\[')) return false;
      const line = findFormulaEnd(state, startLine, lastLine, mark);
      if (line === undefined || state.getLines(startLine, line + 1, 0, false).length > MAX_DISPLAY_LENGTH)
        return false;
      if (silent) return true;
      const token = state.push('formula_block', 'pre', 0);
      token.content = state.getLines(startLine, line + 1, state.blkIndent, false);
      token.map = [startLine, line + 1];
      state.line = line + 1;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
  markdown.renderer.rules.formula = (tokens, index) => {
    const source = tokens[index]?.content ?? '';
    const classes = isDisplay(source) ? 'math display' : 'math';
    return `<code class="${classes}">${escapeHtml(getTex(source))}</code>`;
  };
  markdown.renderer.rules.formula_block = (tokens, index) =>
    renderFormulaBlock(escapeHtml(getTex(tokens[index]?.content.trim() ?? '')));
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    if (/^\s*math(?:\s|$)/.test(info)) return renderFormulaBlock(escapeHtml(content.trim()));
    return fence?.(tokens, index, ...rest) ?? '';
  };
}

/** Shows blocks that are nested too deeply as text. Markdown-it would leave them out. */
export function addDepthLimit(markdown: Renderer): void {
  markdown.block.ruler.before('table', 'too_deep', (state, startLine, lastLine) => {
    if (state.level < MAX_LEVEL) return false;
    let end = startLine + 1;
    while (end < lastLine && !isOutside(state, end)) end++;
    state.push('paragraph_open', 'p', 1);
    const inline = state.push('inline', '', 0);
    inline.content = state.getLines(startLine, end, state.blkIndent, false).trim();
    inline.children = [];
    state.push('paragraph_close', 'p', -1);
    state.line = end;
    return true;
  });
}

/** Below markdown-it's own limit of 100. A list has two levels. */
const MAX_LEVEL = 90;

/** Returns the last line of a formula; undefined if it isn't closed in its list item or quote. */
function findFormulaEnd(
  state: BlockState,
  startLine: number,
  lastLine: number,
  mark: '$$' | '\\[',
): number | undefined {
  for (let line = startLine + 1; line < lastLine && !isOutside(state, line); line++) {
    const text = getLine(state, line);
    if (text.endsWith(MATH_ENDS[mark])) return line;
    // The next one starts here, so no line is searched for the ends of two.
    if (text === mark) return undefined;
  }
  return undefined;
}

/** Gives the items of task lists a class that draws their boxes. */
export function addTaskLists(markdown: Renderer): void {
  markdown.core.ruler.push('task_lists', ({ tokens }) => {
    for (const [index, { children }] of tokens.entries()) {
      const item = tokens[index - 2];
      const text = children?.[0];
      const mark = item?.type === 'list_item_open' && TASK.exec(text?.content ?? '');
      // The panel, too, takes brackets in code as text.
      if (!mark || text?.type !== 'text') continue;
      item.attrSet('class', mark[1] === ' ' ? 'task' : 'task done');
      text.content = text.content.slice(mark[0].length);
    }
  });
}

const TASK = /^\[([ xX])\]\s+/;

/** Renders `<details>`, open so that it is printed. Its tags are on lines of their own, as in the panel. */
export function addDetails(markdown: Renderer): void {
  markdown.block.ruler.before(
    'html_block',
    'details',
    (state, startLine, lastLine, silent) => {
      const start = isIndented(state, startLine) ? null : DETAILS_START.exec(getLine(state, startLine));
      if (!start) return false;
      if (silent) return true;
      const end = findDetailsEnd(state, startLine, lastLine);
      let firstLine = startLine + 1;
      let summary = start[1];
      if (summary === undefined && firstLine < end) {
        summary = SUMMARY.exec(getLine(state, firstLine))?.[1];
        if (summary !== undefined) firstLine++;
      }
      state.push('details_open', 'details', 1).attrs = [['open', '']];
      if (summary !== undefined) {
        state.push('summary_open', 'summary', 1);
        const inline = state.push('inline', '', 0);
        inline.content = summary.trim();
        inline.children = [];
        state.push('summary_close', 'summary', -1);
      }
      const { lineMax, parentType } = state;
      state.lineMax = end;
      // Paragraphs in it end at its end.
      state.parentType = 'root';
      state.md.block.tokenize(state, firstLine, end);
      state.lineMax = lineMax;
      state.parentType = parentType;
      state.push('details_close', 'details', -1);
      state.line = isOutside(state, end) ? end : Math.min(lastLine, end + 1);
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote'] },
  );
  markdown.renderer.rules.details_open = () => '<details open>\n';
}

const DETAILS_START = /^<details>[ \t]*(?:<summary>(.*)<\/summary>)?$/i;
const SUMMARY = /^<summary>(.*)<\/summary>$/i;
const DETAILS_END = /^<\/details>$/i;
const FENCE = /^(`{3,}|~{3,})/;

/**
 * Returns the line with the end tag, outside of code. If there is none in the same list item or quote, returns the line
 * after it.
 */
function findDetailsEnd(state: BlockState, startLine: number, lastLine: number): number {
  let depth = 0;
  let fence: string | undefined;
  for (let line = startLine; line < lastLine; line++) {
    if (isOutside(state, line)) return line;
    const text = getLine(state, line);
    const mark = FENCE.exec(text)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && mark.length === text.length) fence = undefined;
    } else if (mark !== undefined) fence = mark;
    else if (isIndented(state, line)) continue;
    else if (DETAILS_START.test(text)) depth++;
    else if (DETAILS_END.test(text) && --depth === 0) return line;
  }
  return lastLine;
}

/** Returns a line without the indentation and marks around its text. */
function getLine({ src, bMarks, tShift, eMarks }: BlockState, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]).trimEnd();
}

/** Returns whether a line comes after the list item that is being parsed. */
function isOutside(state: BlockState, line: number): boolean {
  return (state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line);
}

/** Returns whether a line is indented code. */
function isIndented({ sCount, blkIndent }: BlockState, line: number): boolean {
  return (sCount[line] ?? 0) - blkIndent >= 4;
}

function renderFormulaBlock(html: string): string {
  return `<pre class="math"><code>${html}</code></pre>\n`;
}
