import * as vscode from 'vscode';
import { platform } from '#platform';
import { findProblem, listQuestions } from '../../chat/botTests/botTest';
import { describeMismatch, describeProblem } from '../../chat/botTests/botTestTexts';
import { compareResults, toComparedResult } from '../../chat/botTests/compareResults';
import { ExpressionMatcher } from '../../chat/botTests/expressionMatcher';
import {
  type BotTestResult,
  countMessages,
  type PlannedQuestion,
  runBotTests,
} from '../../chat/botTests/runBotTests';
import { toFailure } from '../../chat/model/failure';
import type { Connect } from '../../chat/remote/service';
import { ServiceError } from '../../client/serviceError';
import type { Bot } from '../../shared/view/viewModel';
import { confirm, showInformation, showWarning } from '../base/dialogs';
import { formatCount, getErrorMessage, joinSentences, plural } from '../base/localizedText';
import type { ConversationActions } from '../conversations/conversationActions';
import type { Bots } from '../service/bots';
import { formatFailure } from '../service/failureText';
import type { Quota } from '../service/quota';
import type { SetupGuide } from '../service/setupGuide';
import type { BotTestTree, ListedQuestion } from './botTestTree';
import { createTestMessage } from './inertTests';
import type { PreviousResults, StoredResult } from './previousResults';
import {
  type ComparedQuestion,
  describeMismatches,
  type ResultComparisons,
  summarizeChanges,
} from './resultComparison';
import type { RunKind } from './runKind';
import { TestOutput } from './testOutput';

const { t } = vscode.l10n;

/** Bots that a confirmation names. */
const MAX_NAMED_BOTS = 5;

export interface BotTestRunServices {
  readonly bots: Bots;
  readonly connect: Connect;
  readonly setup: SetupGuide;
  readonly quota: Quota;
  readonly conversations: ConversationActions;
  readonly onError: (error: unknown) => void;
}

/** A question and the bot that is asked. `side`: of a comparison of two bots. */
interface Asked extends ListedQuestion {
  readonly bot: Bot;
  readonly baseUrl: string;
  readonly side: 0 | 1;
}

/** A question that can't be asked, with the sentence that says why. */
interface Unaskable extends Pick<ListedQuestion, 'item' | 'uri' | 'question'> {
  readonly reason: string;
  readonly line: number;
}

/** Runs bot tests for VS Code's Test Explorer, after a dialog with what they cost. */
export class BotTestRuns {
  readonly #services: BotTestRunServices;
  readonly #previous: PreviousResults;
  readonly #comparisons: ResultComparisons;

  constructor(services: BotTestRunServices, previous: PreviousResults, comparisons: ResultComparisons) {
    this.#services = services;
    this.#previous = previous;
    this.#comparisons = comparisons;
  }

