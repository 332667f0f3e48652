import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { foldText, parseSearchWords } from '../../shared/text/searchText';
import type { MessageTurn, Turn } from '../../shared/view/viewModel';

/** A heading of a reply. */
export interface Heading {
  readonly text: string;
  /** From 1 to 6. */
  readonly level: number;
  readonly element: HTMLElement;
}

/** A row of the timeline: a question, or a heading of a reply to it. */
export interface TimelineRow {
  /** Unique in the timeline. */
  readonly id: string;
  readonly turnId: string;
  readonly text: string;
  /** 1 for a question. */
  readonly level: number;
  readonly heading?: Heading;
}

const MAX_TEXT_LENGTH = 200;

/** The row of a question, with a text that is created on first use: most rows are never in sight. */
class QuestionRow implements TimelineRow {
  readonly level = 1;
  readonly #message: MessageTurn;
  #text: string | undefined;

  constructor(message: MessageTurn) {
    this.#message = message;
  }

  get id(): string {
    return this.#message.id;
  }

  get turnId(): string {
    return this.#message.id;
  }

  get text(): string {
    this.#text ??= toLine(this.#message.text);
    return this.#text;
  }
}

const questions = new WeakMap<MessageTurn, TimelineRow>();
const foldedTexts = new WeakMap<TimelineRow, string>();

/** Returns the rows of all questions, each followed by those of its replies' headings. */
export function createRows(
  turns: readonly Turn[],
  headings: ReadonlyMap<string, readonly TimelineRow[]>,
): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  for (const turn of turns) {
    if (turn.kind === 'message') rows.push(getQuestion(turn));
    else for (const row of headings.get(turn.id) ?? []) rows.push(row);
  }
  return rows;
}

/** Returns the row of a message. A changed message is a new object. */
export function getQuestion(message: MessageTurn): TimelineRow {
  let row = questions.get(message);
  if (!row) {
    row = new QuestionRow(message);
    questions.set(message, row);
  }
  return row;
}

/** Returns the rows of a reply's headings. Their levels start at 2, below the question. */
export function createHeadingRows(turnId: string, headings: readonly Heading[]): readonly TimelineRow[] {
  // A call can't have as many arguments as a hostile reply has headings.
  const highest = headings.reduce((least, { level }) => Math.min(least, level), 6);
  return headings.map((heading, index) => ({
    id: `${turnId}-${index}`,
    turnId,
    text: toLine(heading.text),
    level: heading.level - highest + 2,
    heading,
  }));
}

/** Returns the rows with all words of a query, and the questions of the headings among them. */
export function filterRows(rows: readonly TimelineRow[], query: string): readonly TimelineRow[] {
  const words = parseSearchWords(query);
  if (words.length === 0) return rows;
  const found: TimelineRow[] = [];
  /** The question of the headings that follow, if it isn't among the found rows yet. */
  let question: TimelineRow | undefined;
  for (const row of rows) {
    const text = getFoldedText(row);
    const matches = words.every((word) => text.includes(word));
    if (row.level === 1) question = row;
    if (!matches) continue;
    if (question && question !== row) found.push(question);
    question = undefined;
    found.push(row);
  }
  return found;
}

/** Returns the question that a turn belongs to: the last one up to it. */
export function findQuestion(turns: readonly Turn[], turnId: string | undefined): string | undefined {
  const index = turns.findIndex(({ id }) => id === turnId);
  return turns.slice(0, index + 1).findLast(({ kind }) => kind === 'message')?.id;
}

function getFoldedText(row: TimelineRow): string {
  const text = foldedTexts.get(row) ?? foldText(row.text);
  foldedTexts.set(row, text);
  return text;
}

/** Returns the first line with text. */
function toLine(text: string): string {
  const line = /\S[^\n\r]*/.exec(text)?.[0] ?? '';
  return escapeInvisible(line.slice(0, MAX_TEXT_LENGTH).replace(/\s+/g, ' ').trim());
}
