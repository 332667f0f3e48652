import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { closeEditors } from '../support/closeEditors';
import { until } from '../support/until';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const file = path.join(root, '.vscode', 'parley.json');

describe('An editor with .vscode/parley.json', () => {
  beforeEach(() => mkdir(path.dirname(file), { recursive: true }));
  afterEach(async () => {
    await closeEditors();
    await rm(path.dirname(file), { recursive: true, force: true });
  });

  const open = async (text: string) => {
    await writeFile(file, text);
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    // VS Code may still have the text of the test before.
    await vscode.commands.executeCommand('workbench.action.files.revert');
    return document;
  };

  it('marks what Parley doesn’t read, and allows comments', async () => {
    const { uri, languageId } = await open(`{
      // Our bots.
      "service": { "name": "Example", "baseUrl": "http://bots.example.com/api/v1", "apiKey": "x" },
      "bots": [{ "name": "Guide" }],
    }`);
    assert.equal(languageId, 'jsonc');
    const messages = await until(() => {
      const found = vscode.languages.getDiagnostics(uri).map(({ message }) => message);
      return found.length >= 3 && found;
    });
    assert.deepEqual(messages.toSorted(), [
      'Missing property "id".',
      'Property apiKey is not allowed.',
      'Use https: and a version path, as in https://bots.example.com/api/v1',
    ]);
  });

  it('completes the properties of a bot', async () => {
    const document = await open('{ "bots": [{ "" }] }');
    const position = document.positionAt(document.getText().indexOf('""') + 1);
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      position,
    );
    const labels = list.items.map(({ label }) => String(typeof label === 'string' ? label : label.label));
    assert.deepEqual(
      ['for', 'id', 'name'].filter((name) => !labels.includes(name)),
      [],
    );
  });
});