  async startRun(
    kind: RunKind,
    { controller, tree }: { readonly controller: vscode.TestController; readonly tree: BotTestTree },
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const listed = await tree.collectQuestions(request.include, request.exclude);
    if (listed.length === 0) {
      void showInformation(t('There are no bot tests to run.'));
      return;
    }
    await this.#services.setup.checkSetup();
    const pair = kind === 'bots' ? await this.#pickTwoBots() : undefined;
    if (kind === 'bots' && !pair) return;
    const { asked, unaskable } = await this.#plan(listed, pair);
    if (asked.length > 0 && !(await this.#confirm(asked, token))) return;
    const run = controller.createTestRun(request);
    try {
      for (const { item, uri, reason, line } of unaskable)
        run.errored(item, createTestMessage(reason, uri, line));
      if (asked.length > 0) await this.#ask(kind, run, asked, token, pair);
    } finally {
      run.end();
    }
  }

  async #pickTwoBots(): Promise<readonly [Bot, Bot] | undefined> {
    const { bots, conversations } = this.#services;
    const { pickTwoBots } = await import('../service/botPicker');
    return pickTwoBots(bots, t('Compare Two Bots'), await conversations.getRecentBots());
  }

  /** Finds the bot of each question. Sends nothing but requests for the lists of bots. */
  async #plan(
    listed: readonly ListedQuestion[],
    pair: readonly [Bot, Bot] | undefined,
  ): Promise<{ readonly asked: readonly Asked[]; readonly unaskable: readonly Unaskable[] }> {
    const asked: Asked[] = [];
    const unaskable: Unaskable[] = [];
    const found = new Map<string, Promise<Bot | string>>();
    for (const each of listed) {
      const { item, uri, question, file } = each;
      const problem = findProblem(file, question);
      if (problem) {
        unaskable.push({ item, uri, question, reason: describeProblem(problem, t), line: problem.line });
        continue;
      }
      const key = JSON.stringify([file.service, file.bot]);
      const finding = pair ? undefined : (found.get(key) ?? this.#findTestBot(file.service, file.bot));
      if (finding) found.set(key, finding);
      const bot = await finding;
      const bots = pair ?? (typeof bot === 'object' ? [bot] : []);
      for (const [index, one] of bots.entries()) {
        const baseUrl = this.#services.bots.serviceList.find(one.baseUrl)?.baseUrl;
        if (baseUrl !== undefined) asked.push({ ...each, bot: one, baseUrl, side: index === 0 ? 0 : 1 });
      }
      if (typeof bot === 'string') unaskable.push({ item, uri, question, reason: bot, line: 0 });
    }
    return { asked, unaskable };
  }

  /** Resolves to a bot, or to the sentence that says why there is none. */
  async #findTestBot(serviceName: string | undefined, named: string | undefined): Promise<Bot | string> {
    const { bots, setup } = this.#services;
    const { all, first } = bots.serviceList;
    const wanted = serviceName?.toLowerCase().replace(/\/$/, '');
    const service =
      wanted === undefined
        ? first
        : all.find(({ name, host, baseUrl }) =>
            [name, host, baseUrl].some((each) => each.toLowerCase() === wanted),
          );
    if (!service) return t('The service “{0}” isn’t one of yours.', serviceName ?? '');
    const { baseUrl } = service;
    if (!setup.hasKey(service) && !(await setup.askApiKey(baseUrl)))
      return t('There is no API key for this service.');
    if (named === undefined)
      return bots.getDefault(baseUrl) ?? t('Name the bot at the top of the file, as “bot: NAME”.');
    try {
      const list = await bots.listBots(baseUrl);
      if (!list) return bots.named(named, baseUrl);
      const bot =
        list.find(({ id }) => id === named) ??
        list.find(({ name }) => name.toLowerCase() === named.toLowerCase());
      if (bot) return bots.named(bot.id, baseUrl);
      const names = list.map(({ name, id }) => name || id).join(', ');
      return t('Bot “{0}” not found. Available bots: {1}', named, names);
    } catch (error) {
      return formatFailure(toFailure(error, Date.now()), baseUrl);
    }
  }

