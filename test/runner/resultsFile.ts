import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheDir } from '../vscode/cacheDir';
import type { TestResult } from './events';

/** The last whole run's results, as JSON. */
export const resultsFile = path.join(cacheDir(), 'results.json');

export function readResults(): readonly TestResult[] {
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8'));
  } catch {
    // A fresh clone has none.
    return [];
  }
}

export function saveResults(results: readonly TestResult[]): void {
  mkdirSync(cacheDir(), { recursive: true });
  writeFileSync(resultsFile, JSON.stringify(results));
}
