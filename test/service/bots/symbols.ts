import type { TextDocument } from './documentText';

/** A name that code declares, and where: line numbers count from 1, both ends included. */
export interface Declaration {
  readonly document: TextDocument;
  readonly name: string;
  readonly line: number;
  /** With the comment and decorators right above it. */
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

function declaredOn(line: string): string | undefined {
  for (const pattern of [keyword, variable, method, typedFunction]) {
    const name = pattern.exec(line)?.[2];
    if (name && !notNames.has(name) && !/^\s*(?:return|else|throw|new|await)\b/.test(line)) return name;
  }
  return undefined;
}

const cache = new WeakMap<TextDocument, readonly Declaration[]>();

/** What a code document declares, in its order: functions, types, methods, top-level values. */
export function declarations(document: TextDocument): readonly Declaration[] {
  if (!document.language) return [];
  const known = cache.get(document);
  if (known) return known;
  const found = document.lines.flatMap((text, index): Declaration[] => {
    const name = text.length < 400 ? declaredOn(text) : undefined;
    return name ? [{ document, name, line: index + 1, ...extent(document.lines, index) }] : [];
  });
  cache.set(document, found);
  return found;
}

function extent(lines: readonly string[], index: number): { startLine: number; endLine: number } {
  let start = index;
  while (start > 0 && /^\s*(\/\/|\/?\*|#|@|"""|--)/.test(lines[start - 1] ?? '')) start -= 1;
  const indent = indentation(lines[index] ?? '');
  let end = index;
  for (let at = index + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (indentation(line) > indent) {
      end = at;
    } else {
      // A bracket or `end` at the declaration's own depth closes it; `{`, `): T {` and `} else {` go on.
      if (indentation(line) < indent || !/^\s*([)\]}{]|end\b)/.test(line)) break;
      end = at;
      if (!/[{([:]\s*$/.test(line)) break;
    }
  }
  return { startLine: start + 1, endLine: end + 1 };
}

export function indentation(line: string): number {
  return line.length - line.trimStart().length;
}
