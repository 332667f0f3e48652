import { importWithRetries } from '../base/importWithRetries';
import { grammarFiles, type SerializedGrammar } from './grammarFiles';
import { type Scope, Scopes } from './worker/scopes';
import type { FromWorker, TokenNumbers, ToWorker } from './worker/workerMessages';

/** A part of a line: its end and its scope. */
export interface Token {
  readonly end: number;
  readonly scope: Scope;
}

/** A code block whose lines are tokenized in order. */
export interface CodeBlock {
  readonly id: number;
  readonly grammar: string;
  /** The lines so far, without line breaks. */
  readonly lines: string[];
  /** Count of tokenized lines. */
  tokenized: number;
  /** Whether the rest stays plain. */
  stopped: boolean;
}

/** In characters. Longer lines stay plain: they are minified code or data. */
const MAX_LINE_LENGTH = 2000;
const MAX_LINES_PER_MESSAGE = 500;
/** Blocks whose state the worker keeps; the lines of other blocks are tokenized again if more lines arrive. */
const MAX_STATES = 50;
/** Ticks without a message after which a search blocks the worker. Counted in ticks, because a late timer fires only once. */
const MAX_SILENT_TICKS = 8;
const TICK_MS = 250;
/** A grammar that blocked the worker this often is disabled for the page. */
const MAX_STALLS = 3;

/** A search blocks the worker. */
class WorkerStalled extends Error {}

/**
 * Tokenizes code in a worker: a regular expression of a grammar can take hours for a line of a hundred characters, and
 * only ending its thread stops it.
 */
export class TokenizerClient {
  readonly #start: () => Worker;
  readonly #onTokens: (block: CodeBlock, lines: readonly (readonly Token[])[]) => void;
  readonly #grammars = new Map<string, Promise<readonly SerializedGrammar[]>>();
  readonly #scopes = new Scopes();
  /** A set: a reply can have a hundred thousand blocks. */
  readonly #queue = new Set<CodeBlock>();
  readonly #stalls = new Map<string, number>();
  #running: Promise<void> | undefined;
  #unavailable = false;
  #worker: Worker | undefined;
  /** State of the running worker: grammars by name, block IDs with a state, scopes by number. */
  #sentGrammars = new Set<string>();
  #states = new Set<number>();
  #scopesByNumber: Scope[] = [];

  constructor(
    start: () => Worker,
    onTokens: (block: CodeBlock, lines: readonly (readonly Token[])[]) => void,
  ) {
    this.#start = start;
    this.#onTokens = onTokens;
  }

  /** Tokenizes the lines added to a block, after those of other blocks. */
  addLines(block: CodeBlock): void {
    if (block.stopped || this.#unavailable) return;
    this.#queue.add(block);
    this.#running ??= this.#processQueue();
  }

  /** Resolves when all lines are tokenized, as far as they can be. */
  async whenIdle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #processQueue(): Promise<void> {
    // Blocks that are added in the meantime follow, also those that were taken.
    for (const block of this.#queue) {
      this.#queue.delete(block);
      if (block.stopped || this.#unavailable) continue;
      try {
        await this.#tokenizeBlock(block);
      } catch (error) {
        this.#stopBlock(block, error);
      }
    }
    this.#running = undefined;
  }

  /** Leaves the rest of a block plain. */
  #stopBlock(block: CodeBlock, error: unknown): void {
    block.stopped = true;
    if (error instanceof WorkerStalled) {
      this.#stalls.set(block.grammar, (this.#stalls.get(block.grammar) ?? 0) + 1);
      this.#endWorker();
    }
    console.warn(`Stopped coloring a block of ${block.grammar}:`, error);
  }

  #endWorker(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#sentGrammars = new Set();
    this.#states = new Set();
    this.#scopesByNumber = [];
  }

  async #tokenizeBlock(block: CodeBlock): Promise<void> {
    if ((this.#stalls.get(block.grammar) ?? 0) >= MAX_STALLS)
      throw new Error('Its grammar took too long earlier.');
    const grammars = await this.#loadGrammar(block.grammar);
    const missing = grammars.filter(({ name }) => !this.#sentGrammars.has(name));
    if (missing.length > 0) {
      await this.#request(
        { type: 'grammars', grammars: missing.map(({ json }) => json) },
        Number.POSITIVE_INFINITY,
      );
      for (const { name } of missing) this.#sentGrammars.add(name);
    }
    while (block.tokenized < block.lines.length) {
      const from = this.#states.has(block.id) ? block.tokenized : 0;
      const lines = block.lines
        .slice(from, block.tokenized + MAX_LINES_PER_MESSAGE)
        .map((line) => (line.length > MAX_LINE_LENGTH ? '' : line));
      const skip = block.tokenized - from;
      await this.#request(
        { type: 'lines', blockId: block.id, grammar: block.grammar, lines, skip },
        MAX_SILENT_TICKS,
        (found) => {
          block.tokenized += found.length;
          this.#onTokens(block, found);
        },
      );
      this.#keepState(block.id);
    }
  }

  #keepState(blockId: number): void {
    this.#states.delete(blockId);
    this.#states.add(blockId);
    const [oldest] = this.#states;
    if (this.#states.size <= MAX_STATES || oldest === undefined) return;
    this.#states.delete(oldest);
    this.#post({ type: 'forget', blockId: oldest });
  }

  /** Loads a grammar's file once. */
  #loadGrammar(name: string): Promise<readonly SerializedGrammar[]> {
    let loading = this.#grammars.get(name);
    if (!loading) {
      const file = grammarFiles[name];
      loading = file
        ? importWithRetries(file).then((module) => module.default)
        : Promise.reject(new Error(`Unknown grammar: ${name}.`));
      this.#grammars.set(name, loading);
    }
    return loading;
  }

  /** Posts a message and resolves when it is done. Rejects with `WorkerHeld` after `silentTicks` ticks without a message. */
  #request(
    message: ToWorker,
    silentTicks: number,
    onLines?: (lines: readonly (readonly Token[])[]) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = this.#getWorker();
      let ticks = 0;
      const timer = setInterval(() => {
        if (++ticks < silentTicks) return;
        clearInterval(timer);
        reject(new WorkerStalled('line takes too long'));
      }, TICK_MS);
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        ticks = 0;
        if (data.type === 'tokens') {
          for (const [parent, name] of data.scopes) {
            this.#scopesByNumber.push(this.#scopes.getChild(this.#scopesByNumber[parent], name));
          }
          onLines?.(data.lines.map((numbers) => this.#readTokens(numbers)));
          return;
        }
        clearInterval(timer);
        if (data.type === 'done') resolve();
        else reject(new Error(data.reason));
      };
      worker.onerror = ({ message: reason }) => {
        clearInterval(timer);
        this.#unavailable = true;
        reject(new Error(`The worker for code failed to run. ${reason ?? ''}`));
      };
      worker.postMessage(message);
    });
  }

  #getWorker(): Worker {
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      this.#unavailable = true;
      throw error;
    }
    return this.#worker;
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #readTokens(numbers: TokenNumbers): Token[] {
    const tokens: Token[] = [];
    for (let index = 0; index < numbers.length; index += 2) {
      const scope = this.#scopesByNumber[numbers[index + 1] ?? -1];
      if (scope) tokens.push({ end: numbers[index] ?? 0, scope });
    }
    return tokens;
  }
}
