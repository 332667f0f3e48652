import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isPasteWarningOff } from '../../../src/host/base/settings';
import { insertIntoTerminal } from '../../../src/host/editor/editor';
import { assertInert } from '../support/hostile';
import { RecordedWindow } from '../support/recordedWindow';
import { setSetting } from '../support/setSetting';
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

  /** Enables bracketed paste as a shell does; resolves when the terminal has read that. */
  const enableBracketedPaste = async () => {
    // The request for the cursor's position is answered as if it was typed.
    written.fire('\u001b[?2004h\u001b[6n');
    await until(() => input.endsWith('R'));
    input = '';
  };

  it('are inserted at the prompt of the active terminal, and not run', async () => {
    await insertIntoTerminal('\n echo "hello"  \n');
    await insertIntoTerminal(' --end');
    await until(() => input.includes('--end'));
    assert.equal(input, 'echo "hello"--end');
  });

  it('are pasted if they have multiple lines or a tab, and the clipboard’s text is restored', async () => {
    await enableBracketedPaste();
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

  describe('with several lines', () => {
    const { Workspace, Global } = vscode.ConfigurationTarget;
    const set = (value: string | undefined, target: vscode.ConfigurationTarget) =>
      setSetting('terminal.integrated.enableMultiLinePasteWarning', value, target);

    beforeEach(async () => {
      await vscode.env.clipboard.writeText('mine');
      // With it, VS Code itself asks only for `always`: its dialog would block the test.
      await enableBracketedPaste();
    });
    afterEach(async () => {
      await set(undefined, Workspace);
      await set(undefined, Global);
    });

    // VS Code asks unless the setting is `never`. Only what a workspace says isn't the user's own choice.
    const cases = [
      { asks: false },
      { user: 'auto', asks: false },
      { user: 'never', asks: false },
      { workspace: 'auto', asks: false },
      { workspace: 'never', asks: true },
      { user: 'auto', workspace: 'never', asks: true },
      { user: 'always', workspace: 'never', asks: true },
      { user: 'never', workspace: 'never', asks: false },
      { user: 'never', workspace: 'auto', asks: false },
      { user: 'always', workspace: 'auto', asks: false },
    ];
    for (const { user, workspace, asks } of cases) {
      const setting = `the user’s setting is ${user ?? 'missing'} and the workspace’s ${workspace ?? 'missing'}`;
      it(`are pasted ${asks ? 'after' : 'without'} a question of Parley’s own if ${setting}`, async () => {
        await set(user, Global);
        await set(workspace, Workspace);
        if (asks) {
          await insertIntoTerminal('rm a\nrm b');
          assert.match(recorded.texts[0] ?? '', /^Insert multiple lines/);
          await insertIntoTerminal('a\tb');
          await until(() => input !== '');
          assert.match(input, /a\tb/);
          input = '';
          answer = 'Insert';
        }
        await insertIntoTerminal('rm a\nrm b');
        await until(() => input.includes('rm b'));
        assert.equal(recorded.shown.length, asks ? 2 : 0);
      });
    }

    for (const target of [Global, Workspace]) {
      const level = target === Global ? 'user' : 'workspace';
      it(`are left to VS Code’s own question if the ${level}’s setting is always`, async () => {
        await set('always', target);
        // VS Code's question needs an answer from its own dialog, so only Parley's part is called.
        assert.equal(isPasteWarningOff(), false);
      });
    }
  });

  it('replace an image on the clipboard only after confirmation', async () => {
    await enableBracketedPaste();
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
