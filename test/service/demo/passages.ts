import type { TextDocument } from './documentText';
import { findDeclarations, getIndentation } from './symbols';

/** A part of a document that makes sense on its own. Lines count from 1; both ends are inclusive. */
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

const MAX_PROSE_LINES = 16;
const HEADING_LINE = /^(#{1,6})\s+(.+?)\s*#*\s*$/;
const MAX_CODE_LINES = 40;

const cache = new WeakMap<TextDocument, readonly Passage[]>();

/**
 * Returns a document's passages: sections for prose with headings, paragraphs for other prose, top-level
 * blocks for code.
 */
export function getPassages(document: TextDocument): readonly Passage[] {
  const cached = cache.get(document);
  if (cached) return cached;
  const found = document.language ? findCodePassages(document) : findProsePassages(document);
  cache.set(document, found);
  return found;
}

function findProsePassages(document: TextDocument): Passage[] {
  const found: Passage[] = [];
  const hasHeadings = document.lines.some((line) => HEADING_LINE.test(line));
  let headings: string[] = [];
  let start = 0;
  let fence = '';
  const finish = (end: number) => {
    const first = skipBlankLines(document.lines, start, end);
    if (first < end) found.push(createPassage(document, first, end, headings));
    start = end;
  };
  document.lines.forEach((line, index) => {
    const marker = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence ? marker.startsWith(fence) && line.trim() === marker : marker) fence = fence ? '' : marker;
    const heading = fence ? undefined : HEADING_LINE.exec(line);
    if (heading) {
      finish(index);
      headings = [...headings.slice(0, (heading[1] ?? '').length - 1), heading[2] ?? ''];
      start = index + 1;
    } else if (!fence) {
      const length = index - start;
      const minLines = hasHeadings ? MAX_PROSE_LINES : 1;
      if ((line.trim() === '' && length >= minLines) || length >= 2 * MAX_PROSE_LINES) finish(index);
    }
  });
  finish(document.lines.length);
  return found;
}

function findCodePassages(document: TextDocument): Passage[] {
  return splitBlocks(document.lines, 0, document.lines.length).map(([start, end]) =>
    createPassage(document, start, end, []),
  );
}

/**
 * Splits code into blocks that begin after a blank line at the depth of the outermost code; splits a long
 * block one level deeper.
 */
function splitBlocks(lines: readonly string[], from: number, to: number): [number, number][] {
  const blocks: [number, number][] = [];
  const depths = lines.slice(from + 1, to - 1).filter((line) => line.trim() !== '');
  const depth = Math.min(...depths.map(getIndentation));
  let start = skipBlankLines(lines, from, to);
  for (let index = start + 1; index < to; index += 1) {
    const line = lines[index] ?? '';
    const begins = lines[index - 1]?.trim() === '' && line.trim() !== '' && getIndentation(line) <= depth;
    if (!begins && index - start < 2 * MAX_CODE_LINES) continue;
    blocks.push([start, index]);
    start = index;
  }
  if (start < to) blocks.push([start, to]);
  if (blocks.length === 1) return blocks;
  return blocks.flatMap(([begin, end]) =>
    end - begin > MAX_CODE_LINES ? splitBlocks(lines, begin, end) : [[begin, end]],
  );
}

function createPassage(
  document: TextDocument,
  start: number,
  end: number,
  headings: readonly string[],
): Passage {
  let last = end;
  while (last > start + 1 && document.lines[last - 1]?.trim() === '') last -= 1;
  return {
    document,
    startLine: start + 1,
    endLine: last,
    text: document.lines.slice(start, last).join('\n'),
    headings,
    names: findDeclarations(document)
      .filter(({ line }) => line > start && line <= last)
      .map(({ name }) => name),
  };
}

function skipBlankLines(lines: readonly string[], from: number, to: number): number {
  let index = from;
  while (index < to && lines[index]?.trim() === '') index += 1;
  return index;
}
