import * as vscode from 'vscode';
import { baseName } from '../../chat/uploads/uploadName';
import { type ContextChip, countCodePoints } from '../../shared/message';
import { plural } from '../base/plural';
import { diffChip, excerptChip, fileChip, getFullRange, problemsChip, terminalChip } from './chips';
import { changedRepositories, readDiff } from './gitDiff';
import { terminalSelection } from './terminal';

const { t } = vscode.l10n;

/** A quick pick item for context that can be added to a message. */
export interface ContextItem extends vscode.QuickPickItem {
  /** Resolves to a chip, or to a message that says why there is none. */
  readonly take: () => Promise<ContextChip | string>;
}

/** Returns the available context: from the visible editors, the active terminal and Git. */
export async function contextOffers(): Promise<ContextItem[]> {
  const editors = editorsOnScreen();
  const repositories = await changedRepositories();
  const terminal = vscode.window.activeTerminal;
  return [
    ...editors.flatMap(selectionOffer),
    ...editors.flatMap(fileOffers),
    ...editors.flatMap(problemOffer),
    ...(terminal ? [terminalOffer(terminal.name)] : []),
    ...repositories.map((repository): ContextItem => {
      const folder = baseName(repository.rootUri.path);
      return {
        label: t('Git Diff'),
        iconPath: new vscode.ThemeIcon('diff'),
        description: folder,
        take: async () => {
          const diff = await readDiff(repository);
          return diff === '' ? t('Git has no changes of files that it knows.') : diffChip(folder, diff);
        },
      };
    }),
  ];
}

/** Returns the visible editors, the active one first and one per document, without output channels. */
function editorsOnScreen(): vscode.TextEditor[] {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const all = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
  const byUri = new Map<string, vscode.TextEditor>();
  for (const editor of all) {
    const { uri } = editor.document;
    if (uri.scheme !== 'output' && !byUri.has(uri.toString())) byUri.set(uri.toString(), editor);
  }
  return [...byUri.values()];
}

function selectionOffer({ document, selection }: vscode.TextEditor): ContextItem[] {
  if (selection.isEmpty) return [];
  const chip = excerptChip('selection', document, selection);
  return [offer(t('Selection in {0}', baseName(document.uri.path)), 'list-selection', chip, chip.name)];
}

/** Returns the items for a document: its visible lines, unless all of it is visible, and the whole file. */
function fileOffers({ document, visibleRanges }: vscode.TextEditor): ContextItem[] {
  if (document.getText().trim() === '') return [];
  const name = baseName(document.uri.path);
  const path = vscode.workspace.asRelativePath(document.uri);
  const whole = getFullRange(document);
  const visible = visibleRanges.reduce<vscode.Range | undefined>(
    (union, range) => union?.union(range) ?? range,
    undefined,
  );
  const lines =
    visible && document.validateRange(new vscode.Range(visible.start.line, 0, visible.end.line + 1, 0));
  const part = lines && !lines.contains(whole) ? excerptChip('file', document, lines) : undefined;
  return [
    ...(part ? [offer(t('Visible Lines of {0}', name), 'file-code', part, part.name)] : []),
    offer(name, 'file', fileChip(document), path),
  ];
}

function problemOffer({ document: { uri } }: vscode.TextEditor): ContextItem[] {
  const problems = vscode.languages.getDiagnostics(uri);
  if (problems.length === 0) return [];
  return [offer(t('Problems in {0}', baseName(uri.path)), 'warning', problemsChip(uri, problems), '')];
}

function terminalOffer(name: string): ContextItem {
  return {
    label: t('Terminal Selection'),
    iconPath: new vscode.ThemeIcon('terminal'),
    description: name,
    take: async () => {
      const text = (await terminalSelection()).trimEnd();
      return text === '' ? t('Select some text in the terminal first.') : terminalChip(name, text);
    },
  };
}

function offer(label: string, icon: string, chip: ContextChip, origin: string): ContextItem {
  const size = plural(countCodePoints(chip.text), '{0} character', '{0} characters');
  return {
    label,
    iconPath: new vscode.ThemeIcon(icon),
    description: origin === '' ? size : `${origin}, ${size}`,
    take: async () => chip,
  };
}
