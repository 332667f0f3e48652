import type { Conversation, ReplySource, Turn } from '../../chat/model/conversation';
import { canRetry, getBotName, getFocusState } from '../../chat/model/conversation';
import { getSourceTarget } from '../../chat/remote/sources';
import { getReadiness } from '../../shared/documentReadiness';
import type { ConversationView, Source, Turn as TurnView } from '../../shared/viewModel';
import { toProblem, toUploadProblem } from '../service/failureText';
import { toQueueView } from './queueView';
import { toServiceDocumentViews } from './serviceDocumentsView';

/** Returns a turn as the page shows it, with failures as text. */
export function toTurnView(conversation: Conversation, turn: Turn): TurnView {
  if (turn.kind === 'message') {
    const { remoteId: _, via: __, ...view } = turn;
    return view;
  }
  if (turn.kind === 'reply') {
    const { failure, messageId: _, sources, remoteId: __, whole, ...view } = turn;
    const problem = failure && toProblem(failure, canRetry(conversation, turn.id), turn.text !== '');
    return {
      ...view,
      bot: getBotName(conversation, turn),
      ...(problem && {
        problem: whole === undefined ? problem : { ...problem, actions: ['showWhole', ...problem.actions] },
      }),
      ...(sources && { sources: sources.map((source) => toSourceView(conversation, source)) }),
    };
  }
  const { failure, failedAt, uri, sha256: _sha256, documentId, acceptedAt: _acceptedAt, ...view } = turn;
  // The status of a document being converted comes from the service's list, which has only what is in the focus.
  const isReady = documentId !== undefined && getReadiness(turn) === 'ready';
  const focus = isReady ? getFocusState(conversation, documentId) : undefined;
  return {
    ...view,
    ...(focus && { focus }),
    ...(failure && { problem: toUploadProblem(failure, failedAt) }),
    ...(failure?.reason === 'type' && { offersText: true }),
    ...(uri !== undefined && { opens: true }),
  };
}

export function toConversationView(conversation: Conversation): ConversationView {
  const { id, name, bot, earlier, draft, composing, queue } = conversation;
  const turns = conversation.turns.map((turn) => toTurnView(conversation, turn));
  return {
    id,
    name,
    ...(bot && { bot }),
    turns,
    ...(earlier && { earlier }),
    draft,
    ...(composing && { composing }),
    ...(queue && { queue: toQueueView(conversation, queue) }),
    serviceDocuments: toServiceDocumentViews(conversation),
  };
}

/** Returns a source as the page shows it. Its URL stays in the host: the page refers to it by index. */
function toSourceView(conversation: Conversation, source: ReplySource): Source {
  const target = getSourceTarget(conversation, source);
  return { name: source.name, ...(target && { opens: target.kind }) };
}
