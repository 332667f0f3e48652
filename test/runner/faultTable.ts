// The faults and attacks that Parley survives, each beside the tests that prove it: test/FAULTS.md, made of the rows in
// test/faults.json and of the tests whose titles carry a row's name in brackets, such as [fault 17] or [attack: canary].
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../vscode/cacheDir';
import type { TestResult } from './events';

const tableFile = path.join(repositoryRoot, 'test', 'FAULTS.md');
const tagPattern = /\[(fault \d+|attack: [^\]]+)\]/g;

interface Row {
  readonly tag: string;
  readonly what: string;
  readonly holds: string;
}

interface FaultTable {
  /** As Markdown. */
  readonly table: string;
  /** Rows without a test, tests of no row, tests that failed or were skipped. */
  readonly problems: readonly string[];
}

/** Holds rows and tests side by side. */
export function createFaultTable(rows: readonly Row[], results: readonly TestResult[]): FaultTable {
  const tests = results.filter(({ state, title }) => state !== 'hook' && findTags(title).length > 0);
  const known = new Set(rows.map(({ tag }) => tag));
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
      if (!known.has(tag)) problems.push(`There is no row [${tag}]: ${title}`);
  }
  return { table: `${heading}\n${lines.join('\n')}\n`, problems };
}

/** The rows of test/faults.json. */
export function readRows(): readonly Row[] {
  return JSON.parse(readFileSync(path.join(repositoryRoot, 'test', 'faults.json'), 'utf8'));
}

/** The problems of a whole run, an outdated test/FAULTS.md among them. */
export function checkFaultTable(results: readonly TestResult[]): readonly string[] {
  const { table, problems } = createFaultTable(readRows(), results);
  const isCurrent = existsSync(tableFile) && readFileSync(tableFile, 'utf8') === table;
  return isCurrent ? problems : [...problems, 'test/FAULTS.md is out of date: run `npm run faults`.'];
}

/** Writes test/FAULTS.md; returns the problems. */
export function writeFaultTable(results: readonly TestResult[]): readonly string[] {
  const { table, problems } = createFaultTable(readRows(), results);
  writeFileSync(tableFile, table);
  return problems;
}

const heading = `# Faults and attacks, and the tests that prove them

Made by \`npm run faults\` from test/faults.json and the titles of the tests; \`npm test\` fails where a row has no test or this table is out of date.

| row | what happens | what a person sees, what stays | tests | result |
|---|---|---|---|---|`;

function findTags(title: string): readonly string[] {
  return [...title.matchAll(tagPattern)].map(([, tag]) => tag ?? '');
}

/** Tests by file, in an order that no run changes. */
function listTests(tests: readonly TestResult[]): string {
  const named = tests.map(
    ({ file, title }) => `${file}: ${title.replace(tagPattern, '').replace(/\s+/g, ' ').trim()}`,
  );
  return [...new Set(named)].sort().join('<br>').replaceAll('|', '\\|');
}
