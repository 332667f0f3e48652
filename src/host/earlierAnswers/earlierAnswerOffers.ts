import type { Chat } from '../../chat/conversations/chat';
import type { EarlierAnswer, EarlierAnswers } from '../../chat/earlierAnswers/earlierAnswers';
import { composeMessage } from '../../shared/conversation/message';
import type { RequestOf } from '../../shared/protocol/requests';
import type { EarlierAnswerText, EarlierQuestion } from '../../shared/view/viewModel';
import { isSuggestingEarlierAnswers } from '../base/settings';
import { getWorkspace } from '../platform/workspacePlace';

/** Drafts whose offers are remembered. */
const MAX_DRAFTS = 100;
/** In UTF-16 code units: a longer answer would hold up the page. */
const MAX_ANSWER_LENGTH = 50_000;

/** What was offered for the draft of a conversation. */
interface DraftOffers {
  current?: EarlierAnswer | undefined;
  readonly shown: Set<EarlierAnswer>;
  /** Dismissed, or asked anyway: nothing more is offered for the draft. */
  isClosed: boolean;
}

interface Services {
  readonly chat: Chat;
  readonly getEarlierAnswers: () => Promise<EarlierAnswers>;
}

/** Offers the earlier answer to what is typed: each once for a draft, and none after one was dismissed. */
export class EarlierAnswerOffers {
  readonly #services: Services;
  /** By the IDs of conversations. */
  readonly #drafts = new Map<string, DraftOffers>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Yields the offer for a draft, and null if there is none or once it was deleted. */
  async *offerAnswer(
    { conversationId, text, isNewDraft }: RequestOf<'findEarlierAnswer'>,
    signal: AbortSignal,
  ): AsyncGenerator<EarlierQuestion | null> {
    const draft = this.#getDraft(conversationId, isNewDraft);
    const found = await this.#find(conversationId, text, draft, signal);
    if (signal.aborted) return;
    draft.current = found;
    if (!found) {
      yield null;
      return;
    }
    const isNew = !draft.shown.has(found);
    draft.shown.add(found);
    yield toView(found, isNew);
    await (await this.#services.getEarlierAnswers()).whenGone(found, signal);
    if (draft.current === found && !signal.aborted) draft.current = undefined;
    yield null;
  }

  /** Reads the answer that is offered; null if it was deleted. */
  async readOfferedAnswer(conversationId: string): Promise<EarlierAnswerText | null> {
    const found = this.#drafts.get(conversationId)?.current;
    const text = found && (await (await this.#services.getEarlierAnswers()).readAnswer(found));
    if (text === undefined) return null;
    return { text: text.slice(0, MAX_ANSWER_LENGTH), isCut: text.length > MAX_ANSWER_LENGTH };
  }

  /** Offers nothing more for the draft. */
  closeOffer(conversationId: string): void {
    const draft = this.#getDraft(conversationId, false);
    draft.isClosed = true;
    draft.current = undefined;
  }

  async #find(
    conversationId: string,
    text: string,
    draft: DraftOffers,
    signal: AbortSignal,
  ): Promise<EarlierAnswer | undefined> {
    const { chat, getEarlierAnswers } = this.#services;
    const conversation = chat.findConversation(conversationId);
    if (draft.isClosed || !conversation || !isSuggestingEarlierAnswers()) return undefined;
    const message = composeMessage(text, conversation.composing?.context ?? []);
    const { bot } = conversation;
    const answers = await getEarlierAnswers();
    if (signal.aborted) return undefined;
    const search = { bot, workspaceId: getWorkspace()?.id, signal };
    const found = await answers.findAnswer(message, search).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    // It was shown for this draft before, and the draft went on.
    const wasShown = found && found !== draft.current && draft.shown.has(found);
    return draft.isClosed || wasShown ? undefined : found;
  }

  #getDraft(conversationId: string, isNew: boolean): DraftOffers {
    let draft = isNew ? undefined : this.#drafts.get(conversationId);
    draft ??= { shown: new Set(), isClosed: false };
    this.#drafts.delete(conversationId);
    this.#drafts.set(conversationId, draft);
    const [oldest] = this.#drafts.keys();
    if (this.#drafts.size > MAX_DRAFTS && oldest !== undefined) this.#drafts.delete(oldest);
    return draft;
  }
}

function toView(answer: EarlierAnswer, isNew: boolean): EarlierQuestion {
  const { conversationId, messageId, question, bot, at, isOfAgent, agent } = answer;
  return {
    ...{ conversationId, turnId: messageId, text: question, bot, at, isNew },
    ...((isOfAgent || agent !== undefined) && { agent: agent ?? '' }),
  };
}
