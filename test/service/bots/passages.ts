import type { TextDocument } from './documentText';
import { declarations, indentation } from './symbols';

/** A piece of a document that makes sense alone. Lines count from 1, both ends included. */
export interface Passage {
  readonly document: TextDocument;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** The headings above a passage of prose, outermost first. */
  readonly headings: readonly string[];
  /** The names that a passage of code declares. */
  readonly names: readonly string[];
}

const longestProse = 16;
const headingLine = /^(#{1,6})\s+(.+?)\s*#*\s*$/;
const longestCode = 40;

const cache = new WeakMap<TextDocument, readonly Passage[]>();

/** Sections for prose with headings, paragraphs for other prose, top-level blocks for code. */
export function passages(document: TextDocument): readonly Passage[] {
  const known = cache.get(document);
  if (known) return known;
  const found = document.language ? codePassages(document) : prosePassages(document);
  cache.set(document, found);
  return found;
}

function prosePassages(document: TextDocument): Passage[] {
  const found: Passage[] = [];
  const hasHeadings = document.lines.some((line) => headingLine.test(line));
  let headings: string[] = [];
  let start = 0;
  let fence = '';
  const finish = (end: number) => {
    const first = firstFilled(document.lines, start, end);
    if (first < end) found.push(passage(document, first, end, headings));
    start = end;
  };
  document.lines.forEach((line, index) => {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence ? marker.startsWith(fence) && line.trim() === marker : marker) fence = fence ? '' : marker;
    const heading = fence ? undefined : headingLine.exec(line);
    if (heading) {
      finish(index);
      headings = [...headings.slice(0, (heading[1] ?? '').length - 1), heading[2] ?? ''];
      start = index + 1;
    } else if (!fence) {
      const length = index - start;
      const enough = hasHeadings ? longestProse : 1;
      if ((line.trim() === '' && length >= enough) || length >= 2 * longestProse) finish(index);
    }
  });
  finish(document.lines.length);
  return found;
}

function codePassages(document: TextDocument): Passage[] {
  return split(document.lines, 0, document.lines.length).map(([start, end]) =>
    passage(document, start, end, []),
  );
}

/** Blocks that begin after a blank line at the depth of the outermost code; a long one is split one level in. */
function split(lines: readonly string[], from: number, to: number): [number, number][] {
  const blocks: [number, number][] = [];
  const depths = lines.slice(from + 1, to - 1).filter((line) => line.trim() !== '');
  const depth = Math.min(...depths.map(indentation));
  let start = firstFilled(lines, from, to);
  for (let at = start + 1; at < to; at += 1) {
    const line = lines[at] ?? '';
    const begins = lines[at - 1]?.trim() === '' && line.trim() !== '' && indentation(line) <= depth;
    if (!begins && at - start < 2 * longestCode) continue;
    blocks.push([start, at]);
    start = at;
  }
  if (start < to) blocks.push([start, to]);
  if (blocks.length === 1) return blocks;
  return blocks.flatMap(([begin, end]) =>
    end - begin > longestCode ? split(lines, begin, end) : [[begin, end]],
  );
}

function passage(document: TextDocument, start: number, end: number, headings: readonly string[]): Passage {
  let last = end;
  while (last > start + 1 && document.lines[last - 1]?.trim() === '') last -= 1;
  return {
    document,
    startLine: start + 1,
    endLine: last,
    text: document.lines.slice(start, last).join('\n'),
    headings,
    names: declarations(document)
      .filter(({ line }) => line > start && line <= last)
      .map(({ name }) => name),
  };
}

function firstFilled(lines: readonly string[], from: number, to: number): number {
  let at = from;
  while (at < to && lines[at]?.trim() === '') at += 1;
  return at;
}
