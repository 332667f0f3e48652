import type { BotDocument } from '../bots/bot';
import type { DocumentSearch } from './documentSearch';
import type { TextDocument } from './documentText';
import { focus } from './focus';
import type { Passage } from './passages';
import { count, formatLocation, inlineCode, paragraphs, quote, table } from './quoting';
import { type Declaration, findDeclarations } from './symbols';
import { findContentWords } from './terms';

/** An answer with the ids of the documents that it quotes. */
export interface GuideAnswer {
  readonly text: string;
  readonly sources: readonly string[];
}

export const PASSAGES_PER_ANSWER = 3;
const MENTIONS_PER_ANSWER = 6;

/** Quotes the passages that `question` is about; undefined if the documents say nothing about it. */
export function createAnswer(search: DocumentSearch, question: string, skip = 0): GuideAnswer | undefined {
  const words = findContentWords(question);
  if (words.length === 0) return undefined;
  const declared = skip
    ? []
    : findCodeNames(question, words).flatMap((name) => search.findDeclarations(name));
  if (declared.length) return explainDeclarations(search, declared.slice(0, PASSAGES_PER_ANSWER));
  const found = search.find(words);
  if (found.length) return quotePassages(found, words, skip);
  const near = search.find(words, true);
  const hint = `Nothing says ${formatWords(words)} exactly; this comes nearest.`;
  return near.length ? quotePassages(near.slice(0, 1), words, 0, hint) : undefined;
}

/**
 * Returns the words that may name a declaration: those that look like code, or all words of a short question.
 */
function findCodeNames(question: string, words: readonly string[]): readonly string[] {
  const ticked = [...question.matchAll(/`([^`]+)`|([\w$]+)\(\)/g)].map((match) => match[1] ?? match[2] ?? '');
  const shaped = words.filter((word) => /[a-z\d][A-Z]|\w_\w/.test(word));
  return [...new Set([...ticked, ...shaped, ...(words.length <= 2 ? words : [])])];
}

function explainDeclarations(search: DocumentSearch, declared: readonly Declaration[]): GuideAnswer {
  const parts = declared.map((declaration) => {
    const { document, name, startLine, endLine } = declaration;
    const mentions = search.findMentions(declaration);
    return paragraphs(
      `### ${inlineCode(name)}`,
      `It is declared in ${formatLocation(document, startLine, endLine)}:`,
      quote(declaration),
      mentions.length > 0 && `It is mentioned ${count(mentions.length, 'more time')}:`,
      mentions.length > 0 &&
        table(
          ['Where', 'Line'],
          mentions
            .slice(0, MENTIONS_PER_ANSWER)
            .map((at) => [
              `${at.document.name}:${at.line}`,
              inlineCode((at.document.lines[at.line - 1] ?? '').trim().slice(0, 100)),
            ]),
        ),
    );
  });
  return { text: paragraphs(...parts, formatSources(declared)), sources: getDocumentIds(declared) };
}

function quotePassages(
  found: readonly Passage[],
  words: readonly string[],
  skip: number,
  hint?: string,
): GuideAnswer {
  const shown = found.slice(skip, skip + PASSAGES_PER_ANSWER).map((passage) => focus(passage, words));
  const [only] = shown;
  if (!only) return { text: 'That was all that I found about it.', sources: [] };
  const left = found.length - skip - shown.length;
  const text = paragraphs(
    hint ??
      `Here is what ${formatDocumentNames(shown)} ${new Set(getDocumentIds(shown)).size > 1 ? 'say' : 'says'}:`,
    ...shown.flatMap((passage) => [
      shown.length > 1 || passage.headings.length ? `### ${formatTitle(passage)}` : undefined,
      quote(passage, words),
    ]),
    formatSources(shown),
    left > 0 && `_There ${left === 1 ? 'is' : 'are'} ${count(left, 'more passage')}: say “more”._`,
  );
  return { text, sources: getDocumentIds(shown) };
}

function formatTitle({ headings, names, document, startLine }: Passage): string {
  if (headings.length) return headings.slice(-2).join(' › ');
  if (names.length) return names.slice(0, 3).map(inlineCode).join(', ');
  return `${document.name}, from line ${startLine}`;
}

function formatDocumentNames(shown: readonly Passage[]): string {
  return [...new Set(shown.map(({ document }) => `**${document.name}**`))].join(' and ');
}

function formatSources(locations: readonly Pick<Passage, 'document' | 'startLine' | 'endLine'>[]): string {
  const items = locations.map(
    ({ document, startLine, endLine }, index) =>
      `${index + 1}. ${formatLocation(document, startLine, endLine)}`,
  );
  return paragraphs(locations.length > 1 ? '**Sources**' : '**Source**', items.join('\n'));
}

function getDocumentIds(locations: readonly { readonly document: TextDocument }[]): string[] {
  return [...new Set(locations.map(({ document }) => document.id))];
}

export function formatWords(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(' or ');
}

/** Formats a table of all documents with their kind and length. */
export function formatDocumentTable(
  documents: readonly TextDocument[],
  unreadable: readonly BotDocument[],
): string {
  const rows = documents.map((document) => [
    `**${document.name}**`,
    document.language ? `code, ${inlineCode(document.language)}` : 'text',
    count(document.lines.length, 'line'),
  ]);
  const unreadableRows = unreadable.map(({ name }) => [`**${name}**`, 'not readable here', '']);
  return table(['Document', 'Kind', 'Length'], [...rows, ...unreadableRows]);
}

/** Lists all documents, then an outline of each of the first few. */
export function createOverview(
  documents: readonly TextDocument[],
  unreadable: readonly BotDocument[],
): GuideAnswer {
  const text = paragraphs(
    formatDocumentTable(documents, unreadable),
    ...documents.slice(0, 4).map(formatOutline),
    suggestQuestion(documents),
  );
  return { text, sources: documents.map(({ id }) => id) };
}

function formatOutline(document: TextDocument): string {
  const heading = `### ${document.name}`;
  if (document.language) {
    const items = findDeclarations(document)
      .slice(0, 12)
      .map(({ name, line }) => `- ${inlineCode(name)}, line ${line}`);
    const opening = quote({ document, startLine: 1, endLine: Math.min(5, document.lines.length) });
    return paragraphs(heading, items.length ? items.join('\n') : opening);
  }
  const first = document.lines.findIndex((line) => line.trim() && !line.startsWith('#'));
  const opening = document.lines.slice(first).findIndex((line) => !line.trim());
  const end = opening < 0 ? document.lines.length : first + opening;
  return paragraphs(
    heading,
    first >= 0 && quote({ document, startLine: first + 1, endLine: Math.min(end, first + 8) }),
    formatHeadings(document),
  );
}

function formatHeadings({ lines }: TextDocument): string {
  let fence = false;
  return lines
    .flatMap((line, index) => {
      if (/^\s*(```|~~~)/.test(line)) fence = !fence;
      const found = fence ? undefined : /^(#{1,3})\s+(.+?)\s*#*$/.exec(line);
      return found ? [`${'  '.repeat((found[1] ?? '').length - 1)}- ${found[2]} (line ${index + 1})`] : [];
    })
    .slice(0, 14)
    .join('\n');
}

/** Suggests a question that the documents certainly answer. */
export function suggestQuestion(documents: readonly TextDocument[]): string | undefined {
  const all = documents.flatMap((document) => findDeclarations(document));
  const worthwhile = all.find(({ startLine, line, endLine }) => startLine < line && endLine - line > 2);
  const name = (worthwhile ?? all[0])?.name;
  return name && `Ask, for example: _What does ${inlineCode(name)} do?_`;
}
