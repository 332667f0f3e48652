import assert from 'node:assert/strict';
import type { Failure } from '../../../src/chat/model/failure';
import { toConversationView } from '../../../src/host/panel/page/turnView';
import { toProblem } from '../../../src/host/service/failureText';
import type { DocumentTurn, ReplyTurn } from '../../../src/shared/view/viewModel';
import { type ChatFixture, sendAgain } from '../../chat/support/chatFixture';

/** A message and its reply as the page shows them. */
export interface ShownReply {
  readonly id: string;
  readonly reply: ReplyTurn;
  /** The text of the reply's problem; '' if there is none. */
  readonly sentence: string;
  /** The actions offered for the problem. */
  readonly actions: readonly string[];
  /** The composer's text. */
  readonly draft: string;
  /** The user's messages in the transcript. */
  readonly said: readonly string[];
}

/**
 * Returns the text for a failure. The texts themselves are tested in failureText.test.ts; other tests refer
 * to them by code. `maySend` is false if the message may have been sent.
 */
export function getFailureText(code: Failure['code'], rest: Partial<Failure> = {}): string {
  return toProblem({ code, maySend: true, ...rest }, true).text;
}

export const QUESTION = 'What is moss?';

/** Sends a message, in a new conversation by default, and waits for the reply to end. */
export async function ask(
  fixture: ChatFixture,
  text = QUESTION,
  id = fixture.newConversation().id,
): Promise<ShownReply> {
  assert.equal(await fixture.replies.send(id, text), 'sent');
  await fixture.ended(id);
  return getShownReply(fixture, id);
}

export async function retry(fixture: ChatFixture, { id, reply }: ShownReply): Promise<ShownReply> {
  assert.equal(await fixture.replies.retry(id, reply.id, sendAgain), 'sent');
  await fixture.ended(id);
  return getShownReply(fixture, id);
}

export function getShownReply(fixture: ChatFixture, id: string): ShownReply {
  const conversation = fixture.chat.findConversation(id);
  assert.ok(conversation);
  const { turns, draft } = toConversationView(conversation);
  const reply = turns.findLast((turn) => turn.kind === 'reply');
  assert.ok(reply);
  const said = turns.flatMap((turn) => (turn.kind === 'message' ? [turn.text] : []));
  const { text: sentence = '', actions = [] } = reply.problem ?? {};
  return { id, reply, sentence, actions, draft, said };
}

/** Returns the conversation's document as the page shows it. */
export function getShownDocument(fixture: ChatFixture, id: string): DocumentTurn {
  const conversation = fixture.chat.findConversation(id);
  const turn = conversation && toConversationView(conversation).turns.find(({ kind }) => kind === 'document');
  assert.ok(turn?.kind === 'document');
  return turn;
}

/** Counts the requests for a reply that reached the service. */
export function countMessagesSent({ service }: ChatFixture): number {
  return service.requests.filter(({ path }) => path.endsWith('/messages/stream')).length;
}
