import type { Palette, TokenClass } from './palette';
import { keepSelection } from './selection';
import type { Token } from './tokenizerClient';

/** A part of a line with one style. */
interface Run {
  readonly text: string;
  readonly className: string;
}

/** A complete line of code in the page, with its colors. */
export class PaintedLine {
  readonly #tokens: readonly Token[];
  readonly #text: string;
  /** Adjacent siblings in the page: spans, and text nodes for plain code. */
  #nodes: ChildNode[];

  /** Replaces the line's text by its tokens. */
  constructor(line: Text, tokens: readonly Token[], palette: Palette) {
    this.#tokens = tokens;
    this.#text = line.data;
    this.#nodes = [line];
    this.paint(palette);
  }

  /** Renders the tokens with a palette; reuses the nodes if only their classes differ. */
  paint(palette: Palette): void {
    const runs = this.#getRuns(palette);
    if (this.#matches(runs)) {
      for (const [index, { className }] of runs.entries()) {
        const node = this.#nodes[index];
        if (node instanceof Element && node.className !== className) node.className = className;
      }
      return;
    }
    const nodes = runs.map(createNode);
    keepSelection(this.#nodes, nodes, () => {
      const [first, ...others] = this.#nodes;
      first?.replaceWith(...nodes);
      for (const node of others) node.remove();
    });
    this.#nodes = nodes;
  }

  #matches(runs: readonly Run[]): boolean {
    return (
      runs.length === this.#nodes.length &&
      runs.every(({ text, className }, index) => {
        const node = this.#nodes[index];
        return node instanceof Element === (className !== '') && node?.textContent === text;
      })
    );
  }

  /** Merges neighbors with the same class, and blanks with what precedes them. */
  #getRuns(palette: Palette): Run[] {
    const runs: Run[] = [];
    let start = 0;
    let runStart = 0;
    let runClass: TokenClass | undefined;
    const endRun = () => {
      if (start > runStart)
        runs.push({ text: this.#text.slice(runStart, start), className: runClass?.name ?? '' });
      runStart = start;
    };
    for (const { end, scope } of this.#tokens) {
      const tokenClass = palette.getClass(scope);
      const joins = tokenClass?.name === runClass?.name || this.#isBlank(start, end, runClass, tokenClass);
      if (!joins) {
        endRun();
        runClass = tokenClass;
      }
      start = end;
    }
    // The line break, and the rest of a line that wasn't tokenized.
    start = this.#text.length;
    endRun();
    return runs;
  }

  #isBlank(from: number, to: number, ...classes: (TokenClass | undefined)[]): boolean {
    if (classes.some((tokenClass) => tokenClass?.decorated)) return false;
    for (let index = from; index < to; index++) {
      const code = this.#text.charCodeAt(index);
      if (code !== 32 && code !== 9) return false;
    }
    return true;
  }
}

function createNode({ text, className }: Run): ChildNode {
  if (className === '') return document.createTextNode(text);
  const span = document.createElement('span');
  span.className = className;
  span.append(text);
  return span;
}
