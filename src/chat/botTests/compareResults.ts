import type { BotTestResult } from './runBotTests';

/** How a result compares with the one before, or with the other bot's. `unknown`: one of them isn't a judgment. */
export type Change = 'worse' | 'better' | 'failsStill' | 'passesStill' | 'unknown';

/** The parts of a result that are compared. */
export interface ComparedResult {
  readonly outcome: BotTestResult['outcome'];
  /** What the last reply lacks. */
  readonly mismatches: number;
}

export function toComparedResult({ outcome, attempts }: BotTestResult): ComparedResult {
  return {
    outcome,
    mismatches: attempts.findLast(({ mismatches }) => mismatches.length > 0)?.mismatches.length ?? 0,
  };
}

/** A reply that fails but lacks less than before is better. */
export function compareResults(before: ComparedResult | undefined, after: ComparedResult): Change {
  const isJudged = ({ outcome }: ComparedResult) => outcome === 'passed' || outcome === 'failed';
  if (!before || !isJudged(before) || !isJudged(after)) return 'unknown';
  const [old, now] = [before, after].map(({ outcome, mismatches }) =>
    outcome === 'passed' ? 0 : mismatches + 1,
  );
  if (old === undefined || now === undefined) return 'unknown';
  if (now !== old) return now < old ? 'better' : 'worse';
  return now === 0 ? 'passesStill' : 'failsStill';
}
