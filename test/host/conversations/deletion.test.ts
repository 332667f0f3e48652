import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ConversationActions } from '../../../src/host/conversations/conversationActions';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';

type Services = ConstructorParameters<typeof ConversationActions>[0];

/** Longer than any test: what comes sooner came by itself. */
const NEVER_MS = 2 ** 30;

describe('Deletion of a conversation', () => {
  const { window } = vscode;
  const { showWarningMessage, showInformationMessage } = window;
  let fixture: ChatFixture;
  let id: string;
  /** What is answered to the question, and to the offer to undo. */
  let answer: string | undefined;
  let offer: (undo: string) => Promise<string | undefined>;

  beforeEach(async () => {
    fixture = await startChat();
    ({ id } = fixture.newConversation());
    await fixture.replies.send(id, 'Hello');
    await fixture.ended(id);
    answer = 'Delete';
    offer = () => new Promise(() => undefined);
    Object.assign(window, {
      showWarningMessage: async () => answer,
      showInformationMessage: (_text: string, undo: string) => offer(undo),
    });
  });
  afterEach(async () => {
    Object.assign(window, { showWarningMessage, showInformationMessage });
    await fixture.close();
  });

  /** Only what deletes is there. */
  const createActions = (undoMs: number) => new ConversationActions(fixture as unknown as Services, undoMs);
  const isHere = async () => (await fixture.chat.open(id)) !== undefined;
  const onService = () => fixture.service.conversations.size;

  it('does nothing where the question is not answered by Delete', async () => {
    answer = undefined;
    await createActions(0).delete(id);
    assert.deepEqual([await isHere(), onService()], [true, 1]);
  });

  it('reaches the service once the time to undo it is over', async () => {
    await createActions(20).delete(id);
    assert.deepEqual([await isHere(), onService()], [false, 0]);
  });

  it('is undone by Undo, and the service never hears of it', async () => {
    let wasHere: boolean | undefined;
    offer = async (undo) => {
      wasHere = await isHere();
      return undo;
    };
    await createActions(NEVER_MS).delete(id);
    assert.deepEqual([wasHere, await isHere(), onService()], [false, true, 1]);
    assert.ok(fixture.service.requests.every(({ method }) => method !== 'DELETE'));
  });

  it('reaches the service at once where the window closes', async () => {
    const actions = createActions(NEVER_MS);
    const offered = new Promise<void>((resolve) => {
      offer = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    const done = actions.delete(id);
    await offered;
    assert.equal(onService(), 1);
    await actions.dispose();
    await done;
    assert.equal(onService(), 0);
  });

  it('gives the conversation back where the service refuses, unless Retry is taken', async () => {
    const { showErrorMessage } = window;
    const asked: string[] = [];
    const answers = ['Retry', undefined];
    Object.assign(window, {
      showErrorMessage: async (text: string) => {
        asked.push(text);
        return answers.shift();
      },
    });
    try {
      fixture.service.inject({ name: 'status', on: 'DELETE /conversations/{id}', status: 500, times: 2 });
      await createActions(0).delete(id);
    } finally {
      Object.assign(window, { showErrorMessage });
    }
    assert.deepEqual([asked.length, await isHere(), onService()], [2, true, 1]);
  });
});
