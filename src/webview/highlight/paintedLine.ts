import type { Palette, TokenClass } from './palette';
import { keepSelection } from './selection';
import type { Token } from './tokenizerClient';

/** A stretch of a line that looks the same. */
interface Run {
  readonly text: string;
  readonly className: string;
}

/** A finished line of code in the page, in its colours. */
export class PaintedLine {
  readonly #tokens: readonly Token[];
  readonly #text: string;
  /** Stand beside each other in the page; spans, and texts in the colour of plain code. */
  #nodes: ChildNode[];

  /** Puts the line's tokens in place of its text. */
  constructor(line: Text, tokens: readonly Token[], palette: Palette) {
    this.#tokens = tokens;
    this.#text = line.data;
    this.#nodes = [line];
    this.paint(palette);
  }

  /** Shows the tokens as the palette has them; keeps the nodes where only their classes differ. */
  paint(palette: Palette): void {
    const runs = this.#runs(palette);
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

  /** Neighbours of one class are one run, and so is a blank with what stands before it. */
  #runs(palette: Palette): Run[] {
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
    // The line break, and all of a line that was not looked into.
    start = this.#text.length;
    endRun();
    return runs;
  }

  #isBlank(from: number, to: number, ...classes: (TokenClass | undefined)[]): boolean {
    if (classes.some((each) => each?.decorated)) return false;
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
