import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type BotTestFile,
  type BotTestItem,
  type BotTestQuestion,
  findProblem,
} from '../../chat/botTests/botTest';
import { describeMismatch, describeProblem, toEnglish } from '../../chat/botTests/botTestTexts';
import { ExpressionMatcher } from '../../chat/botTests/expressionMatcher';
import { parseBotTest } from '../../chat/botTests/parseBotTest';
import {
  type BotTestResult,
  countMessages,
  type PlannedQuestion,
  runBotTests,
} from '../../chat/botTests/runBotTests';
import type { Fetch } from '../../client/fetch';
import { ServiceClient } from '../../client/serviceClient';
import { ServiceError } from '../../client/serviceError';
import { startExpressionThread } from '../../host/platform/nodeExpressionThread';
import { AgentError } from '../../shared/agents/agentRequests';
import { findBotOfService } from '../alone/findBotOfService';
import { describeFailure } from '../alone/serviceFailure';
import { findTestFiles, readTestFile } from './findTestFiles';
import { formatJUnit, type ReportedQuestion } from './junit';
import { toLogText } from './reportText';
import type { TestOptions } from './testOptions';

/** In UTF-16 code units, of a reply in the log. */
const MAX_LOGGED_REPLY = 2000;
const MARKS: Readonly<Record<BotTestResult['outcome'], string>> = {
  passed: '✓',
  failed: '✗',
  errored: '✗',
  skipped: '-',
};

export interface TestCommandContext {
  readonly fetch: Fetch;
  /** Files are relative to it. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Writes a line, which has no text of others that isn't inert. */
  readonly print: (line: string) => void;
}

/** Where a question is. */
interface Place {
  readonly file: string;
  readonly groups: readonly string[];
}

/**
 * Runs bot tests; resolves to the exit code: 0 if all passed, 1 if not. Throws an Error with a sentence for the user before
 * anything was sent.
 */
export async function runTestCommand(options: TestOptions, context: TestCommandContext): Promise<0 | 1> {
  const { fetch, folder, signal, print } = context;
  const { baseUrl, apiKey, maxMessages, junit } = options;
  const client = new ServiceClient({ baseUrl, fetch, apiKey: async () => apiKey });
  const files = await findTestFiles(folder, options.globs);
  const questions = await planFiles(files, folder, client, baseUrl, signal);
  const messages = countMessages(questions);
  const sentence = `${formatCount(questions.length, 'question')} in ${formatCount(files.length, 'file')}: at most ${formatCount(messages, 'message')}, which count toward the limit of your plan.`;
  if (messages > maxMessages)
    throw new Error(`${sentence} That is more than --max-messages ${maxMessages}. Nothing was sent.`);
  print(sentence);
  const reports = new Map<Place, ReportedQuestion>();
  const startedAt = new Map<Place, number>();
  const matcher = new ExpressionMatcher(startExpressionThread);
  try {
    const summary = await runBotTests(questions, {
      matcher,
      signal,
      onAsk: ({ key }) => {
        if (!startedAt.has(key)) startedAt.set(key, performance.now());
      },
      onResult: ({ key, question }, result) => {
        const begin = startedAt.get(key);
        const seconds = begin === undefined ? 0 : (performance.now() - begin) / 1000;
        const report = toReport(key, question, result, seconds);
        reports.set(key, report);
        printReport(report, print);
      },
    });
    const inOrder = questions.flatMap(({ key }) => reports.get(key) ?? []);
    const isWritten = junit === undefined || (await writeReport(path.resolve(folder, junit), inOrder, print));
    const count = (...outcomes: readonly string[]) =>
      inOrder.filter(({ outcome }) => outcomes.includes(outcome)).length;
    print(
      `${count('passed')} passed, ${count('failed', 'errored')} failed, ${count('skipped')} skipped. Messages sent: ${summary.messages}.`,
    );
    if (summary.leftConversations > 0)
      print(
        `Conversations that couldn’t be deleted: ${summary.leftConversations}. Their names begin with “Bot test:”.`,
      );
    return count('passed') === questions.length && isWritten ? 0 : 1;
  } finally {
    matcher.dispose();
  }
}

async function writeReport(
  file: string,
  questions: readonly ReportedQuestion[],
  print: (line: string) => void,
): Promise<boolean> {
  try {
    await writeFile(file, formatJUnit(questions));
    return true;
  } catch (error) {
    print(
      toLogText(`The JUnit report couldn’t be written: ${error instanceof Error ? error.message : error}`),
    );
    return false;
  }
}

