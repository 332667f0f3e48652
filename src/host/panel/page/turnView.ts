import { getSourceChange } from '../../../chat/documents/sourceFiles';
import type { ComposerState } from '../../../chat/model/composerState';
import type { Conversation } from '../../../chat/model/conversation';
import { canRetry, findBaseUrl, getBotName, getFocusState } from '../../../chat/model/conversation';
import type { ReplySource, SourceFile, Turn } from '../../../chat/model/turn';
import { getSourceTarget } from '../../../chat/remote/replySources';
import {
  documentProperties,
  type InferTurn,
  messageProperties,
  replyProperties,
  type TurnProperties,
} from '../../../shared/conversation/conversationSchemas';
import { getReadiness } from '../../../shared/view/documentReadiness';
import type {
  ComposingView,
  ConversationView,
  Source,
  Turn as TurnView,
} from '../../../shared/view/viewModel';
import { toProblem, toUploadProblem } from '../../service/failureText';
import { toQueueView } from './queueView';
import { toServiceDocumentViews } from './serviceDocumentsView';

const MESSAGE_KEYS = getKeys(messageProperties);
const REPLY_KEYS = getKeys(replyProperties);
const DOCUMENT_KEYS = getKeys(documentProperties);

/** Returns a turn as the page shows it, with failures as text. */
export function toTurnView(conversation: Conversation, turn: Turn): TurnView {
  if (turn.kind === 'message') return pick(turn, MESSAGE_KEYS);
  if (turn.kind === 'reply') {
    const { failure, sources, whole } = turn;
    const problem =
      failure &&
      toProblem(failure, canRetry(conversation, turn.id), turn.text !== '', findBaseUrl(conversation));
    return {
      ...pick(turn, REPLY_KEYS),
      bot: getBotName(conversation, turn),
      ...(problem && {
        problem: whole === undefined ? problem : { ...problem, actions: ['showWhole', ...problem.actions] },
      }),
      ...(sources && {
        sources: sources.map((source) => toSourceView(conversation, source, turn.sourceFiles)),
      }),
    };
  }
  const { failure, failedAt, uri, documentId } = turn;
  // The status of a document being converted comes from the service's list, which has only what is in the focus.
  const isReady = documentId !== undefined && getReadiness(turn) === 'ready';
  const focus = isReady ? getFocusState(conversation, documentId) : undefined;
  return {
    ...pick(turn, DOCUMENT_KEYS),
    ...(focus && { focus }),
    ...(failure && { problem: toUploadProblem(failure, failedAt, findBaseUrl(conversation)) }),
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
    ...toForkLinks(conversation),
    turns,
    ...(earlier && { earlier }),
    draft,
    ...(composing && { composing: toComposingView(composing) }),
    ...(queue && { queue: toQueueView(conversation, queue) }),
    serviceDocuments: toServiceDocumentViews(conversation),
  };
}

/** Returns the conversation's links to its forks and to the one that it was forked from. */
export function toForkLinks({
  forkedFrom,
  forks,
}: Conversation): Pick<ConversationView, 'forkedFrom' | 'forks'> {
  return { ...(forkedFrom && { forkedFrom }), ...(forks && { forks }) };
}

/** Returns the composer's state as the page shows it. */
export function toComposingView({ context, webSearch }: ComposerState): ComposingView {
  return { context, webSearch };
}

/** Returns a source as the page shows it. Its URL stays in the host: the page refers to it by index. */
function toSourceView(
  conversation: Conversation,
  source: ReplySource,
  files: readonly SourceFile[] = [],
): Source {
  const target = getSourceTarget(conversation, source, files);
  const file = files.find(({ id }) => id === source.id);
  const isKnown = file && conversation.sourceStates?.get(file.uri)?.knownVersions.includes(file.sha256);
  const since = file && getSourceChange(conversation, file);
  return {
    name: source.name,
    ...(target && { opens: target.kind }),
    ...(since && { since }),
    ...(since && since !== 'gone' && isKnown && { hasChanges: true }),
  };
}

/** Returns the names of the properties that the page shows; all others stay in the host. */
function getKeys<P extends TurnProperties>({ exported, local }: P): readonly (keyof InferTurn<P>)[] {
  return Object.keys({ ...exported, ...local }) as (keyof InferTurn<P>)[];
}

function pick<T extends object, K extends keyof T>(turn: T, keys: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (key in turn) picked[key] = turn[key];
  return picked as Pick<T, K>;
}