  async #confirm(asked: readonly Asked[], token: vscode.CancellationToken): Promise<boolean> {
    const { quota, bots } = this.#services;
    const count = new Set(asked.map(({ item }) => item.id)).size;
    const messages = countMessages(asked);
    const baseUrls = [...new Set(asked.map(({ baseUrl }) => baseUrl))];
    const names = [
      ...new Set(
        asked.map(({ bot, baseUrl }) =>
          bots.serviceList.all.length > 1
            ? `${bot.name} (${bots.serviceList.find(baseUrl)?.name})`
            : bot.name,
        ),
      ),
    ];
    const more = names.length > MAX_NAMED_BOTS ? ', …' : '';
    const sent = baseUrls.reduce((sum, baseUrl) => sum + quota.getEstimate(baseUrl).messages, 0);
    const isReached = baseUrls.some((baseUrl) => quota.getReachedAt(baseUrl) !== undefined);
    const run = t('Run Tests');
    const details = [
      plural(
        messages,
        'At most {0} message will be sent. It counts toward your limit.',
        'At most {0} messages will be sent. They count toward your limit.',
      ),
      t('Messages sent from this machine in the last 30 days: about {0}', formatCount(sent)),
      ...(isReached ? [t('The limit was reached before: the run may end early.')] : []),
      t('Asked: {0}', names.slice(0, MAX_NAMED_BOTS).join(', ') + more),
      t('Each question gets a new conversation, which is deleted afterwards.'),
    ];
    const title = plural(count, 'Run {0} bot test?', 'Run {0} bot tests?');
    return (await confirm(title, details, run)) === run && !token.isCancellationRequested;
  }

  async #ask(
    kind: RunKind,
    run: vscode.TestRun,
    asked: readonly Asked[],
    token: vscode.CancellationToken,
    pair: readonly [Bot, Bot] | undefined,
  ): Promise<void> {
    const stop = new AbortController();
    const cancel = () => stop.abort();
    const listening = [token, run.token].map((each) => each.onCancellationRequested(cancel));
    const matcher = new ExpressionMatcher(await platform.loadExpressionThreads());
    const output = new TestOutput(run);
    const report = new RunReport(run, output, asked);
    const questions = asked.map((key): PlannedQuestion<Asked> => {
      const { bot, baseUrl, question } = key;
      return { key, service: this.#services.connect(baseUrl), botId: bot.id, question };
    });
    for (const { item } of asked) run.enqueued(item);
    try {
      const summary = await runBotTests(questions, {
        matcher,
        signal: stop.signal,
        onAsk: ({ key }, attempt) => report.reportStart(key, attempt),
        onText: ({ key }, text) => output.appendReplyText(key.item, text),
        onResult: ({ key }, result) => report.addResult(key, result),
      });
      output.appendSummary('');
      output.appendSummary(report.formatOutcomes());
      output.appendSummary(t('Messages sent: {0}', formatCount(summary.messages)));
      if (summary.leftConversations > 0)
        output.appendSummary(
          t(
            'Conversations that couldn’t be deleted: {0}. Their names begin with “Bot test:”.',
            formatCount(summary.leftConversations),
          ),
        );
      report.showWhyEnded();
      await this.#compare(kind, report.results, output, pair);
    } finally {
      matcher.dispose();
      for (const each of listening) each.dispose();
    }
  }

  /** Keeps the results, and shows what got better and worse if the run compares. */
  async #compare(
    kind: RunKind,
    results: ReadonlyMap<Asked, BotTestResult>,
    output: TestOutput,
    pair: readonly [Bot, Bot] | undefined,
  ): Promise<void> {
    const compared: ComparedQuestion[] = [];
    const now = Date.now();
    const stored = new Map<string, StoredResult>();
    let oldest = now;
    for (const [asked, result] of results) {
      const { item, uri, question, baseUrl, side } = asked;
      const key = createResultKey(asked);
      const reasons = describeResult(result, baseUrl);
      const after = {
        ...toComparedResult(result),
        reasons,
        reply: result.attempts.at(-1)?.reply ?? '',
        at: now,
      };
      const add = (before: ComparedQuestion['before'], change: ComparedQuestion['change']) =>
        compared.push({
          title: question.title,
          place: `${vscode.workspace.asRelativePath(uri)}:${question.line + 1}`,
          ...{ change, before },
          after,
        });
      if (kind === 'previous') {
        const before = await this.#previous.getResult(key);
        if (before) oldest = Math.min(oldest, before.at);
        add(before, compareResults(before, after));
      } else if (kind === 'bots' && side === 1) {
        const [first] = [...results].filter(([other]) => other.item.id === item.id && other.side === 0);
        if (!first) continue;
        const before = {
          outcome: first[1].outcome,
          reasons: describeResult(first[1], first[0].baseUrl),
          reply: first[1].attempts.at(-1)?.reply ?? '',
        };
        add(before, compareResults(toComparedResult(first[1]), after));
      }
      if (result.outcome === 'passed' || result.outcome === 'failed') stored.set(key, after);
    }
    await this.#previous.saveResults(stored).catch(this.#services.onError);
    if (compared.length === 0) return;
    output.appendSummary(summarizeChanges(compared));
    const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
    const names = pair
      ? ([pair[0].name, pair[1].name] as const)
      : ([oldest < now ? format.format(oldest) : t('Previous Run'), t('This Run')] as const);
    await this.#comparisons.openComparison(compared, names);
  }
}

/** Identifies a question when the file is edited. Other questions of the file may have the same text, with other expectations. */
function createResultKey({ uri, file, question, baseUrl, bot }: Asked): string {
  const sameText = listQuestions(file.items).filter(({ text }) => text === question.text);
  const ordinal = sameText.indexOf(question);
  return JSON.stringify([
    ...[uri.toString(), question.text, baseUrl, bot.id],
    // The first is stored without, as by older versions.
    ...(ordinal > 0 ? [ordinal] : []),
  ]);
}

/** Reports results to VS Code: one for each item, also if two bots were asked. */
class RunReport {
  readonly results = new Map<Asked, BotTestResult>();
  readonly #run: vscode.TestRun;
  readonly #output: TestOutput;
  readonly #asked: readonly Asked[];
  readonly #startedAt = new Map<vscode.TestItem, number>();

  constructor(run: vscode.TestRun, output: TestOutput, asked: readonly Asked[]) {
    this.#run = run;
    this.#output = output;
    this.#asked = asked;
  }

