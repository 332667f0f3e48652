import { type Conversation, getBotName, type Turn } from '../../chat/model/conversation';
import type { ChatEvent } from '../../chat/model/events';
import type { Change } from '../../shared/protocol';
import { queueView } from './queueView';
import { serviceDocumentsView } from './serviceDocumentsView';
import { turnView } from './turnView';

/** What a page that shows the conversation changes because of what happened in it. */
export function toChanges(event: ChatEvent, conversation: Conversation): Change[] {
  switch (event.type) {
    case 'changed': {
      const { name, bot, turns } = conversation;
      const named = turns.filter(
        (turn) => turn.kind === 'reply' && getBotName(conversation, turn) !== turn.bot,
      );
      return [
        { type: 'title', name, ...(bot && { bot }) },
        ...named.map((turn) => turnChange(conversation, turn)),
      ];
    }
    case 'turn':
      return [
        turnChange(conversation, event.turn, event.before),
        ...(event.turn.kind === 'reply' ? retryTakenOff(conversation, event.turn.id) : []),
        ...(event.turn.kind === 'document' && event.turn.state !== 'uploading'
          ? documentChanges(conversation)
          : []),
      ];
    case 'ended': {
      const turn = turnView(conversation, event.turn);
      if (turn.kind !== 'reply' || !turn.ending) return [];
      const { id: turnId, ending, problem, skipped } = turn;
      return [{ type: 'ended', turnId, ending, ...(problem && { problem }), ...(skipped && { skipped }) }];
    }
    case 'earlierTurns':
      return [
        {
          type: 'earlierTurns',
          turns: event.turns.map((turn) => turnView(conversation, turn)),
          more: false,
        },
      ];
    case 'turnRemoved':
      return [{ type: 'turnRemoved', turnId: event.turnId }];
    case 'chunk':
      return [{ type: 'chunk', turnId: event.turnId, text: event.text }];
    case 'composing': {
      const { composing } = conversation;
      return composing ? [{ type: 'composing', composing }] : [];
    }
    case 'documents':
      return [serviceDocumentsChange(conversation)];
    case 'focus': {
      const documents = conversation.turns.filter(({ kind }) => kind === 'document');
      return [
        serviceDocumentsChange(conversation),
        ...documents.map((turn) => turnChange(conversation, turn)),
      ];
    }
    case 'queue':
      return conversation.queue ? queueChange(conversation) : [{ type: 'queue' }];
    case 'draft':
      return event.announce ? [{ type: 'draft', text: event.text }] : [];
    default:
      return [];
  }
}

/** What the list shows changes with a turn's coming and going, not with its progress. */
export function affectsList(event: ChatEvent): boolean {
  switch (event.type) {
    case 'chunk':
    case 'draft':
    case 'composing':
    case 'queue':
    case 'documents':
    case 'focus':
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

/** What hangs on a document: the queue may wait for it, and the version before it has become an older one. */
function documentChanges(conversation: Conversation): Change[] {
  return [
    ...queueChange(conversation),
    ...(conversation.listed ? [serviceDocumentsChange(conversation)] : []),
  ];
}

function serviceDocumentsChange(conversation: Conversation): Change {
  return { type: 'serviceDocuments', documents: serviceDocumentsView(conversation) };
}

function queueChange(conversation: Conversation): Change[] {
  const { queue } = conversation;
  return queue ? [{ type: 'queue', queue: queueView(conversation, queue) }] : [];
}

function turnChange(conversation: Conversation, turn: Turn, before?: string): Change {
  return { type: 'turn', turn: turnView(conversation, turn), ...(before !== undefined && { before }) };
}

/** Retry is offered for the last reply only: a new one takes it off the one before. */
function retryTakenOff(conversation: Conversation, newest: string): Change[] {
  const before = conversation.turns.findLast((turn) => turn.kind === 'reply' && turn.id !== newest);
  return before?.kind === 'reply' && before.failure ? [turnChange(conversation, before)] : [];
}
