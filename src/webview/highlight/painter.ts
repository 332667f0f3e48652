import type { Grammar } from '@shikijs/primitive';
import type { CodeTheme } from '../../shared/codeTheme';
import { PaintedLine } from './paintedLine';
import { Palette } from './palette';
import { Scopes } from './scopes';
import { watchSelection } from './selection';
import { SlicedWork } from './slicedWork';
import { type GrammarState, Tokenizer } from './tokenizer';

/** ms: a line that takes longer is plain. */
const LONGEST_TRY = 500;

/** A block of code whose lines get their colours in order. */
interface Block {
  readonly grammarName: string;
  grammar: Grammar | undefined;
  state: GrammarState;
  readonly waiting: Text[];
  readonly lines: PaintedLine[];
}

/** Colours the finished lines of code blocks, in slices between the page's other work. */
export class Painter {
  readonly #palette = new Palette();
  readonly #tokenizer = new Tokenizer(new Scopes());
  readonly #work = new SlicedWork();
  readonly #blocks = new WeakMap<HTMLElement, Block>();
  readonly #loads = new Set<Promise<void>>();

  constructor() {
    watchSelection();
  }

  /** Takes the colours of a theme, at once for most tokens and in slices for those that need other elements. */
  setTheme(theme: CodeTheme): void {
    if (!this.#palette.setTheme(theme)) return;
    const blocks = [...document.querySelectorAll('pre')].flatMap((pre) => this.#blocks.get(pre) ?? []);
    // The newest are the ones in view.
    for (const block of blocks.reverse()) this.#work.add(this.#repaint(block));
  }

  /** Colours a line of a block when its turn comes. */
  add(pre: HTMLElement, grammarName: string, line: Text): void {
    let block = this.#blocks.get(pre);
    if (!block) {
      block = { grammarName, grammar: undefined, state: null, waiting: [], lines: [] };
      this.#blocks.set(pre, block);
      this.#load(block);
    }
    block.waiting.push(line);
    if (block.grammar && block.waiting.length === 1) this.#work.add(this.#paint(block, block.grammar));
  }

  /** Resolves when every line that can be coloured is. */
  async idle(): Promise<void> {
    while (this.#loads.size > 0) await Promise.all(this.#loads);
    await this.#work.idle();
  }

  #load(block: Block): void {
    const load = this.#tokenizer
      .load(block.grammarName)
      .then(
        (grammar) => {
          block.grammar = grammar;
          this.#work.add(this.#paint(block, grammar));
        },
        (error: unknown) => console.error(`No colours for ${block.grammarName}:`, error),
      )
      .finally(() => this.#loads.delete(load));
    this.#loads.add(load);
  }

  /** A step a line, or a try at one. */
  *#paint(block: Block, grammar: Grammar): Generator<void> {
    for (let line = block.waiting[0]; line; line = block.waiting[0]) {
      const text = line.data.replace(/\n$/, '');
      let limit = SlicedWork.slice;
      let tokenized = this.#tokenizer.tokenize(grammar, text, block.state, limit);
      while (tokenized === 'warming' || (tokenized === 'late' && limit < LONGEST_TRY)) {
        yield;
        if (tokenized === 'late') limit *= 1.5;
        tokenized = this.#tokenizer.tokenize(grammar, text, block.state, limit);
      }
      const tokens = tokenized === 'late' ? [] : tokenized.tokens;
      if (tokenized !== 'late') block.state = tokenized.state;
      block.lines.push(new PaintedLine(line, tokens, this.#palette));
      block.waiting.shift();
      yield;
    }
  }

  *#repaint(block: Block): Generator<void> {
    for (const line of block.lines) {
      line.paint(this.#palette);
      yield;
    }
  }
}
