import * as vscode from 'vscode';
import { baseName } from '../../chat/uploads/uploadName';
import { type ContextChip, countCodePoints } from '../../shared/message';
import { plural } from '../base/plural';
import { diffChip, excerptChip, fileChip, getFullRange, problemsChip, terminalChip } from './chips';
import { changedRepositories, readDiff } from './gitDiff';
import { terminalSelection } from './terminal';

const { t } = vscode.l10n;

/** Something that can go along with a message. */
export interface ContextItem extends vscode.QuickPickItem {
  /** A chip, or a sentence that says why there is none. */
  readonly take: () => Promise<ContextChip | string>;
}

/** What is there now: of the editors on screen, the active terminal, and Git. */
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

/** The editor used last first; of each document one. Output channels and the like are no files. */
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
  const offered = excerptChip('selection', document, selection);
  return [offer(t('Selection in {0}', baseName(document.uri.path)), 'list-selection', offered, offered.name)];
}

/** What is on screen of a document, where that isn't all of it, and the whole. */
function fileOffers({ document, visibleRanges }: vscode.TextEditor): ContextItem[] {
  if (document.getText().trim() === '') return [];
  const name = baseName(document.uri.path);
  const path = vscode.workspace.asRelativePath(document.uri);
  const whole = getFullRange(document);
  const visible = visibleRanges.reduce<vscode.Range | undefined>(
    (range, each) => range?.union(each) ?? each,
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

function offer(label: string, icon: string, offered: ContextChip, of: string): ContextItem {
  const cost = plural(countCodePoints(offered.text), '{0} character', '{0} characters');
  return {
    label,
    iconPath: new vscode.ThemeIcon(icon),
    description: of === '' ? cost : `${of}, ${cost}`,
    take: async () => offered,
  };
}
