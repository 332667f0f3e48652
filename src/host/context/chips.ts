import * as vscode from 'vscode';
import { formatExcerpt } from '../../chat/text/excerpt';
import { toFencedBlock } from '../../chat/text/fences';
import { baseName } from '../../chat/uploads/uploadName';
import type { ContextChip } from '../../shared/message';

const { t } = vscode.l10n;

/** Lines of code around a problem that go with it. */
const AROUND = 3;

export function chip(kind: ContextChip['kind'], name: string, text: string): ContextChip {
  return { id: crypto.randomUUID(), kind, name, text };
}

/** A piece of a document, with path and lines. A range that ends at a line's beginning does not hold that line. */
export function excerptChip(
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
  return chip(kind, `${baseName(document.uri.path)}:${lineNames(firstLine, lastLine)}`, excerpt);
}

export function fileChip(document: vscode.TextDocument): ContextChip {
  return { ...excerptChip('file', document, getFullRange(document)), name: baseName(document.uri.path) };
}

/** What editors underline in a document. */
export function problemsChip(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): ContextChip {
  const path = vscode.workspace.asRelativePath(uri);
  const lines = problems.map(problemLine).join('\n');
  return chip(
    'problems',
    t('Problems in {0}', baseName(uri.path)),
    `${t('Problems in {0}', path)}\n${toFencedBlock(lines)}`,
  );
}

/** Problems at one place, and the code around them. */
export function problemChip(
  document: vscode.TextDocument,
  problems: readonly vscode.Diagnostic[],
): ContextChip {
  const first = Math.max(0, Math.min(...problems.map(({ range }) => range.start.line)) - AROUND);
  const last = Math.max(...problems.map(({ range }) => range.end.line)) + AROUND;
  const range = document.validateRange(new vscode.Range(first, 0, last, Number.MAX_SAFE_INTEGER));
  const code = excerptChip('selection', document, range);
  const line = (problems[0]?.range.start.line ?? 0) + 1;
  return chip(
    'problems',
    t('Problem in {0}', `${baseName(document.uri.path)}:${line}`),
    `${problemsChip(document.uri, problems).text}\n\n${code.text}`,
  );
}

export function terminalChip(name: string, text: string): ContextChip {
  return chip('terminal', t('Terminal {0}', name), `${t('Terminal {0}', name)}\n${toFencedBlock(text)}`);
}

export function diffChip(folder: string, diff: string): ContextChip {
  return chip(
    'diff',
    t('Git Diff of {0}', folder),
    `${t('Git Diff of {0}', folder)}\n${toFencedBlock(diff, 'diff')}`,
  );
}

export function getFullRange(document: vscode.TextDocument): vscode.Range {
  return document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
}

function lineNames(first: number, last: number): string {
  return last > first ? `${first}-${last}` : `${first}`;
}

const SEVERITIES = [t('error'), t('warning'), t('information'), t('hint')] as const;

function problemLine({ range, severity, source, code, message }: vscode.Diagnostic): string {
  const value = typeof code === 'object' ? code.value : code;
  const origin = [source, value].filter((part) => part !== undefined).join(' ');
  const { line, character } = range.start;
  return `${line + 1}:${character + 1} ${SEVERITIES[severity]}: ${message}${origin === '' ? '' : ` (${origin})`}`;
}
