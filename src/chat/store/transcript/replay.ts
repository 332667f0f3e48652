import { type About, type Conversation, mergeAbout } from '../../model/conversation';
import type { Header, TranscriptRecord } from '../../model/record';
import { interruptTurn, type ReplyTurn, type Turn } from '../../model/turn';

export interface StoredConversation extends Conversation, About {}

/** Builds a conversation from its records. */
export class Replay {
  readonly #turns = new Map<string, Turn>();
  readonly #endOnly: boolean;
  #about: Partial<About> = {};

  /**
   * `endOnly`: the records are only the end of a file, so those about turns that started before it are
   * ignored.
   */
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
    for (const record of records) this.#applyRecord(record);
    return this;
  }

  /** `live`: another window is still writing. Otherwise turns that did not end are marked as interrupted. */
  toConversation(
    header: Omit<Header, 'parley'>,
    live: boolean,
    about: Partial<About> = {},
  ): StoredConversation {
    // Only the last reply can be in flight: an earlier unfinished one ended when its window did.
    const writing = live ? this.turns.findLast((turn) => turn.kind === 'reply') : undefined;
    return {
      id: header.id,
      createdAt: header.createdAt,
      name: '',
      unread: false,
      pinned: false,
      ...mergeAbout(about, this.#about),
      draft: '',
      turns: this.turns.map((turn) =>
        turn === writing || (live && turn.kind === 'document') ? turn : interruptTurn(turn),
      ),
    };
  }

  #applyRecord(record: TranscriptRecord): void {
    switch (record.type) {
      case 'turn':
        if (record.replaces && this.#endOnly && !this.#turns.has(record.turn.id)) return;
        if (record.before === undefined || this.#turns.has(record.turn.id)) {
          this.#turns.set(record.turn.id, record.turn);
        } else this.#insertTurn(record.turn, record.before);
        return;
      case 'turnRemoved':
        this.#turns.delete(record.turnId);
        return;
      case 'chunk': {
        const reply = this.#findOrCreateReply(record.turnId);
        if (reply) this.#turns.set(reply.id, { ...reply, text: reply.text + record.text });
        return;
      }
      case 'ended': {
        const reply = this.#findOrCreateReply(record.turn.id);
        if (reply) this.#turns.set(reply.id, { ...record.turn, text: reply.text });
        return;
      }
      case 'about': {
        const { type: _type, ...about } = record;
        this.#about = mergeAbout(this.#about, about);
      }
    }
  }

  /** Inserts a turn before another; with `endOnly` the other may be outside the part that was read. */
  #insertTurn(turn: Turn, before: string): void {
    const turns = [...this.#turns];
    const at = turns.findIndex(([id]) => id === before);
    if (at < 0 && this.#endOnly) return;
    turns.splice(at < 0 ? turns.length : at, 0, [turn.id, turn]);
    this.#turns.clear();
    for (const [id, each] of turns) this.#turns.set(id, each);
  }

  /**
   * Finds a reply, or creates one without a beginning, because its text counts even if the beginning is
   * damaged.
   */
  #findOrCreateReply(id: string): ReplyTurn | undefined {
    const turn = this.#turns.get(id);
    if (turn) return turn.kind === 'reply' ? turn : undefined;
    if (this.#endOnly) return;
    const before = this.turns.at(-1);
    return { kind: 'reply', id, messageId: '', bot: '', text: '', at: before?.at ?? 0 };
  }
}
