import type { TextDocument } from './documentText';

/** A name that code declares. Line numbers count from 1; both ends are inclusive. */
export interface Declaration {
  readonly document: TextDocument;
  readonly name: string;
  readonly line: number;
  /** The first line of the comment or decorators directly above. */
  readonly startLine: number;
  readonly endLine: number;
}

const modifiers =
  '(?:(?:export|default|public|private|protected|internal|static|async|abstract|readonly|declare|final|override|' +
  'virtual|unsafe|extern|inline|pub(?:\\([^)]*\\))?)\\s+)*';

const keyword = new RegExp(
  `^(\\s*)${modifiers}(?:function\\*?|class|interface|type|enum|def|fn|func(?:\\s*\\([^)]*\\))?|struct|trait|` +
    'module|mod|namespace|record|protocol)\\s+([A-Za-z_$][\\w$]*)',
);
const variable = new RegExp(`^()${modifiers}(?:const|let|var|val|local)\\s+([A-Za-z_$][\\w$]*)`);
const method = new RegExp(
  `^(\\s+)${modifiers}(?:get\\s+|set\\s+|\\*\\s*)?(#?[A-Za-z_$][\\w$]*)\\s*(?:<[^>]*>)?\\([^;]*\\{\\s*$`,
);
const typedFunction = /^(\s*)(?:[\w:<>[\]*&]+\s+)+[*&]?([A-Za-z_]\w*)\s*\([^;={]*\)\s*(?:const\s*)?\{?\s*$/;

const notNames = new Set(
  'if for while switch catch return function else constructor do with new throw'.split(' '),
);

function findDeclaredName(line: string): string | undefined {
  for (const pattern of [keyword, variable, method, typedFunction]) {
    const name = pattern.exec(line)?.[2];
    if (name && !notNames.has(name) && !/^\s*(?:return|else|throw|new|await)\b/.test(line)) return name;
  }
  return undefined;
}

const cache = new WeakMap<TextDocument, readonly Declaration[]>();

/** Finds the declarations of a code document in order: functions, types, methods and top-level values. */
export function findDeclarations(document: TextDocument): readonly Declaration[] {
  if (!document.language) return [];
  const cached = cache.get(document);
  if (cached) return cached;
  const found = document.lines.flatMap((text, index): Declaration[] => {
    const name = text.length < 400 ? findDeclaredName(text) : undefined;
    return name ? [{ document, name, line: index + 1, ...findExtent(document.lines, index) }] : [];
  });
  cache.set(document, found);
  return found;
}

function findExtent(lines: readonly string[], index: number): { startLine: number; endLine: number } {
  let start = index;
  while (start > 0 && /^\s*(\/\/|\/?\*|#|@|"""|--)/.test(lines[start - 1] ?? '')) start -= 1;
  const indent = getIndentation(lines[index] ?? '');
  let end = index;
  for (let next = index + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (line.trim() === '') continue;
    if (getIndentation(line) > indent) {
      end = next;
    } else {
      // A bracket or `end` at the declaration's depth closes it; `{`, `): T {` and `} else {` continue it.
      if (getIndentation(line) < indent || !/^\s*([)\]}{]|end\b)/.test(line)) break;
      end = next;
      if (!/[{([:]\s*$/.test(line)) break;
    }
  }
  return { startLine: start + 1, endLine: end + 1 };
}

export function getIndentation(line: string): number {
  return line.length - line.trimStart().length;
}
