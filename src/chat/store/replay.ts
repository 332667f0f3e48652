import type { Conversation, DocumentTurn, ReplyTurn, Turn } from '../model/conversation';
import type { About, Header, TranscriptRecord } from '../model/record';

export interface StoredConversation extends Conversation, About {}

/** Folds records into a conversation. */
export class Replay {
  readonly #turns = new Map<string, Turn>();
  readonly #endOnly: boolean;
  #about: Partial<About> = {};

  /** `endOnly`: the records are the last ones of a file, so what they say of turns that began before them is left out. */
  constructor(endOnly = false) {
    this.#endOnly = endOnly;
  }

  get size(): number {
    return this.#turns.size;
  }

  get turns(): Turn[] {
    return [...this.#turns.values()];
  }

  apply(records: Iterable<TranscriptRecord>): this {
    for (const record of records) this.#apply(record);
    return this;
  }

  /** `live`: somebody is still writing. Where nobody is, what didn't end was interrupted. */
  conversation(
    header: Omit<Header, 'parley'>,
    live: boolean,
    about: Partial<About> = {},
  ): StoredConversation {
    // A conversation has at most one reply in flight, its last: one before that ended with its window.
    const writing = live ? this.turns.findLast((turn) => turn.kind === 'reply') : undefined;
    return {
      id: header.id,
      createdAt: header.createdAt,
      name: '',
      unread: false,
      pinned: false,
      ...about,
      ...this.#about,
      draft: '',
      turns: this.turns.map((turn) =>
        turn === writing || (live && turn.kind === 'document') ? turn : settle(turn),
      ),
    };
  }

  #apply(record: TranscriptRecord): void {
    switch (record.type) {
      case 'turn':
        if (record.replaces && this.#endOnly && !this.#turns.has(record.turn.id)) return;
        if (record.before === undefined || this.#turns.has(record.turn.id)) {
          this.#turns.set(record.turn.id, record.turn);
        } else this.#insert(record.turn, record.before);
        return;
      case 'turnRemoved':
        this.#turns.delete(record.turnId);
        return;
      case 'chunk': {
        const reply = this.#reply(record.turnId);
        if (reply) this.#turns.set(reply.id, { ...reply, text: reply.text + record.text });
        return;
      }
      case 'ended': {
        const reply = this.#reply(record.turn.id);
        if (reply) this.#turns.set(reply.id, { ...record.turn, text: reply.text });
        return;
      }
      case 'about': {
        const { type: _type, ...about } = record;
        this.#about = { ...this.#about, ...about };
      }
    }
  }

  /** Before another turn; one of an end that was read alone may belong before that end. */
  #insert(turn: Turn, before: string): void {
    const turns = [...this.#turns];
    const at = turns.findIndex(([id]) => id === before);
    if (at < 0 && this.#endOnly) return;
    turns.splice(at < 0 ? turns.length : at, 0, [turn.id, turn]);
    this.#turns.clear();
    for (const [id, each] of turns) this.#turns.set(id, each);
  }

  /** A reply whose beginning was damaged has a text all the same. */
  #reply(id: string): ReplyTurn | undefined {
    const turn = this.#turns.get(id);
    if (turn) return turn.kind === 'reply' ? turn : undefined;
    if (this.#endOnly) return;
    const before = this.turns.at(-1);
    return { kind: 'reply', id, messageId: '', bot: '', text: '', at: before?.at ?? 0 };
  }
}

/** A turn nobody works on any more: an open reply was interrupted, an open upload ended with its window. */
export function settle(turn: Turn): Turn {
  if (turn.kind === 'reply' && turn.ending === undefined) {
    return { ...turn, ending: 'interrupted', failure: { code: 'interrupted', maySend: false } };
  }
  return turn.kind === 'document' && isUnderWay(turn) ? { ...turn, state: 'cancelled' } : turn;
}

function isUnderWay({ state }: DocumentTurn): boolean {
  return state !== 'attached' && state !== 'failed' && state !== 'cancelled';
}
