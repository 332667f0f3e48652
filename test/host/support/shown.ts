import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Failure } from '../../../src/chat/model/failure';
import { toConversationView } from '../../../src/host/panel/turnView';
import { toProblem } from '../../../src/host/service/failureText';
import type { DocumentTurn, ReplyTurn } from '../../../src/shared/viewModel';
import type { ChatFixture } from '../../chat/support/chatFixture';

/** What the page is told of a message and its reply. */
export interface Shown {
  readonly id: string;
  readonly reply: ReplyTurn;
  /** The sentence of the reply's problem; '' where there is none. */
  readonly sentence: string;
  /** What a person can do about it. */
  readonly actions: readonly string[];
  /** What stands in the composer. */
  readonly draft: string;
  /** What the person said, as the transcript shows it. */
  readonly said: readonly string[];
}

/**
 * What a person reads of a message that fails so. The words are tested in failureText.test.ts; other tests say which of them
 * they mean. `maySend` is false where the message may have been sent.
 */
export function sentenceFor(code: Failure['code'], rest: Partial<Failure> = {}): string {
  return toProblem({ code, maySend: true, ...rest }, true).text;
}

export const QUESTION = 'What is moss?';

/** The settings name the service that the chat speaks to, as they do for a person: its host is named in sentences. */
export async function pointAt(fixture: ChatFixture, baseUrl: string): Promise<void> {
  fixture.useBaseUrl(baseUrl);
  const settings = vscode.workspace.getConfiguration('parley');
  await settings.update('baseUrl', baseUrl, vscode.ConfigurationTarget.Global);
}

/** Asks, in a new conversation unless one is named, and waits for the reply's end. */
export async function ask(
  fixture: ChatFixture,
  text = QUESTION,
  id = fixture.newConversation().id,
): Promise<Shown> {
  assert.equal(await fixture.replies.send(id, text), 'sent');
  await fixture.ended(id);
  return shown(fixture, id);
}

export async function retry(fixture: ChatFixture, { id, reply }: Shown): Promise<Shown> {
  assert.equal(await fixture.replies.retry(id, reply.id), true);
  await fixture.ended(id);
  return shown(fixture, id);
}

export function shown(fixture: ChatFixture, id: string): Shown {
  const conversation = fixture.chat.find(id);
  assert.ok(conversation);
  const { turns, draft } = toConversationView(conversation);
  const reply = turns.findLast((turn) => turn.kind === 'reply');
  assert.ok(reply);
  const said = turns.flatMap((turn) => (turn.kind === 'message' ? [turn.text] : []));
  const { text: sentence = '', actions = [] } = reply.problem ?? {};
  return { id, reply, sentence, actions, draft, said };
}

/** The conversation's document as the page is told of it. */
export function shownDocument(fixture: ChatFixture, id: string): DocumentTurn {
  const conversation = fixture.chat.find(id);
  const turn =
    conversation && toConversationView(conversation).turns.find((each) => each.kind === 'document');
  assert.ok(turn?.kind === 'document');
  return turn;
}

/** Requests for a reply that reached the service. */
export function messagesSent({ service }: ChatFixture): number {
  return service.requests.filter(({ path }) => path.endsWith('/messages/stream')).length;
}
