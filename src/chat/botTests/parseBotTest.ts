import { countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import { parseFrontMatter } from '../text/frontMatter';
import type {
  BotTestFile,
  BotTestGroup,
  BotTestItem,
  BotTestQuestion,
  Expectation,
  ExpectedSource,
  FileProblem,
  FileProblemCode,
  Phrase,
  Tolerance,
} from './botTest';
import { MAX_BOT_TEST_BYTES, MAX_QUESTIONS, MAX_TIMES } from './botTest';
import { toComparableText } from './comparableText';

const MAX_PHRASES = 50;
/** In UTF-16 code units. */
const MAX_PHRASE_LENGTH = 1000;
/** In UTF-16 code units: the Test Explorer shows a line of it. */
const MAX_TITLE_LENGTH = 200;
/** More problems than anyone repairs before looking again. */
const MAX_PROBLEMS = 100;
/** Longer words before a colon are text. */
const LABEL = /^[*_]{0,2}([\p{L}\p{M} -]{1,20}?)[*_]{0,2}[ \t]{0,9}(?::[*_]{0,2}(?=\s|$)|：)/u;
const LABELS: ReadonlyMap<string, Label> = new Map([
  ...(['all', 'any', 'none'] as const).flatMap((kind) => [
    [kind, kind] as const,
    [`${kind} of`, kind] as const,
  ]),
  ['source', 'sources'],
  ['sources', 'sources'],
  ['tolerance', 'tolerance'],
]);
const PROPERTIES = ['bot', 'service'] as const;
const DEFAULT_TOLERANCE: Tolerance = { times: 1, failures: 0 };
/** A phrase in quotation marks, and the flags of an expression that make sense for a search. */
const QUOTED = /^(?:"(.*)"|“(.*)”|„(.*)“|«(.*)»|`(.*)`)$/su;
const FLAGS = /^[imsu]*$/;

type Label = Expectation['kind'] | 'sources' | 'tolerance';

/** A heading and what follows it, up to the next one. */
interface Section {
  readonly level: number;
  readonly title: string;
  readonly line: number;
  readonly text: { readonly line: number; readonly text: string }[];
  readonly lists: LabeledList[];
  problem: FileProblem | undefined;
}

interface LabeledList {
  readonly label: Label;
  readonly line: number;
  readonly items: { readonly line: number; text: string }[];
}

/**
 * Parses a file of bot tests. Never throws: what isn't understood is in `problems`, with its line. Takes linear time for any
 * text, because the file comes with the workspace.
 */
export function parseBotTest(text: string): BotTestFile {
  // A character has at most three bytes for each UTF-16 code unit.
  if (text.length > MAX_BOT_TEST_BYTES)
    return { items: [], problems: [{ line: 0, code: 'tooLarge' }], problem: { line: 0, code: 'tooLarge' } };
  return new BotTestParser(text).parse();
}

class BotTestParser {
  readonly #text: string;
  readonly #lines: readonly string[];
  readonly #problems: FileProblem[] = [];
  readonly #sections: Section[] = [];
  /** Whether an item stands before the first heading, which is said once. */
  #hasStrayItem = false;

  constructor(text: string) {
    this.#text = text;
    this.#lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  }

  parse(): BotTestFile {
    const { values, lineCount } = parseFrontMatter(this.#text);
    const problem = this.#checkFrontMatter(values, lineCount);
    this.#readSections(lineCount);
    const items = this.#createItems();
    const hasOwnProblem = this.#problems.length > 0;
    if (!hasOwnProblem && this.#sections.length === 0) this.#add({ line: 0, code: 'noQuestions' });
    const [bot, service] = PROPERTIES.map((name) => values.get(name)?.trim());
    return {
      ...(bot && { bot }),
      ...(service && { service }),
      items,
      problems: this.#problems.toSorted((a, b) => a.line - b.line).slice(0, MAX_PROBLEMS),
      ...(problem && { problem }),
    };
  }

  /** Returns the first problem of the front matter. */
  #checkFrontMatter(values: ReadonlyMap<string, string>, lineCount: number): FileProblem | undefined {
    if (lineCount === 0) {
      if (!/^---[ \t]*$/.test(this.#lines[0] ?? '')) return undefined;
      return this.#add({ line: 0, code: 'openFrontMatter' });
    }
    let first: FileProblem | undefined;
    for (const [index, line] of this.#lines.slice(1, lineCount - 1).entries()) {
      if (/^\s*(?:#|$)/.test(line)) continue;
      const [, name] = /^([A-Za-z][\w-]*)[ \t]*:/.exec(line) ?? [];
      const isKnown = PROPERTIES.some((property) => property === name);
      if (isKnown && values.get(name ?? '')?.trim()) continue;
      const code = isKnown ? 'noValue' : 'unknownProperty';
      const added = this.#add({ line: index + 1, code, detail: (name ?? line.trim()).slice(0, 100) });
      first ??= added;
    }
    return first;
  }

  #readSections(firstLine: number): void {
    const reader = new BodyReader(this.#lines, firstLine);
    for (let next = reader.next(); next; next = reader.next()) {
      const { line, text, isVerbatim } = next;
      const heading = isVerbatim ? undefined : parseHeading(text);
      const section = this.#sections.at(-1);
      if (heading) this.#sections.push({ ...heading, line, text: [], lists: [], problem: undefined });
      else if (section) this.#readLine(section, line, text, isVerbatim);
      else if (!isVerbatim && parseLabel(parseItem(text)?.text ?? '') && !this.#hasStrayItem) {
        this.#hasStrayItem = true;
        this.#add({ line, code: 'noHeading' });
      }
    }
    const { problem } = reader;
    const last = this.#sections.at(-1);
    if (problem && last) this.#addTo(last, problem);
    else if (problem) this.#add(problem);
  }

  #readLine(section: Section, line: number, text: string, isVerbatim: boolean): void {
    const item = isVerbatim ? undefined : parseItem(text);
    const labeled = item?.indent === 0 ? parseLabel(item.text) : undefined;
    const list = section.lists.at(-1);
    if (labeled?.label) {
      if (!list) this.#refuseItemsAbove(section);
      const items = labeled.rest === '' ? [] : [{ line, text: labeled.rest }];
      section.lists.push({ label: labeled.label, line, items });
    } else if (!list) section.text.push({ line, text });
    else if (item?.indent === 0) this.#addTo(section, toItemProblem(line, item.text));
    else if (item) list.items.push({ line, text: item.text });
    else if (/^(?: {2}|\t)\s*\S/.test(text)) {
      const last = list.items.at(-1);
      if (last) last.text += ` ${text.trim()}`;
      else list.items.push({ line, text: text.trim() });
    } else if (text.trim() !== '' && !isThematicBreak(text))
      this.#addTo(section, { line, code: 'textAfterList' });
  }

  /** Takes the items right above the first labeled one out of the question's text: their labels are misspelled or missing. */
  #refuseItemsAbove(section: Section): void {
    for (let above = section.text.at(-1); above; above = section.text.at(-1)) {
      const item = parseItem(above.text);
      if (!item) return;
      section.text.pop();
      if (item.indent === 0) this.#addTo(section, toItemProblem(above.line, item.text));
    }
  }

  #createItems(): readonly BotTestItem[] {
    const root: { readonly level: number; readonly children: BotTestItem[] } = { level: 0, children: [] };
    const parents = [root];
    let questions = 0;
    for (const [index, section] of this.#sections.entries()) {
      while ((parents.at(-1) ?? root).level >= section.level) parents.pop();
      const { children } = parents.at(-1) ?? root;
      const isGroup =
        section.lists.length === 0 &&
        !section.problem &&
        (this.#sections[index + 1]?.level ?? 0) > section.level;
      if (isGroup) {
        const group = { level: section.level, children: [] };
        const { title, line } = section;
        children.push({ kind: 'group', title, line, children: group.children } satisfies BotTestGroup);
        parents.push(group);
      } else if (++questions > MAX_QUESTIONS) {
        this.#add({ line: section.line, code: 'tooManyQuestions' });
        break;
      } else children.push(this.#createQuestion(section));
    }
    return root.children;
  }

  #createQuestion(section: Section): BotTestQuestion {
    const { title, line, lists } = section;
    const body = section.text
      .map((each) => each.text)
      .join('\n')
      .trim();
    const text = body || title;
    const expectations: Expectation[] = [];
    const sources: ExpectedSource[] = [];
    let tolerance = DEFAULT_TOLERANCE;
    const add = (problem: FileProblem) => this.#addTo(section, problem);
    if (text === '') add({ line, code: 'emptyHeading' });
    if (countCodePoints(text) > MESSAGE_LIMIT) add({ line, code: 'tooLong' });
    if (lists.every(({ label }) => label === 'tolerance') && !section.problem)
      add({ line, code: 'noExpectations' });
    if (lists.flatMap(({ items }) => items).length > MAX_PHRASES) add({ line, code: 'tooManyPhrases' });
    for (const { label, line: at, items } of lists) {
      if (items.length === 0) add({ line: at, code: 'noPhrases' });
      else if (label === 'tolerance') {
        const parsed = parseTolerance(items.map((item) => item.text).join(' '));
        if (parsed) tolerance = parsed;
        else add({ line: at, code: 'tolerance' });
      } else if (label === 'sources')
        sources.push(...items.map((item) => ({ line: item.line, name: unquote(item.text) })));
      else {
        const phrases = items.flatMap((item) => {
          const phrase = parsePhrase(item.line, item.text);
          if (!('code' in phrase)) return [phrase];
          add(phrase);
          return [];
        });
        expectations.push({ kind: label, line: at, phrases });
      }
    }
    const { problem } = section;
    return {
      kind: 'question',
      ...{ title: title || text.slice(0, MAX_TITLE_LENGTH), line, text, expectations, sources, tolerance },
      ...(problem && { problem }),
    };
  }

  #addTo(section: Section, problem: FileProblem): void {
    section.problem ??= problem;
    this.#add(problem);
  }

  #add(problem: FileProblem): FileProblem {
    if (this.#problems.length < 10 * MAX_PROBLEMS) this.#problems.push(problem);
    return problem;
  }
}

interface BodyLine {
  readonly line: number;
  readonly text: string;
  /** Whether it is part of a code block. */
  readonly isVerbatim: boolean;
}

/** Reads lines without the comments in them. */
class BodyReader {
  readonly #lines: readonly string[];
  #index: number;
  #fence: { readonly mark: string; readonly line: number } | undefined;
  /** The line of the comment that is open. */
  #commentLine: number | undefined;

  constructor(lines: readonly string[], firstLine: number) {
    this.#lines = lines;
    this.#index = firstLine;
  }

  /** What is still open after the last line. */
  get problem(): FileProblem | undefined {
    if (this.#fence) return { line: this.#fence.line, code: 'openFence' };
    return this.#commentLine === undefined ? undefined : { line: this.#commentLine, code: 'openComment' };
  }

  next(): BodyLine | undefined {
    for (;;) {
      const line = this.#index++;
      const original = this.#lines[line];
      if (original === undefined) return undefined;
      if (this.#fence) {
        const { mark } = this.#fence;
        const trimmed = original.trim();
        if (trimmed.startsWith(mark) && trimmed === mark.charAt(0).repeat(trimmed.length))
          this.#fence = undefined;
        return { line, text: original, isVerbatim: true };
      }
      const text = this.#removeComments(line, original);
      // A line with only a comment isn't a blank line of the question.
      if (text.trim() === '' && original.trim() !== '') continue;
      const [, mark] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(text) ?? [];
      if (mark !== undefined) this.#fence = { mark, line };
      return { line, text, isVerbatim: mark !== undefined };
    }
  }

  #removeComments(line: number, text: string): string {
    let result = '';
    for (let at = 0; at < text.length; ) {
      if (this.#commentLine !== undefined) {
        const end = text.indexOf('-->', at);
        if (end < 0) return result;
        this.#commentLine = undefined;
        at = end + 3;
      } else {
        const start = text.indexOf('<!--', at);
        result += text.slice(at, start < 0 ? text.length : start);
        if (start < 0) return result;
        this.#commentLine = line;
        at = start + 4;
      }
    }
    return result;
  }
}

function parseHeading(line: string): { readonly level: number; readonly title: string } | undefined {
  const [, marks = '', rest = ''] = /^ {0,3}(#{1,6})(?=[ \t]|$)(.*)$/su.exec(line) ?? [];
  if (marks === '') return undefined;
  const trimmed = rest.trim();
  let end = trimmed.length;
  while (trimmed.charAt(end - 1) === '#') end--;
  const isClosed = end < trimmed.length && (end === 0 || /\s/.test(trimmed.charAt(end - 1)));
  const title = (isClosed ? trimmed.slice(0, end) : trimmed).trim();
  return { level: marks.length, title };
}

/** `indent`: 0 for an item of the outer list. */
function parseItem(line: string): { readonly indent: number; readonly text: string } | undefined {
  const indent = line.length - line.trimStart().length;
  const rest = line.slice(indent);
  const [marker] = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/.exec(rest) ?? [];
  if (marker === undefined || isThematicBreak(line)) return undefined;
  const isNested = indent >= 2 || line.startsWith('\t');
  return { indent: isNested ? indent : 0, text: rest.slice(marker.length).trim() };
}

function isThematicBreak(line: string): boolean {
  const marks = line.replace(/[ \t]/g, '');
  return (
    marks.length >= 3 && '-*_'.includes(marks.charAt(0)) && marks === marks.charAt(0).repeat(marks.length)
  );
}

/** Returns the word before a colon, with the label if it is one. */
function parseLabel(
  text: string,
): { readonly word: string; readonly label: Label | undefined; readonly rest: string } | undefined {
  const [whole, word] = LABEL.exec(text) ?? [];
  if (whole === undefined || word === undefined) return undefined;
  return { word, label: LABELS.get(word.toLowerCase()), rest: text.slice(whole.length).trim() };
}

function toItemProblem(line: number, text: string): FileProblem {
  const word = parseLabel(text)?.word;
  return word === undefined ? { line, code: 'noLabel' } : { line, code: 'unknownLabel', detail: word };
}

function parseTolerance(text: string): Tolerance | undefined {
  const [, failures, times] = /^(\d{1,3})(?:\s+of\s+(\d{1,3}))?$/i.exec(text.trim()) ?? [];
  if (failures === undefined) return undefined;
  const tolerance = { failures: Number(failures), times: Number(times ?? 1) };
  return tolerance.failures < tolerance.times && tolerance.times <= MAX_TIMES ? tolerance : undefined;
}

function parsePhrase(
  line: number,
  text: string,
): Phrase | (FileProblem & { readonly code: FileProblemCode }) {
  if (text.length > MAX_PHRASE_LENGTH) return { line, code: 'longPhrase' };
  const end = text.lastIndexOf('/');
  if (text.startsWith('/') && end > 0 && /^\w*$/.test(text.slice(end + 1))) {
    const [source, flags] = [text.slice(1, end), text.slice(end + 1)];
    if (!FLAGS.test(flags)) return { line, code: 'invalidFlags', detail: flags };
    try {
      new RegExp(source, flags);
    } catch (error) {
      return { line, code: 'invalidExpression', detail: error instanceof Error ? error.message : '' };
    }
    return source === '' ? { line, code: 'emptyPhrase' } : { kind: 'expression', line, source, flags };
  }
  const unquoted = unquote(text);
  if (toComparableText(unquoted) === '') return { line, code: 'emptyPhrase' };
  return { kind: 'text', line, text: unquoted };
}

/** Removes quotation marks around a whole text, which make clear that it is neither a label nor an expression. */
function unquote(text: string): string {
  const quoted = QUOTED.exec(text)
    ?.slice(1)
    .find((inner) => inner !== undefined);
  return quoted?.trim() ? quoted : text;
}
