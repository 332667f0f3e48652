/** The end of the names of files with bot tests. */
export const BOT_TEST_EXTENSION = '.bot-test.md';
/** The largest file that is read. */
export const MAX_BOT_TEST_BYTES = 256 * 1024;
export const MAX_QUESTIONS = 500;
/** More files than anyone looks through. */
export const MAX_BOT_TEST_FILES = 500;
/** How often a question can be asked in one run. */
export const MAX_TIMES = 10;

/** What a reply must have or must not have: a text, or a regular expression. */
export type Phrase = { readonly line: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly source: string; readonly flags: string }
);

/** What a reply is expected to say. `any`: at least one of the phrases. */
export interface Expectation {
  readonly kind: 'all' | 'any' | 'none';
  /** As all lines: of the file, from 0. */
  readonly line: number;
  readonly phrases: readonly Phrase[];
}

/** A source that a reply must have, by the name of the document. */
export interface ExpectedSource {
  readonly line: number;
  readonly name: string;
}

/** How often a question is asked, and how many of the replies may be wrong. */
export interface Tolerance {
  readonly times: number;
  readonly failures: number;
}

export interface BotTestQuestion {
  readonly kind: 'question';
  /** The heading. */
  readonly title: string;
  readonly line: number;
  /** What is sent. */
  readonly text: string;
  readonly expectations: readonly Expectation[];
  readonly sources: readonly ExpectedSource[];
  readonly tolerance: Tolerance;
  /** The first problem of the question, which isn't asked then. */
  readonly problem?: FileProblem;
}

/** A heading with questions below it. */
export interface BotTestGroup {
  readonly kind: 'group';
  readonly title: string;
  readonly line: number;
  readonly children: readonly BotTestItem[];
}

export type BotTestItem = BotTestGroup | BotTestQuestion;

/** A parsed `*.bot-test.md`. */
export interface BotTestFile {
  /** The bot's name or ID; without it, the default bot is asked. */
  readonly bot?: string;
  /** The service's name, host or URL; without it, the first service is asked. */
  readonly service?: string;
  readonly items: readonly BotTestItem[];
  /** In the order of their lines. */
  readonly problems: readonly FileProblem[];
  /** A problem that concerns all questions: none is asked then, because it could be the wrong bot. */
  readonly problem?: FileProblem;
}

export type FileProblemCode =
  | 'tooLarge'
  | 'openFrontMatter'
  | 'unknownProperty'
  | 'noValue'
  | 'noQuestions'
  | 'tooManyQuestions'
  | 'openComment'
  | 'openFence'
  | 'noHeading'
  | 'emptyHeading'
  | 'noExpectations'
  | 'unknownLabel'
  | 'noLabel'
  | 'noPhrases'
  | 'emptyPhrase'
  | 'longPhrase'
  | 'tooManyPhrases'
  | 'textAfterList'
  | 'invalidExpression'
  | 'invalidFlags'
  | 'tolerance'
  | 'tooLong';

/** Why a part of a file isn't understood. */
export interface FileProblem {
  readonly line: number;
  readonly code: FileProblemCode;
  /** What the message quotes. Untrusted. */
  readonly detail?: string;
}

/** Returns all questions of a file, in order. */
export function listQuestions(items: readonly BotTestItem[]): readonly BotTestQuestion[] {
  return items.flatMap((item) => (item.kind === 'question' ? [item] : listQuestions(item.children)));
}

/** Returns why a question of a file can't be asked. */
export function findProblem(file: BotTestFile, question: BotTestQuestion): FileProblem | undefined {
  return file.problem ?? question.problem;
}
