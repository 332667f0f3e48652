import { ServiceError, type ServiceErrorCode } from '../../client/serviceError';
import type { Service } from '../remote/service';
import { askFresh } from './askFresh';
import type { BotTestQuestion } from './botTest';
import type { ExpressionMatcher } from './expressionMatcher';
import { getSourceName, judgeReply, type Mismatch } from './judgeReply';
import { MessageBudget } from './messageBudget';

/** Questions that are asked at the same time. Few: the user may be chatting, and services limit requests per minute. */
const MAX_CONCURRENT = 3;
/** After these, every further question would fail too. */
const ENDS_RUN: ReadonlySet<ServiceErrorCode> = new Set([
  ...(['quotaReached', 'rateLimited', 'unauthorized', 'forbidden', 'keyMissing'] as const),
  ...(['serviceMissing', 'refusedUrl'] as const),
]);

/** A question that a run asks. `key` tells it from the others. */
export interface PlannedQuestion<K> {
  readonly key: K;
  readonly service: Pick<Service, 'client'>;
  readonly botId: string;
  readonly question: BotTestQuestion;
}

/** One reply to a question, and how it was judged. */
export interface Attempt {
  readonly reply: string;
  /** The names of its sources, if they were expected and the service tells them. */
  readonly sources?: readonly string[];
  readonly mismatches: readonly Mismatch[];
}

/** `refused`: the service has ended the run; `canceled`: the user has. */
export type SkipReason =
  | { readonly code: 'canceled' }
  | { readonly code: 'refused'; readonly error: ServiceError };

export type BotTestResult = { readonly attempts: readonly Attempt[] } & (
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed' }
  | { readonly outcome: 'errored'; readonly error: unknown }
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
);

interface BotTestEvents<K> {
  /** Called before each attempt, from 1. */
  onAsk?(planned: PlannedQuestion<K>, attempt: number): void;
  onText?(planned: PlannedQuestion<K>, text: string): void;
  onResult(planned: PlannedQuestion<K>, result: BotTestResult): void;
}

export interface RunOptions<K> extends BotTestEvents<K> {
  readonly matcher: Pick<ExpressionMatcher, 'matchExpression'>;
  readonly signal: AbortSignal;
}

export interface RunSummary {
  /** The messages that were sent, or may have been. */
  readonly messages: number;
  /** The conversations that couldn't be deleted. */
  readonly leftConversations: number;
}

/** Returns how many messages a run sends at most. */
export function countMessages(questions: readonly Pick<PlannedQuestion<unknown>, 'question'>[]): number {
  return questions.reduce((sum, { question }) => sum + question.tolerance.times, 0);
}

/**
 * Asks each question and reports one result for each. Sends at most as many messages as `countMessages` says. When the service
 * refuses more, such as with 402, the questions that are left are skipped. Never rejects for what a service does.
 */
export async function runBotTests<K>(
  questions: readonly PlannedQuestion<K>[],
  options: RunOptions<K>,
): Promise<RunSummary> {
  const budget = new MessageBudget(countMessages(questions));
  let skipReason: SkipReason | undefined;
  let leftConversations = 0;
  const onLeft = () => {
    leftConversations++;
  };
  const waiting = [...questions];
  const runNext = async (): Promise<void> => {
    for (let planned = waiting.shift(); planned; planned = waiting.shift()) {
      if (options.signal.aborted) skipReason ??= { code: 'canceled' };
      const result: BotTestResult = skipReason
        ? { outcome: 'skipped', reason: skipReason, attempts: [] }
        : await runQuestion(planned, budget, options, onLeft);
      if (result.outcome === 'skipped') skipReason ??= result.reason;
      options.onResult(planned, result);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, runNext));
  return { messages: budget.sent, leftConversations };
}

async function runQuestion<K>(
  planned: PlannedQuestion<K>,
  budget: MessageBudget,
  { matcher, signal, onAsk, onText }: RunOptions<K>,
  onLeft: () => void,
): Promise<BotTestResult> {
  const { question, service, botId } = planned;
  const { text, tolerance, sources: expectedSources } = question;
  const attempts: Attempt[] = [];
  const count = (isGood: boolean) =>
    attempts.filter(({ mismatches }) => (mismatches.length === 0) === isGood).length;
  try {
    // What can't change the result any more isn't asked: each message counts.
    while (count(true) < tolerance.times - tolerance.failures && count(false) <= tolerance.failures) {
      signal.throwIfAborted();
      onAsk?.(planned, attempts.length + 1);
      const reply = await askFresh(
        {
          service,
          botId,
          text,
          needsSources: expectedSources.length > 0,
        },
        { budget, signal, onLeft, onText: (chunk) => onText?.(planned, chunk) },
      );
      const mismatches = await judgeReply(question, reply, matcher);
      const sources = reply.sources?.map(getSourceName);
      attempts.push({ reply: reply.text, ...(sources && { sources }), mismatches });
    }
    return { outcome: count(false) <= tolerance.failures ? 'passed' : 'failed', attempts };
  } catch (error) {
    if (signal.aborted) return { outcome: 'skipped', reason: { code: 'canceled' }, attempts };
    if (error instanceof ServiceError && ENDS_RUN.has(error.code))
      return { outcome: 'skipped', reason: { code: 'refused', error }, attempts };
    return { outcome: 'errored', error, attempts };
  }
}
