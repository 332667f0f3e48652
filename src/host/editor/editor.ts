import * as vscode from 'vscode';
import { borrowClipboard } from '../base/clipboard';
import { showInformation, showWarning } from '../base/dialogs';
import { toInertLanguage } from '../conversations/markdownView';
import { findTerminalControl, toTerminalInput } from './terminalInput';

const { t } = vscode.l10n;

/** Writes text at each cursor of the editor used last; what is selected stays. */
export async function insertAtCursor(text: string): Promise<void> {
  await editLast((edit, { active }) => edit.insert(active, text));
}

/** Writes text over each selection of the editor used last. */
export async function replaceSelection(text: string): Promise<void> {
  await editLast((edit, selection) => edit.replace(selection, text));
}

async function editLast(
  change: (edit: vscode.TextEditorEdit, selection: vscode.Selection) => void,
): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (!editor) {
    void showInformation(t('Open a file first: there is no cursor to insert at.'));
    return;
  }
  await editor.edit((edit) => {
    for (const selection of editor.selections) change(edit, selection);
  });
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/**
 * Puts commands behind the prompt of the active terminal, or of a new one, without running them. Several lines go
 * through VS Code's own paste, which a shell takes as one piece and VS Code asks about where it would not.
 */
export async function putIntoTerminal(commands: string): Promise<void> {
  const control = findTerminalControl(commands);
  if (control !== undefined) {
    void showWarning(
      t(
        'Nothing was put into the terminal: the code has the hidden character {0}, which could run it.',
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
  // A new terminal takes no paste before its shell is there.
  await terminal.processId;
  await borrowClipboard(async () => {
    await vscode.env.clipboard.writeText(text);
    await vscode.commands.executeCommand('workbench.action.terminal.paste');
  });
}

/** How replies name languages that VS Code knows under another id. */
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

/** Opens text in an untitled editor, in the language where VS Code knows it; Markdown without live links. */
export async function newFile(content: string, language: string): Promise<void> {
  const name = language.toLowerCase();
  const id = LANGUAGE_IDS[name] ?? name;
  const known = (await vscode.languages.getLanguages()).includes(id);
  const document = await vscode.workspace.openTextDocument({
    content,
    ...(known && { language: toInertLanguage(id) }),
  });
  await vscode.window.showTextDocument(document);
}
