import * as vscode from 'vscode';
import { borrowClipboard } from '../base/clipboard';
import { confirm, showWarning } from '../base/dialogs';
import { isPasteWarningOff } from '../base/settings';
import { toInertLanguage } from '../export/markdown/markdownView';
import { findTerminalControl, toTerminalInput } from './terminalInput';

const { t } = vscode.l10n;

/**
 * Inserts commands into the active terminal, or a new one, without running them. Multiple lines are pasted by
 * VS Code's own command: shells with bracketed paste don't run them, and for others VS Code asks first, unless the
 * workspace's settings turn that off: then Parley asks.
 */
export async function insertIntoTerminal(commands: string): Promise<void> {
  const control = findTerminalControl(commands);
  if (control !== undefined) {
    void showWarning(
      t(
        'Nothing was inserted into the terminal: the code contains the hidden character {0}, which could run it.',
        control,
      ),
    );
    return;
  }
  const { text, paste } = toTerminalInput(commands);
  if (text === '') return;
  const terminal = vscode.window.activeTerminal ?? vscode.window.createTerminal();
  terminal.show();
  if (!paste) {
    terminal.sendText(text, false);
    return;
  }
  if (text.includes('\n') && isPasteWarningOff() && !(await confirmLines(text))) return;
  // A new terminal can't be pasted into before its shell has started.
  await terminal.processId;
  await borrowClipboard(async () => {
    await vscode.env.clipboard.writeText(text);
    await vscode.commands.executeCommand('workbench.action.terminal.paste');
  });
}

/** The number of lines that the question about them shows. */
const MAX_SHOWN_LINES = 10;

/** Asks before several lines are pasted into a terminal, as VS Code does by default. */
async function confirmLines(text: string): Promise<boolean> {
  const insert = t('Insert');
  const lines = text.split('\n');
  const shown = lines.length > MAX_SHOWN_LINES ? [...lines.slice(0, MAX_SHOWN_LINES), '…'] : lines;
  const question = t('Insert multiple lines into the terminal? The shell may run them immediately.');
  return (await confirm(question, shown, insert)) === insert;
}

/** VS Code's IDs for the language names that replies use. */
const LANGUAGE_IDS: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  jsx: 'javascriptreact',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  cs: 'csharp',
  'c++': 'cpp',
  sh: 'shellscript',
  bash: 'shellscript',
  shell: 'shellscript',
  zsh: 'shellscript',
  console: 'shellscript',
  ps1: 'powershell',
  yml: 'yaml',
  md: 'markdown',
  docker: 'dockerfile',
};

/**
 * Opens text in an untitled editor, with its language if VS Code has it; Markdown without clickable links.
 */
export async function openNewFile(content: string, language: string): Promise<void> {
  const name = language.toLowerCase();
  const id = LANGUAGE_IDS[name] ?? name;
  const isSupported = (await vscode.languages.getLanguages()).includes(id);
  const document = await vscode.workspace.openTextDocument({
    content,
    ...(isSupported && { language: toInertLanguage(id) }),
  });
  await vscode.window.showTextDocument(document);
}
