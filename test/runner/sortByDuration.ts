import { statSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../vscode/cacheDir';
import type { TestResult } from './events';
import type { Stage } from './stages';

/** Milliseconds that a byte of a test file is taken for, where no run has measured it. */
const GUESSED_MS_PER_BYTE = 1;

/** Puts a stage's longest files first, so that no lane is left alone with one at the end. */
export function sortByDuration(stage: Stage, previous: readonly TestResult[]): Stage {
  if (stage.kind !== 'files') return stage;
  const measured = new Map<string, number>();
  for (const { file, durationMs } of previous) measured.set(file, (measured.get(file) ?? 0) + durationMs);
  const duration = (file: string) =>
    measured.get(file) ?? statSync(path.join(repositoryRoot, file)).size * GUESSED_MS_PER_BYTE;
  return { ...stage, files: stage.files.toSorted((a, b) => duration(b) - duration(a)) };
}
