import type { Change, ToPage } from '../../../shared/protocol/protocol';
import type { PanelState } from '../../../shared/view/viewModel';

/** Changes within one frame are posted together. */
const FRAME_MS = 16;

/**
 * Posts the state to one page: a snapshot when the page asks for it, then numbered deltas, batched per frame.
 * The first change after an idle frame is posted at once. Posting is never awaited.
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

  /** Posts a snapshot to a page that has just loaded. */
  start(): void {
    this.stop();
    this.#ready = true;
    this.#post({ type: 'snapshot', seq: ++this.#seq, state: this.#snapshot() });
  }

  /** Posts nothing until `start` is called again, because the page is hidden or gone. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending = [];
    this.#ready = false;
  }

  push(change: Change): void {
    if (!this.#ready) return;
    if (!mergeIntoLast(this.#pending, change)) this.#pending.push(change);
    this.#timer ??= setTimeout(
      () => this.#flush(),
      Math.max(0, this.#lastPost + FRAME_MS - performance.now()),
    );
  }

  #flush(): void {
    this.#timer = undefined;
    this.#lastPost = performance.now();
    const changes = this.#pending;
    this.#pending = [];
    this.#post({ type: 'delta', seq: ++this.#seq, changes });
  }
}

/** Merges a change into the last pending one if both are the same kind of change to the same turn. */
function mergeIntoLast(pending: Change[], change: Change): boolean {
  const last = pending.at(-1);
  if (last?.type === 'chunk' && change.type === 'chunk' && last.turnId === change.turnId) {
    pending[pending.length - 1] = { ...last, text: last.text + change.text };
    return true;
  }
  if (last?.type === 'turn' && change.type === 'turn' && last.turn.id === change.turn.id) {
    // Only the first change has `before`, the turn's position.
    pending[pending.length - 1] = { ...last, ...change };
    return true;
  }
  return false;
}
