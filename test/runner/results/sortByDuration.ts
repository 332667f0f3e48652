import { statSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../../vscode/cacheDir';
import type { Stage } from '../stages';
import type { TestResult } from '../worker/events';

/** The estimated duration of a test file that was never measured, per byte. */
const GUESSED_MS_PER_BYTE = 1;

/** Sorts a stage's files, longest first, so that no lane has to finish a long one alone. */
export function sortByDuration(stage: Stage, previous: readonly TestResult[]): Stage {
  if (stage.kind !== 'files') return stage;
  const measured = new Map<string, number>();
  for (const { file, durationMs } of previous) measured.set(file, (measured.get(file) ?? 0) + durationMs);
  const getDuration = (file: string) =>
    measured.get(file) ?? statSync(path.join(repositoryRoot, file)).size * GUESSED_MS_PER_BYTE;
  return { ...stage, files: stage.files.toSorted((a, b) => getDuration(b) - getDuration(a)) };
}
