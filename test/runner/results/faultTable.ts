// Creates test/FAULTS.md: the faults and attacks that Parley survives, with the tests that prove it. The rows
// come from test/faults.json; a test belongs to a row if its title contains the row's tag, such as [fault 17]
// or [attack: canary].
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../../vscode/cacheDir';
import type { TestResult } from '../worker/events';

const TABLE_FILE = path.join(repositoryRoot, 'test', 'FAULTS.md');
const TAG_PATTERN = /\[(fault \d+|attack: [^\]]+)\]/g;

interface Row {
  readonly tag: string;
  readonly what: string;
  readonly holds: string;
}

interface FaultTable {
  /** The table as Markdown. */
  readonly table: string;
  /** Rows without a test, tests without a row, and tests that failed or were skipped. */
  readonly problems: readonly string[];
}

/** Creates the table from rows and test results. */
export function createFaultTable(rows: readonly Row[], results: readonly TestResult[]): FaultTable {
  const tests = results.filter(({ state, title }) => state !== 'hook' && findTags(title).length > 0);
  const knownTags = new Set(rows.map(({ tag }) => tag));
  const problems: string[] = [];
  const lines = rows.map(({ tag, what, holds }) => {
    const proofs = tests.filter(({ title }) => findTags(title).includes(tag));
    if (proofs.length === 0) problems.push(`No test has [${tag}] in its title: ${what}.`);
    for (const { title, state } of proofs) {
      if (state !== 'passed') problems.push(`[${tag}] ${state}: ${title}`);
    }
    const isPassed = proofs.length > 0 && proofs.every(({ state }) => state === 'passed');
    return `| ${[tag, what, holds, listTests(proofs), isPassed ? 'passed' : 'failed'].join(' | ')} |`;
  });
  for (const { title } of tests) {
    for (const tag of findTags(title))
      if (!knownTags.has(tag)) problems.push(`There is no row [${tag}]: ${title}`);
  }
  return { table: `${heading}\n${lines.join('\n')}\n`, problems };
}

/** Reads the rows of test/faults.json. */
export function readRows(): readonly Row[] {
  return JSON.parse(readFileSync(path.join(repositoryRoot, 'test', 'faults.json'), 'utf8'));
}

/** Returns the problems of a whole run, including an outdated test/FAULTS.md. */
export function checkFaultTable(results: readonly TestResult[]): readonly string[] {
  const { table, problems } = createFaultTable(readRows(), results);
  const isCurrent = existsSync(TABLE_FILE) && readFileSync(TABLE_FILE, 'utf8') === table;
  return isCurrent ? problems : [...problems, 'test/FAULTS.md is out of date: run `npm run faults`.'];
}

/** Writes test/FAULTS.md; returns the problems. */
export function writeFaultTable(results: readonly TestResult[]): readonly string[] {
  const { table, problems } = createFaultTable(readRows(), results);
  writeFileSync(TABLE_FILE, table);
  return problems;
}

const heading = `# Faults and attacks, and the tests that prove them

Made by \`npm run faults\` from test/faults.json and the titles of the tests; \`npm test\` fails where a row has no test or this table is out of date.

| row | what happens | what the user sees, what stays | tests | result |
|---|---|---|---|---|`;

function findTags(title: string): readonly string[] {
  return [...title.matchAll(TAG_PATTERN)].map(([, tag]) => tag ?? '');
}

/** Lists tests by file in a stable order. */
function listTests(tests: readonly TestResult[]): string {
  const named = tests.map(
    ({ file, title }) => `${file}: ${title.replace(TAG_PATTERN, '').replace(/\s+/g, ' ').trim()}`,
  );
  return [...new Set(named)].sort().join('<br>').replaceAll('|', '\\|');
}
