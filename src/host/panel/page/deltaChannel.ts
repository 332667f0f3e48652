import type { Change, ToPage } from '../../../shared/protocol/protocol';
import type { ConversationView, PanelState } from '../../../shared/view/viewModel';

/** Changes within one frame are posted together. */
const FRAME_MS = 16;
/** The turns of a conversation that a page gets first: more than a panel shows at once. */
const LAST_TURNS = 100;

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

  /** Posts a snapshot. `isNew`: whether the page doesn't show the conversation yet. */
  start(isNew: boolean): void {
    this.stop();
    this.#ready = true;
    const state = this.#snapshot();
    const { conversation, earlier } = splitTurns(state.conversation, isNew);
    this.#post({ type: 'snapshot', seq: ++this.#seq, state: { ...state, conversation } });
    if (!earlier) return;
    this.#lastPost = performance.now();
    this.push(earlier);
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
    this.#schedule();
  }

  /** Shows another conversation, or the same one again if it isn't new to the page. */
  pushConversation(whole: ConversationView, isNew: boolean): void {
    const { conversation, earlier } = splitTurns(whole, isNew);
    this.push({ type: 'conversation', conversation });
    if (earlier) this.push(earlier);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(
      () => this.#flush(),
      Math.max(0, this.#lastPost + FRAME_MS - performance.now()),
    );
  }

  #flush(): void {
    this.#timer = undefined;
    this.#lastPost = performance.now();
    const changes = this.#pending.splice(0, countForOneMessage(this.#pending));
    this.#post({ type: 'delta', seq: ++this.#seq, changes });
    if (this.#pending.length > 0) this.#schedule();
  }
}

/**
 * Splits a conversation that is new to the page into its last turns and the change that adds the others: however long it
 * is, its end is shown after the same time. With turns that are replaced, the page would lose its place.
 */
function splitTurns(
  conversation: ConversationView,
  isNew: boolean,
): { readonly conversation: ConversationView; readonly earlier?: Change } {
  const { turns, earlier: more = false } = conversation;
  if (!isNew || turns.length <= LAST_TURNS) return { conversation };
  return {
    conversation: { ...conversation, turns: turns.slice(-LAST_TURNS), earlier: true },
    earlier: { type: 'earlierTurns', turns: turns.slice(0, -LAST_TURNS), more },
  };
}

/** Earlier turns start a message of their own: reading them takes a while, and the page first shows what comes before. */
function countForOneMessage(pending: readonly Change[]): number {
  const next = pending.findIndex(({ type }, index) => index > 0 && type === 'earlierTurns');
  return next < 0 ? pending.length : next;
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
