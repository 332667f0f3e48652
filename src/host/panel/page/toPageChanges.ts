import type { ChatEvent } from '../../../chat/model/chatEvent';
import { type Conversation, getBotName } from '../../../chat/model/conversation';
import type { Turn } from '../../../chat/model/turn';
import type { Change } from '../../../shared/protocol/toPage';
import { toQueueView } from './queueView';
import { toServiceDocumentViews } from './serviceDocumentsView';
import { toComposingView, toForkLinks, toTurnView } from './turnView';

/** Returns the changes to post to a page that shows the conversation. */
export function toPageChanges(event: ChatEvent, conversation: Conversation): Change[] {
  switch (event.type) {
    case 'changed': {
      const { name, bot, turns, forkedFrom, forks } = conversation;
      const renamedReplies = turns.filter(
        (turn) => turn.kind === 'reply' && getBotName(conversation, turn) !== turn.bot,
      );
      return [
        { type: 'title', name, ...(bot && { bot }) },
        ...(forkedFrom || forks ? [{ type: 'forks', forks: toForkLinks(conversation) } as const] : []),
        ...renamedReplies.map((turn) => toTurnChange(conversation, turn)),
      ];
    }
    case 'turn':
      return [
        toTurnChange(conversation, event.turn, event.before),
        ...(event.turn.kind === 'reply' ? toPreviousReplyChanges(conversation, event.turn.id) : []),
        ...(event.turn.kind === 'document' && event.turn.state !== 'uploading'
          ? [...toDocumentChanges(conversation), ...toSourceChanges(conversation, event.turn.uri)]
          : []),
      ];
    case 'ended': {
      const turn = toTurnView(conversation, event.turn);
      if (turn.kind !== 'reply' || !turn.ending) return [];
      const { id: turnId, ending, problem, skipped } = turn;
      return [{ type: 'ended', turnId, ending, ...(problem && { problem }), ...(skipped && { skipped }) }];
    }
    case 'earlierTurns':
      return [
        {
          type: 'earlierTurns',
          turns: event.turns.map((turn) => toTurnView(conversation, turn)),
          more: false,
        },
      ];
    case 'turnRemoved':
      return [{ type: 'turnRemoved', turnId: event.turnId }];
    case 'chunk':
      return [{ type: 'chunk', turnId: event.turnId, text: event.text }];
    case 'composing': {
      const { composing } = conversation;
      return composing ? [{ type: 'composing', composing: toComposingView(composing) }] : [];
    }
    case 'documents':
      return [toServiceDocumentsChange(conversation)];
    case 'sourceFile':
      return toSourceChanges(conversation, event.uri);
    case 'focus':
      return [toServiceDocumentsChange(conversation), ...toOwnDocumentChanges(conversation)];
    case 'queue':
      return conversation.queue ? toQueueChanges(conversation) : [{ type: 'queue' }];
    case 'draft':
      return [{ type: 'draft', text: event.text, ...(event.page && { typed: true }) }];
    case 'draftSaved':
      return [{ type: 'draftSaved', text: event.text }];
    default:
      return [];
  }
}

/**
 * Returns whether an event changes the list of conversations: added and removed turns do, their progress
 * doesn't.
 */
export function affectsList(event: ChatEvent): boolean {
  switch (event.type) {
    case 'chunk':
    case 'draft':
    case 'draftSaved':
    case 'composing':
    case 'queue':
    case 'documents':
    case 'focus':
    case 'sourceFile':
    case 'earlierTurns':
    case 'noticed':
      return false;
    case 'turn':
      return (
        event.turn.kind !== 'document' || event.turn.state === 'queued' || event.turn.state === 'attached'
      );
    default:
      return true;
  }
}

/**
 * Returns the changes that follow from a document's: the queue may wait for it, another document is no longer the only
 * one, and the previous version is now an older one.
 */
function toDocumentChanges(conversation: Conversation): Change[] {
  return [
    ...toQueueChanges(conversation),
    ...(conversation.focus ? toOwnDocumentChanges(conversation) : []),
    ...(conversation.listed ? [toServiceDocumentsChange(conversation)] : []),
  ];
}

function toOwnDocumentChanges(conversation: Conversation): Change[] {
  const documents = conversation.turns.filter(({ kind }) => kind === 'document');
  return documents.map((turn) => toTurnChange(conversation, turn));
}

/** Returns the changes to the replies that were made from a file. */
function toSourceChanges(conversation: Conversation, uri: string | undefined): Change[] {
  if (uri === undefined) return [];
  const isMadeFrom = (turn: Turn) =>
    turn.kind === 'reply' && turn.sourceFiles?.some((file) => file.uri === uri);
  return conversation.turns.filter(isMadeFrom).map((turn) => toTurnChange(conversation, turn));
}

function toServiceDocumentsChange(conversation: Conversation): Change {
  return { type: 'serviceDocuments', serviceDocuments: toServiceDocumentViews(conversation) };
}

function toQueueChanges(conversation: Conversation): Change[] {
  const { queue } = conversation;
  return queue ? [{ type: 'queue', queue: toQueueView(conversation, queue) }] : [];
}

function toTurnChange(conversation: Conversation, turn: Turn, before?: string): Change {
  return { type: 'turn', turn: toTurnView(conversation, turn), ...(before !== undefined && { before }) };
}

/** Returns the change to the reply before the newest one: only the last reply offers Retry. */
function toPreviousReplyChanges(conversation: Conversation, newest: string): Change[] {
  const before = conversation.turns.findLast((turn) => turn.kind === 'reply' && turn.id !== newest);
  return before?.kind === 'reply' && before.failure ? [toTurnChange(conversation, before)] : [];
}
