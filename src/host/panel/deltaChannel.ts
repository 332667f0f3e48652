import type { Change, ToPage } from '../../shared/protocol';
import type { PanelState } from '../../shared/viewModel';

/** ms: changes of one frame travel together. */
const FRAME = 16;

/**
 * The host's end of one page: a snapshot when the page asks, then numbered deltas, gathered per frame. The first
 * change after a quiet frame leaves at once. Posting is never awaited.
 */
export class DeltaChannel {
  readonly #post: (message: ToPage) => void;
  readonly #snapshot: () => PanelState;
  #seq = 0;
  #ready = false;
  #pending: Change[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastPost = 0;

  constructor(post: (message: ToPage) => void, snapshot: () => PanelState) {
    this.#post = post;
    this.#snapshot = snapshot;
  }

  /** The page is there and knows nothing. */
  start(): void {
    this.stop();
    this.#ready = true;
    this.#post({ type: 'snapshot', seq: ++this.#seq, state: this.#snapshot() });
  }

  /** The page is gone, or as good as gone: nothing is posted until it asks again. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending = [];
    this.#ready = false;
  }

  push(change: Change): void {
    if (!this.#ready) return;
    if (!merged(this.#pending, change)) this.#pending.push(change);
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, this.#lastPost + FRAME - performance.now()));
  }

  #flush(): void {
    this.#timer = undefined;
    this.#lastPost = performance.now();
    const changes = this.#pending;
    this.#pending = [];
    this.#post({ type: 'delta', seq: ++this.#seq, changes });
  }
}

/** Folds a change into the last pending one where both say the same thing of the same turn. */
function merged(pending: Change[], change: Change): boolean {
  const last = pending.at(-1);
  if (last?.type === 'chunk' && change.type === 'chunk' && last.turnId === change.turnId) {
    pending[pending.length - 1] = { ...last, text: last.text + change.text };
    return true;
  }
  if (last?.type === 'turn' && change.type === 'turn' && last.turn.id === change.turn.id) {
    // Where it belongs is told once.
    pending[pending.length - 1] = { ...last, ...change };
    return true;
  }
  return false;
}
