import type { ContextChip } from '../../shared/message';
import {
  type ComposedMessage,
  type Composing,
  NOTHING_COMPOSED,
  parseComposing,
  serializeComposing,
} from '../model/composerState';
import type { ChatEvent } from '../model/events';
import type { MutableConversation } from '../model/reduce';
import type { Drafts } from '../store/drafts';

/** The contents of the composers of open conversations, kept across restarts. */
export class Composers {
  readonly #drafts: Drafts;
  readonly #find: (id: string) => MutableConversation | undefined;
  readonly #tell: (event: ChatEvent) => void;
  readonly #onError: (error: unknown) => void;

  constructor(
    drafts: Drafts,
    find: (id: string) => MutableConversation | undefined,
    tell: (event: ChatEvent) => void,
    onError: (error: unknown) => void,
  ) {
    this.#drafts = drafts;
    this.#find = find;
    this.#tell = tell;
    this.#onError = onError;
  }

  /** Returns the draft of a conversation, even if it was never created. */
  draft(id: string): Promise<string> {
    return this.#drafts.get(id);
  }

  /** Stores the draft; `announce` if the change did not come from the composer itself. */
  setDraft(id: string, text: string, announce = false): void {
    const conversation = this.#find(id);
    if (!conversation || conversation.draft === text) return;
    conversation.draft = text;
    this.#drafts.set(id, text);
    this.#tell({ type: 'draft', conversationId: id, text, announce });
  }

  /** Stores the composer's contents other than the draft. */
  setComposing(id: string, change: Partial<Composing>): void {
    const conversation = this.#find(id);
    if (!conversation) return;
    conversation.composing = { ...NOTHING_COMPOSED, ...conversation.composing, ...change };
    this.#drafts.set(composingId(id), serializeComposing(conversation.composing));
    this.#tell({ type: 'composing', conversationId: id });
  }

  addContext(id: string, chips: readonly ContextChip[]): void {
    const context = this.#find(id)?.composing?.context ?? [];
    this.setComposing(id, { context: [...context, ...chips] });
  }

  removeContext(id: string, chipIds: readonly string[]): void {
    const context = this.#find(id)?.composing?.context ?? [];
    const left = context.filter((chip) => !chipIds.includes(chip.id));
    if (left.length < context.length) this.setComposing(id, { context: left });
  }

  /** Removes what became a message from the composer; anything added since stays. */
  take(id: string, { text, context }: ComposedMessage): void {
    const { draft = '' } = this.#find(id) ?? {};
    if (draft.startsWith(text)) this.setDraft(id, draft.slice(text.length));
    this.removeContext(
      id,
      context.map((chip) => chip.id),
    );
  }

  /** Returns a refused message to the composer, before anything written since. */
  giveBack(id: string, { text, context }: ComposedMessage): void {
    const { draft = '', composing } = this.#find(id) ?? {};
    this.setDraft(id, [text, draft].filter((part) => part !== '').join('\n\n'), true);
    if (context.length > 0) {
      this.setComposing(id, { context: [...context, ...(composing?.context ?? [])] });
    }
  }

  /** Restores everything except the draft, after a conversation was opened or created with its old id. */
  async restore(id: string): Promise<void> {
    const conversation = this.#find(id);
    if (!conversation) return;
    try {
      conversation.composing = parseComposing(await this.#drafts.get(composingId(id)));
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Deletes the stored contents, except the draft, of a conversation that is deleted permanently. */
  forget(id: string): void {
    this.#drafts.set(composingId(id), '');
  }
}

/** Returns the store's key for the contents other than the draft. */
function composingId(id: string): string {
  return `${id}.composing`;
}
