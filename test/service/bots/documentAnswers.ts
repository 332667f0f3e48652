import type { BotDocument } from './bot';
import type { DocumentSearch } from './documentSearch';
import type { TextDocument } from './documentText';
import { focus } from './focus';
import type { Passage } from './passages';
import { count, inlineCode, paragraphs, place, quote, table } from './quoting';
import { type Declaration, declarations } from './symbols';
import { contentWords } from './terms';

/** A text with the ids of the documents that it quotes. */
export interface GuideAnswer {
  readonly text: string;
  readonly sources: readonly string[];
}

export const passagesPerAnswer = 3;
const mentionsPerAnswer = 6;

/** What `question` names among the documents, quoted; undefined when it names nothing there. */
export function answerFrom(search: DocumentSearch, question: string, skip = 0): GuideAnswer | undefined {
  const words = contentWords(question);
  if (words.length === 0) return undefined;
  const declared = skip ? [] : codeNames(question, words).flatMap((name) => search.declarationsOf(name));
  if (declared.length) return explainDeclarations(search, declared.slice(0, passagesPerAnswer));
  const found = search.find(words);
  if (found.length) return quotePassages(found, words, skip);
  const near = search.find(words, true);
  const hint = `Nothing says ${listWords(words)} exactly; this comes nearest.`;
  return near.length ? quotePassages(near.slice(0, 1), words, 0, hint) : undefined;
}

/** The words that may name a declaration: those that look like code, or each of a short question. */
function codeNames(question: string, words: readonly string[]): readonly string[] {
  const ticked = [...question.matchAll(/`([^`]+)`|([\w$]+)\(\)/g)].map((match) => match[1] ?? match[2] ?? '');
  const shaped = words.filter((word) => /[a-z\d][A-Z]|\w_\w/.test(word));
  return [...new Set([...ticked, ...shaped, ...(words.length <= 2 ? words : [])])];
}

function explainDeclarations(search: DocumentSearch, declared: readonly Declaration[]): GuideAnswer {
  const parts = declared.map((each) => {
    const { document, name, startLine, endLine } = each;
    const mentions = search.mentionsOf(each);
    return paragraphs(
      `### ${inlineCode(name)}`,
      `It is declared in ${place(document, startLine, endLine)}:`,
      quote(each),
      mentions.length > 0 && `It is mentioned ${count(mentions.length, 'more time')}:`,
      mentions.length > 0 &&
        table(
          ['Where', 'Line'],
          mentions
            .slice(0, mentionsPerAnswer)
            .map((at) => [
              `${at.document.name}:${at.line}`,
              inlineCode((at.document.lines[at.line - 1] ?? '').trim().slice(0, 100)),
            ]),
        ),
    );
  });
  return { text: paragraphs(...parts, sourceList(declared)), sources: idsOf(declared) };
}

function quotePassages(
  found: readonly Passage[],
  words: readonly string[],
  skip: number,
  hint?: string,
): GuideAnswer {
  const shown = found.slice(skip, skip + passagesPerAnswer).map((passage) => focus(passage, words));
  const [only] = shown;
  if (!only) return { text: 'That was all that I found about it.', sources: [] };
  const left = found.length - skip - shown.length;
  const text = paragraphs(
    hint ?? `Here is what ${nameDocuments(shown)} ${new Set(idsOf(shown)).size > 1 ? 'say' : 'says'}:`,
    ...shown.flatMap((passage) => [
      shown.length > 1 || passage.headings.length ? `### ${title(passage)}` : undefined,
      quote(passage, words),
    ]),
    sourceList(shown),
    left > 0 && `_There ${left === 1 ? 'is' : 'are'} ${count(left, 'more passage')}: say “more”._`,
  );
  return { text, sources: idsOf(shown) };
}

function title({ headings, names, document, startLine }: Passage): string {
  if (headings.length) return headings.slice(-2).join(' › ');
  if (names.length) return names.slice(0, 3).map(inlineCode).join(', ');
  return `${document.name}, from line ${startLine}`;
}

function nameDocuments(shown: readonly Passage[]): string {
  return [...new Set(shown.map(({ document }) => `**${document.name}**`))].join(' and ');
}

function sourceList(places: readonly Pick<Passage, 'document' | 'startLine' | 'endLine'>[]): string {
  const items = places.map(
    ({ document, startLine, endLine }, index) => `${index + 1}. ${place(document, startLine, endLine)}`,
  );
  return paragraphs(places.length > 1 ? '**Sources**' : '**Source**', items.join('\n'));
}

function idsOf(places: readonly { readonly document: TextDocument }[]): string[] {
  return [...new Set(places.map(({ document }) => document.id))];
}

export function listWords(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(' or ');
}

/** Every document with its kind and length. */
export function contentsTable(
  documents: readonly TextDocument[],
  unreadable: readonly BotDocument[],
): string {
  const rows = documents.map((document) => [
    `**${document.name}**`,
    document.language ? `code, ${inlineCode(document.language)}` : 'text',
    count(document.lines.length, 'line'),
  ]);
  const closedBooks = unreadable.map(({ name }) => [`**${name}**`, 'not readable here', '']);
  return table(['Document', 'Kind', 'Length'], [...rows, ...closedBooks]);
}

/** What there is to ask about: all documents, then an outline of each of the first few. */
export function overview(
  documents: readonly TextDocument[],
  unreadable: readonly BotDocument[],
): GuideAnswer {
  const text = paragraphs(
    contentsTable(documents, unreadable),
    ...documents.slice(0, 4).map(outline),
    suggestion(documents),
  );
  return { text, sources: documents.map(({ id }) => id) };
}

function outline(document: TextDocument): string {
  const heading = `### ${document.name}`;
  if (document.language) {
    const items = declarations(document)
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
    contents(document),
  );
}

function contents({ lines }: TextDocument): string {
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

/** A question that surely has an answer. */
export function suggestion(documents: readonly TextDocument[]): string | undefined {
  const all = documents.flatMap((document) => declarations(document));
  const worthwhile = all.find(({ startLine, line, endLine }) => startLine < line && endLine - line > 2);
  const name = (worthwhile ?? all[0])?.name;
  return name && `Ask, for example: _What does ${inlineCode(name)} do?_`;
}
