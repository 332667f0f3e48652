import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Conversation } from '../../../src/chat/model/conversation';
import { PROPOSAL_SCHEME } from '../../../src/host/base/names';
import { ChangeReview } from '../../../src/host/editor/changeReview';
import { CodeInsertion } from '../../../src/host/editor/codeInsertion';
import { EditorFocus } from '../../../src/host/editor/editorFocus';
import { showWorkspaceFile } from '../../../src/host/editor/workspaceFiles';
import { closeEditors } from '../support/closeEditors';
import { openText } from '../support/openText';
import { until } from '../support/until';

const conversation = {
  turns: [
    { kind: 'message', id: 'm', text: '```\nfrom the message\n```', at: 1 },
    { kind: 'reply', id: 'r', bot: 'b', text: 'Use this:\n\n```\n2\n```\n', at: 2 },
  ],
} as unknown as Conversation;

describe('Code from a reply', () => {
  let review: ChangeReview;
  let editorFocus: EditorFocus;
  let insertion: CodeInsertion;
  // Each test has its own files: VS Code takes a while to detect changes on disk.
  let count = 0;
  const files: string[] = [];

  beforeEach(() => {
    review = new ChangeReview();
    editorFocus = new EditorFocus();
    insertion = new CodeInsertion({ editorFocus, review });
  });
  afterEach(async () => {
    await closeEditors();
    await vscode.commands.executeCommand('notifications.clearAll');
    editorFocus.dispose();
    review.dispose();
    await Promise.all(files.splice(0).map((file) => rm(file, { force: true })));
  });

  /** Opens a text as the user does, and selects its second word. */
  const select = async (content: string) => {
    const document = await openText(content);
    const editor = await vscode.window.showTextDocument(document);
    const selected = new Promise((resolve) => {
      const listener = vscode.window.onDidChangeTextEditorSelection((event) => {
        if (event.textEditor !== editor) return;
        listener.dispose();
        resolve(undefined);
      });
    });
    editor.selection = new vscode.Selection(0, 4, 0, 7);
    await selected;
    return document;
  };

  /** Creates a workspace file; returns its name. */
  const createFile = async (content: string) => {
    const name = `inserted-${++count}.txt`;
    const file = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', name);
    files.push(file);
    await writeFile(file, content);
    return name;
  };

  const openForPage = async (name: string, line?: number) => {
    await editorFocus.openForPage(() => showWorkspaceFile(name, line));
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document);
    assert.equal(path.posix.basename(document.uri.path), name);
    return document;
  };

  /** Waits for the review of a change; returns the proposed text. Its notification is not answered. */
  const readProposal = async () => {
    const { modified } = await until(() => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff && input.modified.scheme === PROPOSAL_SCHEME && input;
    });
    return { uri: modified, text: (await vscode.workspace.openTextDocument(modified)).getText() };
  };

  it('is inserted at the cursor, and keeps the selected text', async () => {
    const document = await select('one two three');
    await insertion.insertAtCursor(conversation, '2');
    assert.equal(document.getText(), 'one two2 three');
  });

  it('replaces the selection, and can be undone', async () => {
    const document = await select('one two three');
    await insertion.replaceSelection(conversation, '2');
    assert.equal(document.getText(), 'one 2 three');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one two three');
  });

  it('is reviewed before it gets into a file that the page opened [attack: page edits]', async () => {
    await select('one two three');
    const document = await openForPage(await createFile('one\n'));
    void insertion.insertAtCursor(conversation, '2');
    const { uri, text } = await readProposal();
    assert.deepEqual([document.getText(), text], ['one\n', '2one\n']);
    await review.apply(uri);
    assert.equal(document.getText(), '2one\n');
  });

  it('is reviewed before it gets into a file that the page is opening [attack: page edits]', async () => {
    const name = await createFile('one\n');
    let document: vscode.TextDocument | undefined;
    await editorFocus.openForPage(async () => {
      await showWorkspaceFile(name);
      document = vscode.window.activeTextEditor?.document;
      void insertion.insertAtCursor(conversation, '2');
      await readProposal();
    });
    assert.equal(document?.getText(), 'one\n');
  });

  it('is reviewed before it gets into a file that the page opened and that is active again [attack: page edits]', async () => {
    const document = await openForPage(await createFile('one\n'));
    await vscode.window.showTextDocument(await openText('above'), { preview: false });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until(() => vscode.window.activeTextEditor?.document === document);
    void insertion.insertAtCursor(conversation, '2');
    await readProposal();
    assert.equal(document.getText(), 'one\n');
  });

  it('is reviewed before it gets to a line that the page chose in the user’s file [attack: page edits]', async () => {
    const name = await createFile('one\ntwo\n');
    await showWorkspaceFile(name);
    const document = await openForPage(name, 2);
    void insertion.insertAtCursor(conversation, '2');
    assert.equal((await readProposal()).text, 'one\n2two\n');
    assert.equal(document.getText(), 'one\ntwo\n');
  });

  it('is inserted into a file that the page opened once the user moves the cursor there', async () => {
    const document = await openForPage(await createFile('one\n'));
    await vscode.commands.executeCommand('cursorRight');
    await until(() => vscode.window.activeTextEditor?.selection.active.character === 1);
    await insertion.insertAtCursor(conversation, '2');
    assert.equal(document.getText(), 'o2ne\n');
  });

  it('is inserted into the user’s file after the page asked for one that isn’t there', async () => {
    const document = await select('one two three');
    await editorFocus.openForPage(() => showWorkspaceFile('no-such-file.txt'));
    await insertion.insertAtCursor(conversation, '2');
    assert.equal(document.getText(), 'one two2 three');
  });

  for (const [where, code] of [
    ['in no turn', '3'],
    ['in a message only, which the page may have sent', 'from the message'],
  ] as const) {
    it(`is reviewed if it is ${where} [attack: page edits]`, async () => {
      const document = await select('one two three');
      void insertion.replaceSelection(conversation, code);
      const { uri, text } = await readProposal();
      assert.deepEqual([document.getText(), text], ['one two three', `one ${code} three`]);
      await review.apply(uri);
      assert.equal(document.getText(), `one ${code} three`);
    });
  }

  it('is reviewed at each cursor, with the line ends of the file', async () => {
    const document = await openForPage(await createFile('one two\r\n'));
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    editor.selections = [new vscode.Selection(0, 7, 0, 4), new vscode.Selection(0, 0, 0, 0)];
    await until(() => editor.selections.length === 2);
    void insertion.replaceSelection(undefined, 'a\nb');
    assert.equal((await readProposal()).text, 'a\r\nbone a\r\nb\r\n');
    assert.equal(document.getText(), 'one two\r\n');
  });
});
