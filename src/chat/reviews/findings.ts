/** What a reply says about lines of a file. All of it is untrusted. */
export interface Finding {
  readonly path: string;
  /** The first and the last line, from 1. */
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
  /** The name of the chosen document that it cites. */
  readonly document?: string;
}

export interface FindingList {
  /** At most `MAX_FINDINGS`, in the order of the reply and without repetitions. */
  readonly findings: readonly Finding[];
  /** How many lines of the reply have the form of a finding. */
  readonly count: number;
}

export const MAX_FINDINGS = 200;
/** In UTF-16 code units. What follows in a reply is not read. */
const MAX_REPLY_LENGTH = 2_000_000;
/** In UTF-16 code units: more of a line is not read. The text is cut again where it is shown. */
const MAX_LINE_LENGTH = 4000;

/**
 * `path:line: finding`, also with a column or a last line, in a list, in code or in bold. Each part is bounded and excludes
 * how the next one begins, so that matching takes linear time.
 */
const FINDING =
  /^[ \t]{0,20}(?:(?:[-*+•]|\d{1,4}[.)])[ \t]{1,5})?[`*"“]{0,4}([^\s:`*"<>|][^:`*"<>|\t]{0,400}):(\d{1,7})(?::\d{1,7})?(?:[-–](\d{1,7}))?[`*"”]{0,4}[ \t]?[:：][`*]{0,4}[ \t]{0,5}(\S.*)$/s;

/**
 * Finds the findings of a reply: its lines of the form `path:line: finding`. `documents`: the names of the documents that
 * the change was reviewed against.
 */
export function parseFindings(reply: string, documents: readonly string[]): FindingList {
  const findings = new Map<string, Finding>();
  let count = 0;
  const text = reply.slice(0, MAX_REPLY_LENGTH);
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const match = FINDING.exec(text.slice(start, Math.min(end, start + MAX_LINE_LENGTH)).trimEnd());
    start = end + 1;
    const finding = match && toFinding(match, documents);
    if (!finding) continue;
    count++;
    if (findings.size < MAX_FINDINGS) findings.set(JSON.stringify(finding), finding);
  }
  return { findings: [...findings.values()], count };
}

function toFinding(
  [, path = '', first, last, text = '']: RegExpExecArray,
  documents: readonly string[],
): Finding | undefined {
  const line = Number(first);
  if (line === 0) return undefined;
  const endLine = Math.max(line, Number(last ?? first));
  return { path: path.trim(), line, endLine, ...findDocument(text.trim(), documents) };
}

/** Finds the document that a finding cites: in brackets at its end, which are then removed, or by its name in the text. */
function findDocument(text: string, documents: readonly string[]): Pick<Finding, 'text' | 'document'> {
  const [whole = '', cited = ''] = /\[([^[\]]{1,300})\][.*`]{0,3}$/.exec(text) ?? [];
  const named = documents.find((name) => isSameName(name, cited));
  if (named !== undefined) {
    const rest = text.slice(0, text.length - whole.length).trimEnd();
    return { text: rest === '' ? text : rest, document: named };
  }
  const mentioned = documents
    .filter((name) => hasName(text, name))
    .reduce<string | undefined>(
      (longest, name) => (longest === undefined || name.length > longest.length ? name : longest),
      undefined,
    );
  return { text, ...(mentioned !== undefined && { document: mentioned }) };
}

function isSameName(name: string, cited: string): boolean {
  const normalized = normalizeName(cited.replace(/^["'“”„«»‘’`*\s]+|["'“”„«»‘’`*\s]+$/g, ''));
  return (
    normalized !== '' && [normalizeName(name), normalizeName(withoutExtension(name))].includes(normalized)
  );
}

/** Returns whether a text contains a name as a whole word. */
function hasName(text: string, name: string): boolean {
  const [inText, wanted] = [normalizeName(text), normalizeName(name)];
  for (let at = inText.indexOf(wanted); wanted !== '' && at >= 0; at = inText.indexOf(wanted, at + 1)) {
    const [before, after] = [inText.charAt(at - 1), inText.charAt(at + wanted.length)];
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true;
  }
  return false;
}

function normalizeName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function withoutExtension(name: string): string {
  return name.replace(/\.[^.]{1,10}$/, '');
}
