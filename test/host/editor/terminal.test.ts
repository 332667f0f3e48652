import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { insertIntoTerminal } from '../../../src/host/editor/editor';
import { assertInert } from '../support/hostile';
import { RecordedWindow } from '../support/recordedWindow';
import { until } from '../support/until';

describe('Commands from a reply', () => {
  let input: string;
  let terminal: vscode.Terminal;
  let recorded: RecordedWindow;
  let answer: string | undefined;
  const written = new vscode.EventEmitter<string>();

  beforeEach(async () => {
    input = '';
    answer = undefined;
    const opened = new Promise<void>((resolve) => {
      const pty: vscode.Pseudoterminal = {
        onDidWrite: written.event,
        open: () => resolve(),
        close: () => undefined,
        handleInput: (data) => {
          input += data;
        },
      };
      terminal = vscode.window.createTerminal({ name: 'Recorder', pty });
    });
    terminal.show();
    await opened;
    await until(() => vscode.window.activeTerminal === terminal);
    recorded = new RecordedWindow(() => answer);
  });
  afterEach(() => {
    recorded.dispose();
    terminal.dispose();
  });
  after(() => written.dispose());

  it('are inserted at the prompt of the active terminal, and not run', async () => {
    await insertIntoTerminal('\n echo "hello"  \n');
    await insertIntoTerminal(' --end');
    await until(() => input.includes('--end'));
    assert.equal(input, 'echo "hello"--end');
  });

  it('are pasted if they have multiple lines or a tab, and the clipboard’s text is restored', async () => {
    // The sequence by which a shell enables bracketed paste.
    written.fire('\u001b[?2004h');
    await vscode.env.clipboard.writeText('mine');
    await insertIntoTerminal('one\r\ntwo\n');
    await until(() => input.includes('\u001b[201~'));
    assert.equal(input, '\u001b[200~one\rtwo\u001b[201~');
    assert.equal(await vscode.env.clipboard.readText(), 'mine');
    input = '';
    await insertIntoTerminal('a\tb');
    await until(() => input.includes('\u001b[201~'));
    assert.equal(input, '\u001b[200~a\tb\u001b[201~');
    assert.equal(await vscode.env.clipboard.readText(), 'mine');
  });

  it('are pasted after a question if a workspace turns off VS Code’s own', async () => {
    const setting = vscode.workspace.getConfiguration('terminal.integrated');
    const { Workspace, Global } = vscode.ConfigurationTarget;
    const set = (value: string | undefined, target: vscode.ConfigurationTarget) =>
      setting.update('enableMultiLinePasteWarning', value, target);
    await vscode.env.clipboard.writeText('mine');
    try {
      await set('never', Workspace);
      await insertIntoTerminal('rm a\nrm b');
      assert.match(recorded.texts[0] ?? '', /^Insert several lines/);
      await insertIntoTerminal('a\tb');
      await until(() => input !== '');
      assert.deepEqual([input, recorded.shown.length], ['a\tb', 1]);
      answer = 'Insert';
      await insertIntoTerminal('rm a\nrm b');
      await until(() => input.includes('rm b'));
      // The user's own choice counts.
      await set('never', Global);
      await insertIntoTerminal('one\ntwo');
      await until(() => input.includes('two'));
      assert.equal(recorded.shown.length, 2);
    } finally {
      await set(undefined, Workspace);
      await set(undefined, Global);
    }
  });

  it('replace an image on the clipboard only after confirmation', async () => {
    written.fire('\u001b[?2004h');
    // With an image on the clipboard, its text is empty.
    await vscode.env.clipboard.writeText('');
    await insertIntoTerminal('one\ntwo');
    assert.deepEqual(
      recorded.shown.map(({ by, texts }) => [by, texts[0]]),
      [['Warning', 'Replace the contents of the clipboard?']],
    );
    answer = 'Continue';
    await insertIntoTerminal('three\nfour');
    await until(() => input.includes('\u001b[201~'));
    assert.equal(input, '\u001b[200~three\rfour\u001b[201~');
    assert.equal(await vscode.env.clipboard.readText(), '');
  });

  it('are refused if they have a control character, which is named [attack: terminal]', async () => {
    for (const hostile of [
      'touch a\u000f',
      'a\n\u001b[201~\rb',
      'a\u0003b',
      'a\u0085b',
      'a\u2028b\u2029',
      '\u0000',
    ]) {
      await insertIntoTerminal(hostile);
    }
    assert.deepEqual(
      recorded.texts.map((text) => /U\+[\dA-F]{4}/.exec(text)?.[0]),
      ['U+000F', 'U+001B', 'U+0003', 'U+0085', 'U+2028', 'U+0000'],
    );
    assertInert(recorded.texts);
    await insertIntoTerminal('end');
    await until(() => input !== '');
    assert.equal(input, 'end');
  });
});
