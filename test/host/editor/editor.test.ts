import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { insertAtCursor, openNewFile, replaceSelection } from '../../../src/host/editor/editor';
import { waitUntil } from '../../support/waitUntil';
import { closeEditors } from '../support/closeEditors';
import { until } from '../support/until';

/** How long VS Code's Markdown extension and its language server may take to start. */
const LINKS_LIMIT_MS = 120_000;

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

  it('has no link that runs a command, in any language [attack: command link]', async function () {
    this.timeout(3 * LINKS_LIMIT_MS);
    const text = [
      '[a](command:workbench.action.quit "title") <command:workbench.action.quit> ![b](command:c)',
      '[c]: command:workbench.action.quit\n[c] [d][c] [e](<command:f>)',
      '<a href="command:workbench.action.quit">x</a> <img src=\'command:g\'> command:h',
    ].join('\n\n');
    const commandLinks = async (uri: vscode.Uri) => {
      const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        uri,
      );
      return links.filter(({ target }) => target?.scheme === 'command');
    };
    // VS Code's Markdown has such links.
    const live = await vscode.workspace.openTextDocument({ content: text, language: 'markdown' });
    // Its extension and language server take a moment to start.
    const hasLinks = async () => (await commandLinks(live.uri)).length > 0;
    await waitUntil('VS Code’s Markdown has links', hasLinks, LINKS_LIMIT_MS);
    const markdown = vscode.extensions.getExtension('vscode.markdown-language-features')?.packageJSON;
    const languages = (markdown.activationEvents as string[]).flatMap(
      (event) => /^onLanguage:(.+)/.exec(event)?.[1] ?? [],
    );
    assert.ok(languages.includes('markdown'));
    for (const name of ['md', 'Markdown', 'html', 'json', 'git-commit', 'css', ...languages]) {
      await openNewFile(text, name);
      const document = vscode.window.activeTextEditor?.document;
      assert.equal(document?.getText(), text);
      assert.deepEqual(await commandLinks(document.uri), [], name);
    }
  });

  const select = async (content: string) => {
    const document = await vscode.workspace.openTextDocument({ content });
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
