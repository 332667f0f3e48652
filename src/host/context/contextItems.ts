import * as vscode from 'vscode';
import { baseName } from '../../chat/documents/uploadName';
import { type ContextChip, countCodePoints } from '../../shared/conversation/message';
import { plural } from '../base/localizedText';
import {
  createDiffChip,
  createExcerptChip,
  createFileChip,
  createProblemsChip,
  createTerminalChip,
  getFullRange,
} from './chips';
import { findChangedRepositories, readDiff } from './gitDiff';
import { readTerminalSelection } from './terminal';

const { t } = vscode.l10n;

/** A quick pick item for context that can be added to a message. */
export interface ContextItem extends vscode.QuickPickItem {
  readonly chipKind: ContextChip['kind'];
  /** The source file, or the name of the source. */
  readonly origin: vscode.Uri | string;
  /** The chip if it is known without asking for it. */
  readonly chip?: ContextChip;
  /** Resolves to a chip, or to a message that says why there is none. */
  readonly resolve: () => Promise<ContextChip | string>;
}

/** Returns the available context: from the visible editors, the active terminal and Git. */
export async function getContextItems(): Promise<ContextItem[]> {
  const editors = getVisibleEditors();
  const repositories = await findChangedRepositories();
  const terminal = vscode.window.activeTerminal;
  return [
    ...editors.flatMap(createSelectionItem),
    ...editors.flatMap(createFileItems),
    ...editors.flatMap(createProblemsItem),
    ...(terminal ? [createTerminalItem(terminal.name)] : []),
    ...repositories.map((repository): ContextItem => {
      const folder = baseName(repository.rootUri.path);
      return {
        chipKind: 'diff',
        origin: folder,
        label: t('Git Diff'),
        iconPath: new vscode.ThemeIcon('diff'),
        description: folder,
        resolve: async () => {
          const diff = await readDiff(repository);
          return diff === '' ? t('There are no changes to tracked files.') : createDiffChip(folder, diff);
        },
      };
    }),
  ];
}

/** Returns the visible editors, the active one first and one per document, without output channels. */
export function getVisibleEditors(): vscode.TextEditor[] {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const all = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
  const byUri = new Map<string, vscode.TextEditor>();
  for (const editor of all) {
    const { uri } = editor.document;
    if (uri.scheme !== 'output' && !byUri.has(uri.toString())) byUri.set(uri.toString(), editor);
  }
  return [...byUri.values()];
}

function createSelectionItem({ document, selection }: vscode.TextEditor): ContextItem[] {
  if (selection.isEmpty) return [];
  const chip = createExcerptChip('selection', document, selection);
  const label = t('Selection in {0}', baseName(document.uri.path));
  return [createItem(label, 'list-selection', document.uri, chip, chip.name)];
}

/** Returns the items for a document: its visible lines, unless all of it is visible, and the whole file. */
function createFileItems({ document, visibleRanges }: vscode.TextEditor): ContextItem[] {
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
  const part = lines && !lines.contains(whole) ? createExcerptChip('file', document, lines) : undefined;
  return [
    ...(part
      ? [createItem(t('Visible Lines of {0}', name), 'file-code', document.uri, part, part.name)]
      : []),
    createItem(name, 'file', document.uri, createFileChip(document), path),
  ];
}

function createProblemsItem({ document: { uri } }: vscode.TextEditor): ContextItem[] {
  const problems = vscode.languages.getDiagnostics(uri);
  if (problems.length === 0) return [];
  const label = t('Problems in {0}', baseName(uri.path));
  return [createItem(label, 'warning', uri, createProblemsChip(uri, problems), '')];
}

function createTerminalItem(name: string): ContextItem {
  return {
    chipKind: 'terminal',
    origin: name,
    label: t('Terminal Selection'),
    iconPath: new vscode.ThemeIcon('terminal'),
    description: name,
    resolve: async () => {
      const text = (await readTerminalSelection()).trimEnd();
      return text === '' ? t('Select some text in the terminal first.') : createTerminalChip(name, text);
    },
  };
}

function createItem(
  label: string,
  icon: string,
  uri: vscode.Uri,
  chip: ContextChip,
  place: string,
): ContextItem {
  const size = plural(countCodePoints(chip.text), '{0} character', '{0} characters');
  return {
    chipKind: chip.kind,
    origin: uri,
    chip,
    label,
    iconPath: new vscode.ThemeIcon(icon),
    description: place === '' ? size : `${place}, ${size}`,
    resolve: async () => chip,
  };
}
