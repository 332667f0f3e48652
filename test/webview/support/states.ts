import type {
  ConversationSummary,
  ConversationView,
  DocumentTurn,
  MessageTurn,
  PanelState,
  ReplyTurn,
} from '../../../src/shared/view/viewModel';

/** The time of all turns in tests, in ms. */
export const AT = Date.UTC(2026, 0, 5, 9);
let conversations = 0;

/** Returns the state of a panel that is set up, with an empty conversation with a new id by default. */
export function panelState(
  conversation: Partial<ConversationView> = {},
  rest: Partial<Omit<PanelState, 'conversation'>> = {},
): PanelState {
  return {
    setup: { step: 'done', serviceHost: 'service.example' },
    sendWith: 'enter',
    conversations: [],
    ...rest,
    conversation: {
      id: `c${++conversations}`,
      name: '',
      bot: { id: 'guide', name: 'Guide' },
      turns: [],
      draft: '',
      ...conversation,
    },
  };
}

export function message(id: string, text: string): MessageTurn {
  return { kind: 'message', id, text, at: AT };
}

/** Returns a reply, complete by default; `streaming` omits the ending. */
export function reply(id: string, text: string, rest: Partial<ReplyTurn> = {}): ReplyTurn {
  return { kind: 'reply', id, bot: 'Guide', text, at: AT, ending: 'complete', ...rest };
}

export function streaming(id: string, text = ''): ReplyTurn {
  return { kind: 'reply', id, bot: 'Guide', text, at: AT };
}

export function document(id: string, rest: Partial<DocumentTurn> = {}): DocumentTurn {
  return {
    kind: 'document',
    id,
    name: 'handbook.pdf',
    size: 4_194_304,
    sent: 0,
    at: AT,
    state: 'queued',
    ...rest,
  };
}

export function summary(
  id: string,
  name: string,
  rest: Partial<ConversationSummary> = {},
): ConversationSummary {
  return {
    id,
    name,
    bot: { id: 'guide', name: 'Guide' },
    at: Date.now() - 3 * 3_600_000,
    streaming: false,
    unread: false,
    pinned: false,
    ...rest,
  };
}
