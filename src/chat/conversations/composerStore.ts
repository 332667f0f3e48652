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

/** What stands in the composers of conversations that are open; kept over restarts. */
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

  /** The text that stands in a composer, also of a conversation that was never begun. */
  draft(id: string): Promise<string> {
    return this.#drafts.get(id);
  }

  /** Remembers the text in a composer; `announce` where it was not the composer that changed it. */
  setDraft(id: string, text: string, announce = false): void {
    const conversation = this.#find(id);
    if (!conversation || conversation.draft === text) return;
    conversation.draft = text;
    this.#drafts.set(id, text);
    this.#tell({ type: 'draft', conversationId: id, text, announce });
  }

  /** Remembers what stands in a composer besides the text. */
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

  /** Empties the composer of what became a message; what was written since stays. */
  take(id: string, { text, context }: ComposedMessage): void {
    const { draft = '' } = this.#find(id) ?? {};
    if (draft.startsWith(text)) this.setDraft(id, draft.slice(text.length));
    this.removeContext(
      id,
      context.map((chip) => chip.id),
    );
  }

  /** Puts what the service refused back, before what was written since. */
  giveBack(id: string, { text, context }: ComposedMessage): void {
    const { draft = '', composing } = this.#find(id) ?? {};
    this.setDraft(id, [text, draft].filter((part) => part !== '').join('\n\n'), true);
    if (context.length > 0) {
      this.setComposing(id, { context: [...context, ...(composing?.context ?? [])] });
    }
  }

  /** Reads what stood in the composer, besides the text, of a conversation that was opened or created under its id. */
  async restore(id: string): Promise<void> {
    const conversation = this.#find(id);
    if (!conversation) return;
    try {
      conversation.composing = parseComposing(await this.#drafts.get(composingId(id)));
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Of a conversation that is gone for good; its text goes with it. */
  forget(id: string): void {
    this.#drafts.set(composingId(id), '');
  }
}

/** What the store calls it beside the draft. */
function composingId(id: string): string {
  return `${id}.composing`;
}
