import * as vscode from 'vscode';
import { baseName } from '../../chat/documents/uploadName';
import { formatExcerpt } from '../../chat/text/excerpt';
import { toFencedBlock } from '../../chat/text/fences';
import type { ContextChip } from '../../shared/conversation/message';

const { t } = vscode.l10n;

/** Number of lines of code to include before and after a problem. */
const CONTEXT_LINES = 3;

function createChip(kind: ContextChip['kind'], name: string, text: string): ContextChip {
  return { id: crypto.randomUUID(), kind, name, text };
}

/**
 * Creates a chip for an excerpt of a document, with path and line numbers. A range that ends at the start of
 * a line doesn't include that line.
 */
export function createExcerptChip(
  kind: 'selection' | 'file',
  document: vscode.TextDocument,
  range: vscode.Range,
): ContextChip {
  const { start, end } = range;
  const firstLine = start.line + 1;
  const lastLine = Math.max(firstLine, end.line + (end.character === 0 ? 0 : 1));
  const path = vscode.workspace.asRelativePath(document.uri);
  const text = document.getText(range);
  const excerpt = formatExcerpt({ path, firstLine, lastLine, language: document.languageId, text });
  return createChip(kind, `${baseName(document.uri.path)}:${formatLines(firstLine, lastLine)}`, excerpt);
}

/**
 * Creates a chip for a file's lines, from the file's text. `firstLine` is that of the text, from 1.
 */
export function createTextChip(
  kind: 'selection' | 'file',
  uri: vscode.Uri,
  text: string,
  firstLine?: number,
): ContextChip {
  const first = firstLine ?? 1;
  const lastLine = Math.max(first, first - 1 + text.split('\n').length - (text.endsWith('\n') ? 1 : 0));
  const path = vscode.workspace.asRelativePath(uri);
  const language = findShownDocument(uri)?.languageId ?? /[^/.]\.(\w{1,20})$/.exec(uri.path)?.[1] ?? '';
  const excerpt = formatExcerpt({ path, firstLine: first, lastLine, language, text });
  const name = baseName(uri.path);
  return createChip(
    kind,
    firstLine === undefined ? name : `${name}:${formatLines(first, lastLine)}`,
    excerpt,
  );
}

/** Finds the document of a tab. VS Code also opens documents for a moment, to ask for their symbols. */
function findShownDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const isFile = (other: vscode.Uri) => other.toString() === uri.toString();
  const isShown = vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && isFile(input.uri)),
  );
  return isShown ? vscode.workspace.textDocuments.find((document) => isFile(document.uri)) : undefined;
}

/** Creates a chip that names a document of the conversation. */
export function createDocumentChip(name: string): ContextChip {
  return createChip('file', name, t('See the document “{0}”.', name));
}

export function createFileChip(document: vscode.TextDocument): ContextChip {
  return {
    ...createExcerptChip('file', document, getFullRange(document)),
    name: baseName(document.uri.path),
  };
}

/** Creates a chip for a document's problems. */
export function createProblemsChip(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): ContextChip {
  const path = vscode.workspace.asRelativePath(uri);
  const lines = problems.map(formatProblem).join('\n');
  return createChip(
    'problems',
    t('Problems in {0}', baseName(uri.path)),
    `${t('Problems in {0}', path)}\n${toFencedBlock(lines)}`,
  );
}

/** Creates a chip for problems at one position, with the code around them. */
export function createProblemChip(
  document: vscode.TextDocument,
  problems: readonly vscode.Diagnostic[],
): ContextChip {
  const first = Math.max(0, Math.min(...problems.map(({ range }) => range.start.line)) - CONTEXT_LINES);
  const last = Math.max(...problems.map(({ range }) => range.end.line)) + CONTEXT_LINES;
  const range = document.validateRange(new vscode.Range(first, 0, last, Number.MAX_SAFE_INTEGER));
  const code = createExcerptChip('selection', document, range);
  const line = (problems[0]?.range.start.line ?? 0) + 1;
  return createChip(
    'problems',
    t('Problem in {0}', `${baseName(document.uri.path)}:${line}`),
    `${createProblemsChip(document.uri, problems).text}\n\n${code.text}`,
  );
}

export function createTerminalChip(name: string, text: string): ContextChip {
  return createChip(
    'terminal',
    t('Terminal {0}', name),
    `${t('Terminal {0}', name)}\n${toFencedBlock(text)}`,
  );
}

export function createDiffChip(folder: string, diff: string): ContextChip {
  return createChip(
    'diff',
    t('Git Diff of {0}', folder),
    `${t('Git Diff of {0}', folder)}\n${toFencedBlock(diff, 'diff')}`,
  );
}

export function getFullRange(document: vscode.TextDocument): vscode.Range {
  return document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
}

function formatLines(first: number, last: number): string {
  return last > first ? `${first}-${last}` : `${first}`;
}

const SEVERITIES = [t('error'), t('warning'), t('information'), t('hint')] as const;

function formatProblem({ range, severity, source, code, message }: vscode.Diagnostic): string {
  const value = typeof code === 'object' ? code.value : code;
  const origin = [source, value].filter((part) => part !== undefined).join(' ');
  const { line, character } = range.start;
  return `${line + 1}:${character + 1} ${SEVERITIES[severity]}: ${message}${origin === '' ? '' : ` (${origin})`}`;
}
