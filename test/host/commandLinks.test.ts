import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openNewFile } from '../../src/host/editor/editor';
import { waitUntil } from '../support/waitUntil';
import { closeEditors } from './support/closeEditors';
import { openText } from './support/openText';

/** How long VS Code's Markdown extension may take to start, in ms. */
const LINKS_LIMIT_MS = 120_000;

// Before the tests that create and delete hundreds of files: after those, VS Code's Markdown server sometimes never
// answers again, and then nothing shows that it would find such a link.
describe('Code from a reply', () => {
  afterEach(closeEditors);

  it('has no link that runs a command, in any language [attack: command link]', async () => {
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
    const live = await openText(text, 'md');
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
});
