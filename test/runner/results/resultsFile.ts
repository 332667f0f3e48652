import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getCacheDir } from '../../vscode/cacheDir';
import type { TestResult } from '../worker/events';

/** The results of the last whole run, as JSON. */
const resultsFile = path.join(getCacheDir(), 'results.json');

export function readResults(file = resultsFile): readonly TestResult[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // A fresh clone has none.
    return [];
  }
}

export function saveResults(results: readonly TestResult[], file = resultsFile): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(results));
}