  reportStart({ item, question, bot }: Asked, attempt: number): void {
    if (!this.#startedAt.has(item)) this.#run.started(item);
    this.#startedAt.set(item, this.#startedAt.get(item) ?? Date.now());
    const { times } = question.tolerance;
    const number = times > 1 ? ` (${formatCount(attempt)}/${formatCount(times)})` : '';
    this.#output.appendLine(item, '');
    this.#output.appendLine(item, `${bot.name} ← ${question.text}${number}`);
    this.#output.appendLine(item, '');
  }

  addResult(asked: Asked, result: BotTestResult): void {
    this.results.set(asked, result);
    const { item, baseUrl } = asked;
    if (result.attempts.length > 0) this.#output.appendLine(item, '');
    for (const reason of describeResult(result, baseUrl)) this.#output.appendLine(item, `✗ ${reason}`);
    if (result.outcome === 'passed') this.#output.appendLine(item, `✓ ${t('Passed')}`);
    this.#output.endItem(item);
    const all = this.#asked.filter((other) => other.item === item);
    const known = all.flatMap((other) => {
      const own = this.results.get(other);
      return own ? [[other, own] as const] : [];
    });
    if (known.length === all.length) this.#reportItem(item, known);
  }

  formatOutcomes(): string {
    const outcomes = [...this.results.values()].map(({ outcome }) => outcome);
    const count = (...some: readonly string[]) =>
      formatCount(outcomes.filter((outcome) => some.includes(outcome)).length);
    return t(
      '{0} passed, {1} failed, {2} skipped',
      count('passed'),
      count('failed', 'errored'),
      count('skipped'),
    );
  }

  /** Says why questions were skipped, if the service ended the run. */
  showWhyEnded(): void {
    const skipped = [...this.results].filter(([, { outcome }]) => outcome === 'skipped');
    for (const [{ baseUrl }, result] of skipped) {
      if (result.outcome !== 'skipped' || result.reason.code !== 'refused') continue;
      const count = plural(skipped.length, '{0} bot test was skipped.', '{0} bot tests were skipped.');
      void showWarning(joinSentences(formatError(result.reason.error, baseUrl), count));
      return;
    }
  }

  #reportItem(item: vscode.TestItem, known: readonly (readonly [Asked, BotTestResult])[]): void {
    const durationMs = Date.now() - (this.#startedAt.get(item) ?? Date.now());
    const outcomes = known.map(([, { outcome }]) => outcome);
    const messages = known.flatMap(([asked, result]) => createMessages(asked, result, known.length > 1));
    if (outcomes.includes('errored')) this.#run.errored(item, messages, durationMs);
    else if (outcomes.includes('failed')) this.#run.failed(item, messages, durationMs);
    else if (outcomes.includes('skipped')) this.#run.skipped(item);
    else this.#run.passed(item, durationMs);
  }
}

function createMessages(
  { bot, uri, question, baseUrl }: Asked,
  result: BotTestResult,
  hasTwoBots: boolean,
): readonly vscode.TestMessage[] {
  const toText = (text: string) => (hasTwoBots ? `${bot.name}: ${text}` : text);
  if (result.outcome === 'passed') return [];
  const seen = new Set<string>();
  const ofReplies = result.attempts
    .flatMap(({ mismatches }) => mismatches)
    .flatMap((mismatch) => {
      const text = toText(describeMismatch(mismatch, t));
      if (seen.has(text)) return [];
      seen.add(text);
      return [createTestMessage(text, uri, mismatch.line)];
    });
  if (result.outcome !== 'errored') return ofReplies;
  return [createTestMessage(toText(formatError(result.error, baseUrl)), uri, question.line), ...ofReplies];
}

/** Returns why a result isn't a pass. */
function describeResult(result: BotTestResult, baseUrl: string): readonly string[] {
  if (result.outcome === 'passed') return [];
  if (result.outcome === 'errored')
    return [formatError(result.error, baseUrl), ...describeMismatches(result)];
  if (result.outcome === 'failed') return describeMismatches(result);
  return [
    result.reason.code === 'canceled'
      ? t('Skipped: the run was canceled.')
      : formatError(result.reason.error, baseUrl),
  ];
}

function formatError(error: unknown, baseUrl: string): string {
  return error instanceof ServiceError
    ? formatFailure(toFailure(error, Date.now()), baseUrl)
    : getErrorMessage(error);
}
