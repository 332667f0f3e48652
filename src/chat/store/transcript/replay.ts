import { type About, type Conversation, mergeAbout } from '../../model/conversation';
import type { Header, TranscriptRecord } from '../../model/record';
import { interruptTurn, type ReplyTurn, type Turn } from '../../model/turn';
import { TurnList } from './turnList';

export interface StoredConversation extends Conversation, About {}

/** Builds a conversation from its records. */
export class Replay {
  readonly #turns = new TurnList();
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
    return this.#turns.toArray();
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
    return {
      id: header.id,
      createdAt: header.createdAt,
      name: '',
      unread: false,
      pinned: false,
      ...mergeAbout(about, this.#about),
      draft: '',
      turns: this.getTurns(live),
    };
  }

  /** `live`: see `toConversation`. */
  getTurns(live: boolean): Turn[] {
    const turns = this.#turns.toArray();
    // Only the last reply can be in flight: an earlier unfinished one ended when its window did.
    const writing = live ? turns.findLast((turn) => turn.kind === 'reply') : undefined;
    return turns.map((turn) =>
      turn === writing || (live && turn.kind === 'document') ? turn : interruptTurn(turn),
    );
  }

  #applyRecord(record: TranscriptRecord): void {
    switch (record.type) {
      case 'turn':
        if (record.replaces && this.#endOnly && !this.#turns.has(record.turn.id)) return;
        // The other turn may be outside of the part that was read.
        if (this.#endOnly && record.before !== undefined && !this.#hasEither(record.turn.id, record.before))
          return;
        this.#turns.set(record.turn, record.before);
        return;
      case 'turnRemoved':
        this.#turns.delete(record.turnId);
        return;
      case 'chunk': {
        const reply = this.#findOrCreateReply(record.turnId);
        if (reply) this.#turns.set({ ...reply, text: reply.text + record.text });
        return;
      }
      case 'ended': {
        const reply = this.#findOrCreateReply(record.turn.id);
        if (reply) this.#turns.set({ ...record.turn, text: reply.text });
        return;
      }
      case 'about': {
        const { type: _type, ...about } = record;
        this.#about = mergeAbout(this.#about, about);
      }
    }
  }

  #hasEither(id: string, other: string): boolean {
    return this.#turns.has(id) || this.#turns.has(other);
  }

  /**
   * Finds a reply, or creates one without a beginning, because its text counts even if the beginning is
   * damaged.
   */
  #findOrCreateReply(id: string): ReplyTurn | undefined {
    const turn = this.#turns.get(id);
    if (turn) return turn.kind === 'reply' ? turn : undefined;
    if (this.#endOnly) return;
    return { kind: 'reply', id, messageId: '', bot: '', text: '', at: this.#turns.last?.at ?? 0 };
  }
}
