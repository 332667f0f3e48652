import * as vscode from 'vscode';
import { showInformation, showWarning } from '../base/dialogs';
import { Command, PROPOSAL_SCHEME } from '../base/names';
import { isInWorkspace } from '../platform/workspacePlace';
import { findWorkspaceFile } from './workspaceFiles';

const { t } = vscode.l10n;

interface Proposal {
  readonly file: vscode.Uri;
  readonly before: string;
  readonly text: string;
  /** Whether the file was in the workspace: then it must still be when the change is applied. */
  readonly inWorkspace: boolean;
}

/**
 * Reviews changes that a reply proposes for a file: shows a diff with the file, and applies it on request
 * only.
 */
export class ChangeReview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #proposals = new Map<string, Proposal>();
  readonly #registrations = [
    vscode.workspace.registerTextDocumentContentProvider(PROPOSAL_SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#proposals.delete(uri.toString())),
  ];
  #count = 0;

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#proposals.get(uri.toString())?.text;
  }

  /**
   * Opens the diff. `lines` are the first and last line that the text replaces; without them, it replaces the
   * whole file.
   */
  async reviewChange(
    path: string,
    text: string,
    lines?: readonly [first: number, last: number],
  ): Promise<void> {
    const file = await findWorkspaceFile(path);
    if (!file) {
      void showWarning(t('{0} is not a file in this workspace.', path));
      return;
    }
    const document = await vscode.workspace.openTextDocument(file);
    // It was found in the workspace. Looking again here would let through a file that a link has replaced since.
    await this.#open(document, createProposedText(document, text, lines), true);
  }

  /** Opens the diff of an editor's document, which may be outside the workspace, and its proposed text. */
  async propose(document: vscode.TextDocument, text: string): Promise<void> {
    await this.#open(document, text, await isInWorkspace(document.uri));
  }

  async #open(document: vscode.TextDocument, text: string, inWorkspace: boolean): Promise<void> {
    const file = document.uri;
    // The path keeps the file's name, and so its language; the query distinguishes proposals for the same
    // file.
    const proposal = file.with({ scheme: PROPOSAL_SCHEME, authority: '', query: String(++this.#count) });
    this.#proposals.set(proposal.toString(), {
      file,
      before: document.getText(),
      text: useLineEnds(document, text),
      inWorkspace,
    });
    const path = vscode.workspace.asRelativePath(file);
    const title = t('{0} (proposed by the reply)', path);
    await vscode.commands.executeCommand('vscode.diff', file, proposal, title, { preview: false });
    const apply = t('Apply');
    const choice = await showInformation(t('Apply the change to {0}?', path), apply);
    if (choice === apply) await vscode.commands.executeCommand(Command.applyChange, proposal);
  }

  /** Applies a proposal in the file's editor, where it can be undone, and closes the diff. */
  async apply(proposal: unknown): Promise<void> {
    const uri = proposal instanceof vscode.Uri ? proposal : getActiveProposal();
    const change = uri && this.#proposals.get(uri.toString());
    if (!uri || !change) return;
    // The file may have been replaced by a link.
    if (change.inWorkspace && !(await isInWorkspace(change.file))) {
      const path = vscode.workspace.asRelativePath(change.file);
      void showWarning(t('{0} is not a file in this workspace.', path));
      return;
    }
    const document = await vscode.workspace.openTextDocument(change.file);
    // The proposal replaces the whole file: edits made after it was opened must not be lost.
    if (document.getText() !== change.before) {
      void showWarning(
        t('{0} has changed. Review the change again.', vscode.workspace.asRelativePath(change.file)),
      );
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
    edit.replace(change.file, whole, change.text);
    if (!(await vscode.workspace.applyEdit(edit))) return;
    this.#proposals.delete(uri.toString());
    await vscode.window.tabGroups.close(findTabs(uri));
    await vscode.window.showTextDocument(document);
  }

  dispose(): void {
    for (const registration of this.#registrations) registration.dispose();
  }
}

function createProposedText(
  document: vscode.TextDocument,
  text: string,
  lines: readonly [first: number, last: number] | undefined,
): string {
  if (!lines) return text;
  const eol = getLineEnd(document);
  const proposed = useLineEnds(document, text);
  const all = document.getText().split(eol);
  const body = proposed.endsWith(eol) ? proposed.slice(0, -eol.length) : proposed;
  return [...all.slice(0, lines[0] - 1), body, ...all.slice(lines[1])].join(eol);
}

function useLineEnds(document: vscode.TextDocument, text: string): string {
  return text.replace(/\r\n?|\n/g, getLineEnd(document));
}

function getLineEnd(document: vscode.TextDocument): string {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

function getActiveProposal(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

function findTabs(proposal: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && `${input.modified}` === `${proposal}`);
}
