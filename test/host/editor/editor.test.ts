import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { insertAtCursor, openNewFile, replaceSelection } from '../../../src/host/editor/editor';
import { closeEditors } from '../support/closeEditors';
import { openText } from '../support/openText';
import { until } from '../support/until';

describe('Code from a reply', () => {
  afterEach(closeEditors);

  it('opens as a new file in its language, also by the language names that replies use', async () => {
    for (const [name, id] of [
      ['ts', 'typescript'],
      ['python', 'python'],
      ['sh', 'shellscript'],
      ['no-such-language', 'plaintext'],
    ] as const) {
      await openNewFile('text', name);
      const document = vscode.window.activeTextEditor?.document;
      assert.deepEqual([document?.languageId, document?.getText()], [id, 'text']);
    }
  });

  const select = async (content: string) => {
    const document = await openText(content);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 4, 0, 7);
    await until(() => vscode.window.activeTextEditor?.document === document);
    return document;
  };

  it('is inserted at the cursor, and keeps the selected text', async () => {
    const document = await select('one two three');
    await insertAtCursor('2');
    assert.equal(document.getText(), 'one two2 three');
  });

  it('replaces the selection, and can be undone', async () => {
    const document = await select('one two three');
    await replaceSelection('2');
    assert.equal(document.getText(), 'one 2 three');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one two three');
  });
});
