import type { Change, ToPage } from '../../../shared/protocol/toPage';
import type { ConversationView, Notice, PanelState } from '../../../shared/view/viewModel';

/** Changes within one frame are posted together. */
const FRAME_MS = 16;
/** The turns of a conversation that a page gets first: more than a panel shows at once. */
const LAST_TURNS = 100;
export const SESSION = crypto.randomUUID();

/**
 * Posts the state to one page: a snapshot when the page asks for it, then numbered deltas, batched per frame.
 * The first change after an idle frame is posted at once. Posting is never awaited.
 */
export class DeltaChannel {
  readonly #postToPage: (message: ToPage) => void;
  readonly #snapshot: () => PanelState;
  #seq = 0;
  #ready = false;
  #pending: Change[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastPost = 0;

  constructor(postToPage: (message: ToPage) => void, snapshot: () => PanelState) {
    this.#postToPage = postToPage;
    this.#snapshot = snapshot;
  }

  /** Posts a snapshot. `isNew`: whether the page doesn't show the conversation yet. */
  postSnapshot(isNew: boolean): void {
    this.stop();
    this.#ready = true;
    const state = this.#snapshot();
    const { conversation, earlier } = splitTurns(state.conversation, isNew);
    this.#postToPage({
      type: 'snapshot',
      seq: ++this.#seq,
      state: { ...state, conversation },
      session: SESSION,
    });
    if (!earlier) return;
    this.#lastPost = performance.now();
    this.pushChange(earlier);
  }

  /** Posts nothing until `postSnapshot` is called again, because the page is hidden or gone. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending = [];
    this.#ready = false;
  }

  pushChange(change: Change): void {
    if (!this.#ready) return;
    if (!mergeIntoLast(this.#pending, change)) this.#pending.push(change);
    this.#schedule();
  }

  /** Shows another conversation with its notice, or the same one again if it isn't new to the page. */
  pushConversation(whole: ConversationView, notice: Notice | undefined, isNew: boolean): void {
    const { conversation, earlier } = splitTurns(whole, isNew);
    // The page no longer needs those of the previous one; with a message for each, quick switches would pile up.
    this.#pending = this.#pending.filter(({ type }) => type !== 'earlierTurns');
    this.pushChange({ type: 'conversation', conversation });
    this.pushChange({ type: 'notice', ...(notice && { notice }) });
    if (earlier) this.pushChange(earlier);
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
    this.#postToPage({ type: 'delta', seq: ++this.#seq, changes });
    if (this.#pending.length > 0) this.#schedule();
  }
}

/**
 * Splits a conversation that is new to the page into its last turns and the change that adds the others: however long it
 * is, its end is shown after the same time. If its turns were replaced, the page would lose its scroll position.
 */
function splitTurns(
  conversation: ConversationView,
  isNew: boolean,
): { readonly conversation: ConversationView; readonly earlier?: Change } {
  const { turns, earlier: more = false } = conversation;
  if (!isNew || turns.length <= LAST_TURNS) return { conversation };
  const earlier = turns.slice(0, -LAST_TURNS);
  // Documents are shown above the composer, also the earlier ones: they are posted twice, then in their places.
  const documents = earlier.filter(({ kind }) => kind === 'document');
  return {
    conversation: { ...conversation, turns: [...documents, ...turns.slice(-LAST_TURNS)], earlier: true },
    earlier: { type: 'earlierTurns', turns: earlier, more },
  };
}

/**
 * Earlier turns start a message of their own: reading them takes a while, and the page first shows what comes before. It
 * needs them at once if it is to scroll to one of them: otherwise it would show the end for a moment.
 */
function countForOneMessage(pending: readonly Change[]): number {
  const revealed = pending.findLast((change) => change.type === 'revealTurn');
  const next = pending.findIndex(
    (change, index) =>
      index > 0 && change.type === 'earlierTurns' && !change.turns.some(({ id }) => id === revealed?.turnId),
  );
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