/** Finds what all files ask. Throws an Error that names each line that isn't understood. */
async function planFiles(
  files: readonly string[],
  folder: string,
  client: ServiceClient,
  baseUrl: string,
  signal: AbortSignal,
): Promise<readonly PlannedQuestion<Place>[]> {
  const problems: string[] = [];
  const questions: PlannedQuestion<Place>[] = [];
  const bots = new Map<string, string>();
  for (const file of files) {
    const parsed = parseBotTest(await readTestFile(path.resolve(folder, file)));
    for (const problem of parsed.problems)
      problems.push(`${file}:${problem.line + 1}: ${describeProblem(problem, toEnglish)}`);
    if (!isForService(parsed, baseUrl))
      problems.push(
        `${file}:1: The file is for the service “${parsed.service}”, and PARLEY_BASE_URL is another.`,
      );
    if (problems.length > 0) continue;
    const named = parsed.bot ?? '';
    const botId = bots.get(named) ?? (await findBotId(client, named, signal));
    bots.set(named, botId);
    for (const { question, groups } of listWithGroups(parsed.items)) {
      if (!findProblem(parsed, question))
        questions.push({ key: { file, groups }, service: { client }, botId, question });
    }
  }
  if (problems.length > 0) throw new Error(`${problems.map(toLogText).join('\n')}\nNothing was sent.`);
  return questions;
}

async function findBotId(client: ServiceClient, named: string, signal: AbortSignal): Promise<string> {
  try {
    return (await findBotOfService(client, named, signal)).id;
  } catch (error) {
    if (error instanceof AgentError) throw new Error(toLogText(error.problem.message));
    if (error instanceof ServiceError) throw new Error(toLogText(describeFailure(error)));
    throw error;
  }
}

/** A file may name the service by its URL or host; any other name is one that only the user's VS Code knows. */
function isForService({ service }: BotTestFile, baseUrl: string): boolean {
  if (service === undefined) return true;
  const { host } = new URL(baseUrl);
  if (URL.canParse(service) && /^https?:/i.test(service)) return new URL(service).host === host;
  return !/^[\w-]+(?:\.[\w-]+)+(?::\d+)?$/.test(service) || service.toLowerCase() === host;
}

function listWithGroups(
  items: readonly BotTestItem[],
  groups: readonly string[] = [],
): readonly { readonly question: BotTestQuestion; readonly groups: readonly string[] }[] {
  return items.flatMap((item) =>
    item.kind === 'question'
      ? [{ question: item, groups }]
      : listWithGroups(item.children, [...groups, item.title]),
  );
}

function toReport(
  { file, groups }: Place,
  { title, line }: BotTestQuestion,
  result: BotTestResult,
  seconds: number,
): ReportedQuestion {
  const { outcome, attempts } = result;
  const ofReply = attempts.flatMap(({ mismatches }, index) =>
    mismatches.map((mismatch) => {
      const number = attempts.length > 1 ? `Reply ${index + 1}: ` : '';
      return `${number}${describeMismatch(mismatch, toEnglish)} (line ${mismatch.line + 1})`;
    }),
  );
  return {
    ...{ file, groups, title, line: line + 1, outcome, seconds },
    messages: outcome === 'passed' ? [] : [...describeReason(result), ...ofReply],
    replies: attempts.map(({ reply }) => reply),
  };
}

function describeReason(result: BotTestResult): readonly string[] {
  if (result.outcome === 'errored')
    return [
      result.error instanceof ServiceError
        ? describeFailure(result.error)
        : 'Something went wrong in Parley.',
    ];
  if (result.outcome !== 'skipped') return [];
  return [result.reason.code === 'canceled' ? 'The run was stopped.' : describeFailure(result.reason.error)];
}

function printReport(
  { file, line, groups, title, outcome, messages, replies }: ReportedQuestion,
  print: (line: string) => void,
): void {
  print(toLogText(`${MARKS[outcome]} ${file}:${line} ${[...groups, title].join(' › ')}`));
  for (const message of messages) print(`    ${toLogText(message)}`);
  if (outcome !== 'failed') return;
  for (const reply of replies) {
    const shown = reply.length > MAX_LOGGED_REPLY ? `${reply.slice(0, MAX_LOGGED_REPLY)}…` : reply;
    for (const each of toLogText(shown).split('\n')) print(`    | ${each}`);
  }
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
