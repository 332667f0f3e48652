/** A file of a Git diff, as it is after the change. */
interface ChangedFile {
  readonly path: string;
  /** The lines that the diff shows of it, by their numbers from 1. */
  readonly lines: ReadonlyMap<number, string>;
}

/** A Git diff that was read once, line by line. */
export interface ChangeDiff {
  /** The paths of all files, also of those that were deleted, without Git's prefixes. */
  readonly paths: readonly string[];
  /** The files that exist after the change, by their paths. */
  readonly files: ReadonlyMap<string, ChangedFile>;
  /** The diff with the new line number in front of each line: bots can't count lines from a hunk's header. */
  readonly numbered: string;
}

const HUNK_HEADER = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
const NUMBER_WIDTH = 6;

/** Reads a Git diff in one pass. What isn't part of a hunk is kept as it is. */
export function readChangeDiff(diff: string): ChangeDiff {
  const paths = new Set<string>();
  const files = new Map<string, ChangedFile>();
  const numbered: string[] = [];
  let lines: Map<number, string> | undefined;
  let [oldLeft, newLeft, line] = [0, 0, 0];
  for (const text of diff.split('\n')) {
    const isInHunk = oldLeft > 0 || newLeft > 0;
    const sign = isInHunk ? text.charAt(0) : '';
    if (isInHunk && (sign === '+' || sign === ' ' || text === '')) {
      lines?.set(line, text.slice(1).replace(/\r$/, ''));
      numbered.push(`${String(line++).padStart(NUMBER_WIDTH)} ${text}`);
      newLeft--;
      if (sign !== '+') oldLeft--;
      continue;
    }
    numbered.push(isInHunk ? `${' '.repeat(NUMBER_WIDTH)} ${text}` : text);
    if (isInHunk) {
      // "\ No newline at end of file" belongs to neither side.
      if (sign === '-') oldLeft--;
      continue;
    }
    const hunk = HUNK_HEADER.exec(text);
    if (hunk) {
      const [, oldCount = '1', start, newCount = '1'] = hunk;
      [oldLeft, newLeft, line] = [Number(oldCount), Number(newCount), Number(start)];
    } else if (/^(?:---|\+\+\+) /.test(text)) {
      const path = readPath(text.slice(4));
      if (text.startsWith('+')) lines = undefined;
      if (path === undefined) continue;
      paths.add(path);
      if (!text.startsWith('+')) continue;
      lines = new Map();
      files.set(path, { path, lines });
    }
  }
  return { paths: [...paths], files, numbered: numbered.join('\n') };
}

/** Reads the path of a file's header; undefined for a file that doesn't exist on that side. */
function readPath(header: string): string | undefined {
  // Git ends a path with spaces with a tab.
  const path = unquotePath(header.replace(/[\t\r]+$/, ''));
  // The letter depends on `diff.mnemonicPrefix`.
  return path === '/dev/null' ? undefined : path.replace(/^[abciow]\//, '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
};

/** Removes the quotation marks and escape sequences of a path with special characters (`core.quotePath`). */
export function unquotePath(path: string): string {
  if (!/^".*"$/s.test(path)) return path;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part, octal, letter] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else bytes.push(...encoder.encode(letter === undefined ? part : (ESCAPES[letter] ?? letter)));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
