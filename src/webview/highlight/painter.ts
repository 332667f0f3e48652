import type { CodeTheme } from '../../shared/view/codeTheme';
import { Queue } from '../base/fifoQueue';
import { TimeSlicer } from '../base/timeSlicer';
import { PaintedLine } from './paintedLine';
import { Palette } from './palette';
import { watchSelection } from './selection';
import { type CodeBlock, type Token, TokenizerClient } from './tokenizerClient';
import tokenizerScript from './worker/tokenizerWorker?text';

/** A code block in the page. */
interface Block extends CodeBlock {
  /** Lines without colors yet. */
  readonly waiting: Queue<Text>;
  readonly painted: PaintedLine[];
}

/** Colors the complete lines of code blocks, in slices between the page's other work. */
export class Painter {
  readonly #palette = new Palette();
  readonly #work = new TimeSlicer();
  readonly #blocks = new WeakMap<HTMLElement, Block>();
  readonly #tokenizer: TokenizerClient;
  #count = 0;

  /** `startWorker` starts a worker from the source of a script. */
  constructor(startWorker: (script: string) => Worker) {
    watchSelection();
    this.#tokenizer = new TokenizerClient(
      () => startWorker(tokenizerScript),
      (block, lines) => this.#work.addJob(this.#paintLines(block as Block, lines)),
    );
  }

  /** Changes the theme: at once for most tokens, and in slices for those that need other elements. */
  setTheme(theme: CodeTheme): void {
    if (!this.#palette.setTheme(theme)) return;
    const blocks = [...document.querySelectorAll('pre')].flatMap((pre) => this.#blocks.get(pre) ?? []);
    // The newest blocks are the ones in view.
    for (const block of blocks.reverse()) this.#work.addJob(this.#repaintBlock(block));
  }

  /** Queues a line of a block to be colored. */
  addLine(pre: HTMLElement, grammar: string, line: Text): void {
    let block = this.#blocks.get(pre);
    if (!block) {
      const id = this.#count++;
      block = { id, grammar, lines: [], tokenized: 0, stopped: false, waiting: new Queue(), painted: [] };
      this.#blocks.set(pre, block);
    }
    if (block.stopped) return;
    block.lines.push(line.data.replace(/\n$/, ''));
    block.waiting.push(line);
    this.#tokenizer.addLines(block);
  }

  /** Resolves when all lines are colored. */
  async whenIdle(): Promise<void> {
    await this.#tokenizer.whenIdle();
    await this.#work.whenIdle();
  }

  /** Paints one line per step. */
  *#paintLines(block: Block, lines: readonly (readonly Token[])[]): Generator<void> {
    for (const tokens of lines) {
      const line = block.waiting.shift();
      if (line) block.painted.push(new PaintedLine(line, tokens, this.#palette));
      yield;
    }
  }

  *#repaintBlock(block: Block): Generator<void> {
    for (const line of block.painted) {
      line.paint(this.#palette);
      yield;
    }
  }
}
