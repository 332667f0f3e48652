import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { UploadActions } from '../../../src/host/documents/uploadActions';
import type { HostPage } from '../../../src/host/panel/page/hostPage';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { RecordedWindow } from '../support/recordedWindow';

type Services = ConstructorParameters<typeof UploadActions>[0];

describe('An upload by the user', () => {
  let page: HostPage;
  const { uri } = vscode.workspace.workspaceFolders?.[0] ?? assert.fail('no folder');
  let fixture: ChatFixture;
  let recorded: RecordedWindow;
  let answer: string | undefined;
  let steps: string[];
  let actions: UploadActions;
  let id: string;

  beforeEach(async () => {
    fixture = await startChat();
    ({ id } = fixture.newConversation());
    page = { conversationId: id } as HostPage;
    steps = [];
    recorded = new RecordedWindow(({ by, items }) => {
      steps.push(by);
      if (by === 'OpenDialog') {
        Object.assign(page, { conversationId: fixture.newConversation().id });
        return [notes];
      }
      if (by === 'QuickPick') return answer && items;
      return by === 'Warning' ? answer : undefined;
    });
    const panel: Services['panel'] = {
      getCurrentConversationId: async () => id,
      moveFocus: async (to) => void steps.push(to),
      returnTo: async (to) => void steps.push(to === page ? 'page' : 'another page'),
    };
    const setup = { checkSetup: async () => ({ step: 'done' }) } as unknown as Services['setup'];
    actions = new UploadActions({ ...fixture, setup, panel });
  });
  afterEach(async () => {
    recorded.dispose();
    await fixture.close();
  });

  const notes = vscode.Uri.joinPath(uri, 'notes.txt');

  it('returns the focus to the page that asked, after the questions, whatever the answers', async () => {
    for (const given of ['Upload', undefined]) {
      answer = given;
      steps = [];
      await actions.attach([uri], page);
      assert.deepEqual(steps.slice(0, 2), ['QuickPick', 'page']);
    }
  });

  it('moves the focus to the panel’s composer for a command, unless the command was canceled', async () => {
    await actions.attach([notes]);
    assert.deepEqual(steps.slice(0, 2), ['focusComposer', 'Progress']);
    steps = [];
    await actions.attach([uri]);
    assert.deepEqual(steps, ['QuickPick']);
  });

  it('is of the conversation for which the files were picked, although its page shows another one by then', async () => {
    await actions.pick(page);
    assert.notEqual(page.conversationId, id);
    const getTurns = (of: string) => fixture.chat.findConversation(of)?.turns.map(({ kind }) => kind);
    assert.deepEqual([getTurns(id), getTurns(page.conversationId)], [['document'], []]);
  });
});
