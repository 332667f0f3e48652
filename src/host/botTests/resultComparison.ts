import * as vscode from 'vscode';
import { describeMismatch } from '../../chat/botTests/botTestTexts';
import type { Change } from '../../chat/botTests/compareResults';
import type { BotTestResult } from '../../chat/botTests/runBotTests';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { toInertText } from '../base/inertText';
import { BOT_TEST_SCHEME } from '../base/names';

const { t } = vscode.l10n;

/** Comparisons whose text is kept, the newest. */
const MAX_KEPT = 10;
/** What changed for the worse comes first. */
const ORDER: readonly Change[] = ['worse', 'better', 'failsStill', 'unknown', 'passesStill'];

/** One side of a compared question. */
export interface ComparedSide {
  readonly outcome: BotTestResult['outcome'];
  /** Why it didn't pass. */
  readonly reasons: readonly string[];
  readonly reply: string;
}

export interface ComparedQuestion {
  readonly title: string;
  /** The path of the file and the line. */
  readonly place: string;
  readonly change: Change;
  /** Undefined if there is no result to compare with. */
  readonly before: ComparedSide | undefined;
  readonly after: ComparedSide;
}

/** Shows the results of a comparison side by side, in VS Code's diff editor: as read-only documents, which it serves. */
export class ResultComparisons implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(BOT_TEST_SCHEME, this);
  #count = 0;

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.path);
  }

  /** Opens the comparison. `names`: of the sides. */
  async openComparison(
    questions: readonly ComparedQuestion[],
    names: readonly [string, string],
  ): Promise<void> {
    const folder = String(++this.#count);
    const sides = ['before', 'after'] as const;
    const uris = sides.map((side, index) => {
      // Parley's own language: VS Code's Markdown makes a reply's `command:` links run on click.
      const path = `/${folder}/${side}.parley.md`;
      this.#texts.set(path, formatSide(questions, side, names[index] ?? ''));
      return vscode.Uri.from({ scheme: BOT_TEST_SCHEME, path });
    });
    for (const path of [...this.#texts.keys()].slice(0, -2 * MAX_KEPT)) this.#texts.delete(path);
    const title = `${names[0]} ↔ ${names[1]}: ${summarizeChanges(questions)}`;
    await vscode.commands.executeCommand('vscode.diff', ...uris, toInertText(title), { preview: false });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

/** Says what got better and what got worse. */
export function summarizeChanges(questions: readonly Pick<ComparedQuestion, 'change'>[]): string {
  const count = (change: Change) => questions.filter((question) => question.change === change).length;
  return t('{0} better, {1} worse', count('better'), count('worse'));
}

function formatSide(questions: readonly ComparedQuestion[], side: 'before' | 'after', name: string): string {
  const headings: { readonly [C in Change]: string } = {
    worse: t('Worse'),
    better: t('Better'),
    failsStill: t('Still Failing'),
    passesStill: t('Still Passing'),
    unknown: t('Not Compared'),
  };
  const lines = [`# ${toLine(name)}`, ''];
  for (const change of ORDER) {
    const own = questions.filter((question) => question.change === change);
    if (own.length === 0) continue;
    lines.push(`## ${headings[change]} (${own.length})`, '');
    for (const { title, place, [side]: shown } of own) {
      lines.push(`### ${toLine(title)}`, '', place, '', formatOutcome(shown?.outcome), '');
      for (const reason of shown?.reasons ?? []) lines.push(`- ${toLine(reason)}`);
      if (shown?.reasons.length) lines.push('');
      if (shown?.reply)
        lines.push(
          ...escapeInvisible(shown.reply)
            .split('\n')
            .map((line) => `> ${line}`.trimEnd()),
          '',
        );
    }
  }
  return lines.join('\n');
}

function formatOutcome(outcome: BotTestResult['outcome'] | undefined): string {
  switch (outcome) {
    case 'passed':
      return t('Passed');
    case 'failed':
      return t('Failed');
    case 'errored':
      return t('Error');
    case 'skipped':
      return t('Skipped');
    case undefined:
      return t('No earlier result');
  }
}

function toLine(text: string): string {
  return escapeInvisible(text.replace(/\s+/g, ' '));
}

/** Returns what a result's replies lack, each once. */
export function describeMismatches({ attempts }: BotTestResult): readonly string[] {
  return [
    ...new Set(
      attempts.flatMap(({ mismatches }) => mismatches.map((mismatch) => describeMismatch(mismatch, t))),
    ),
  ];
}
