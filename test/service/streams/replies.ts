import type { ServerResponse } from 'node:http';
import type { ReplyEnd, ReplyRequest } from '../bots/bot';
import { isConverted } from '../conversions';
import { isStreamFault } from '../faults/faults';
import type { Message } from '../records';
import { addMessage, listConversationDocuments, listConversationMessages, type ServiceState } from '../state';
import { Delivery } from './delivery';
import type { PendingStream } from './pendingStream';
import type { ReplyEvent } from './scriptedReply';
import { StreamWriter } from './streamWriter';

/** Streams the reply to `pending` and stores the streamed part as a message. */
export async function streamReply(
  state: ServiceState,
  pending: PendingStream,
  res: ServerResponse,
): Promise<void> {
  pending.read = true;
  const faults = state.faults.takeAll('GET stream', isStreamFault);
  const writer = new StreamWriter(res, faults, state.settings.streamNoise);
  const { reply, delivery } = startReply(state, pending, res);
  reply.failed_responding = true;
  try {
    await writer.start();
    pending.script?.opened();
    const events = createReplyEvents(state, pending, delivery.signal);
    const end = await writeEvents(events, reply, writer, delivery.goesOn);
    if (end) await writer.applyFaultsBeforeEnd();
    if (!end || (writer.isOver && !delivery.goesOn)) return;
    endReply(reply, end);
    delivery.completed();
    if (writer.isOver) return;
    delivery.delivered();
    await writer.end();
  } finally {
    pending.script?.closed();
  }
}

/**
 * Writes the reply's events to the stream. If the stream ends before the reply, goes on without it, or returns
 * undefined.
 */
async function writeEvents(
  events: AsyncGenerator<ReplyEvent, ReplyEnd, void>,
  reply: Message,
  writer: StreamWriter,
  goesOn: boolean,
): Promise<ReplyEnd | undefined> {
  try {
    for (;;) {
      const step = await events.next();
      if (writer.isOver && !goesOn) return undefined;
      if (step.done) return step.value;
      if (typeof step.value === 'string') {
        reply.content += step.value;
        await writer.writeChunk(step.value);
      } else if ('raw' in step.value) {
        await writer.writeRaw(step.value.raw);
      } else {
        writer.abandon(step.value.cut);
      }
      if (writer.isOver && !goesOn) return undefined;
    }
  } finally {
    await events.return({});
  }
}

/** Creates the whole reply at once, for POST /messages. Raw bytes and cuts in a script are ignored. */
export async function createWholeReply(
  state: ServiceState,
  pending: PendingStream,
  res: ServerResponse,
): Promise<Message> {
  const { reply, delivery } = startReply(state, pending, res);
  res.once('finish', () => delivery.delivered());
  const events = createReplyEvents(state, pending, delivery.signal, 'instant');
  pending.script?.opened();
  for (;;) {
    const step = await events.next();
    if (step.done) {
      endReply(reply, step.value);
      if (delivery.signal.aborted) reply.failed_responding = true;
      delivery.completed();
      pending.script?.closed();
      return reply;
    }
    if (typeof step.value === 'string') reply.content += step.value;
  }
}

/** Creates the reply to a stream whose connection broke before it started, if replies go on without one. */
export async function createUnseenReply(
  state: ServiceState,
  pending: PendingStream,
  res: ServerResponse,
): Promise<void> {
  if (state.settings.historyDelayMs === 0 || res.writableEnded || pending.read) return;
  pending.read = true;
  await createWholeReply(state, pending, res);
}

const CHARACTERS_PER_TOKEN = 4;

function endReply(reply: Message, { sources, failed, flagged, usage }: ReplyEnd): void {
  const tokens = Math.ceil(reply.content.length / CHARACTERS_PER_TOKEN);
  Object.assign(reply, {
    sources: sources ?? [],
    failed_responding: failed ?? false,
    flagged: flagged ?? false,
    usage: usage ?? { tokens, credits: 1 },
  });
}

/** Stores the text of a failure as the reply, as the hosted service does when it answers 500. */
export function addFailedReply(state: ServiceState, pending: PendingStream, text: string): void {
  const reply = addReply(state, pending.question);
  reply.content = text;
  reply.failed_responding = true;
  pending.script?.closed();
}

function startReply(state: ServiceState, { question, script }: PendingStream, res: ServerResponse) {
  const reply = addReply(state, question);
  res.once('close', () => script?.disconnected());
  return { reply, delivery: new Delivery(state, reply, res) };
}

function addReply(state: ServiceState, question: Message): Message {
  return addMessage(state, {
    conversation_id: question.conversation_id,
    content: '',
    machine: true,
    is_web_search: question.is_web_search,
  });
}

function createReplyEvents(
  state: ServiceState,
  { question, script }: PendingStream,
  signal: AbortSignal,
  pace = state.settings.pace,
): AsyncGenerator<ReplyEvent, ReplyEnd, void> {
  if (script) return script.events(signal);
  const conversation = state.conversations.get(question.conversation_id);
  const bot = state.settings.bots.find(({ id }) => id === conversation?.bot_id);
  if (!bot) throw new Error(`No bot replies in conversation ${question.conversation_id}`);
  const messages = listConversationMessages(state, question.conversation_id);
  const { readsUnconverted } = state.settings;
  const documents = listConversationDocuments(state, question.conversation_id).filter(
    (document) => readsUnconverted || (isConverted(state, document) && document.result === 'synced'),
  );
  const request: ReplyRequest = {
    question: question.content,
    history: messages.slice(0, messages.indexOf(question)),
    documents: documents.map(({ id, name, key }) => ({
      id,
      name,
      bytes: state.objects.get(key) ?? Buffer.alloc(0),
    })),
    webSearch: question.is_web_search,
    pace,
    signal,
  };
  return bot.reply(request);
}
