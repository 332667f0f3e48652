import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pasteIntoTerminal } from '../../src/host/actions/editor';
import { until } from './support/until';

describe('Commands from a reply', () => {
  it('stand behind the prompt of the active terminal, and are not run', async () => {
    let input = '';
    const opened = new vscode.EventEmitter<void>();
    const isOpen = new Promise<void>((resolve) => opened.event(resolve));
    const pty: vscode.Pseudoterminal = {
      onDidWrite: new vscode.EventEmitter<string>().event,
      open: () => opened.fire(),
      close: () => undefined,
      handleInput: (data) => {
        input += data;
      },
    };
    const terminal = vscode.window.createTerminal({ name: 'Recorder', pty });
    try {
      terminal.show();
      await isOpen;
      await until(() => vscode.window.activeTerminal === terminal);
      await pasteIntoTerminal('\n echo "hello"  \n');
      await pasteIntoTerminal(' --end');
      await until(() => input.includes('--end'));
      assert.equal(input, 'echo "hello"--end');
    } finally {
      terminal.dispose();
      opened.dispose();
    }
  });
});
