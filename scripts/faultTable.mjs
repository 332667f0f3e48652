// The faults and attacks that Parley survives, each beside the tests that prove it: test/FAULTS.md, made of the rows in test/faults.json
// and of the tests whose titles carry a row's name in brackets, such as [fault 17] or [attack: canary].
// Usage: npm run faults (runs those tests, then writes the table). A whole `npm test` checks it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const tableFile = path.join(root, 'test', 'FAULTS.md');
const tagPattern = /\[(fault \d+|attack: [^\]]+)\]/g;

/**
 * Holds rows and tests side by side.
 * @param {string} results the folder into which scripts/mochaReporter.cjs wrote
 * @returns {{ table: string, problems: string[] }} rows without a test, tests of no row, tests that failed
 */
export function faultTable(results) {
  const rows = JSON.parse(readFileSync(path.join(root, 'test', 'faults.json'), 'utf8'));
  const tests = readdirSync(results)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => JSON.parse(readFileSync(path.join(results, name), 'utf8')).tagged ?? []);
  const known = new Set(rows.map(({ tag }) => tag));
  const problems = [];
  const lines = rows.map(({ tag, what, holds }) => {
    const proofs = tests.filter(({ title }) => tagsOf(title).includes(tag));
    if (proofs.length === 0) problems.push(`No test has [${tag}] in its title: ${what}.`);
    for (const { title, state } of proofs) {
      if (state !== 'passed') problems.push(`[${tag}] ${state}: ${title}`);
    }
    const isPassed = proofs.length > 0 && proofs.every(({ state }) => state === 'passed');
    return `| ${[tag, what, holds, listed(proofs), isPassed ? 'passed' : 'failed'].join(' | ')} |`;
  });
  for (const { title } of tests) {
    for (const tag of tagsOf(title)) if (!known.has(tag)) problems.push(`There is no row [${tag}]: ${title}`);
  }
  return { table: `${heading}\n${lines.join('\n')}\n`, problems };
}

/** The problems of a run of all tests, the table's being out of date among them; then it has been written anew. */
export function checkFaultTable(results) {
  const { table, problems } = faultTable(results);
  if (existsSync(tableFile) && readFileSync(tableFile, 'utf8') === table) return problems;
  writeFileSync(tableFile, table);
  return [...problems, 'test/FAULTS.md was out of date; it has been written anew.'];
}

const heading = `# Faults and attacks, and the tests that prove them

Made by \`npm run faults\` from test/faults.json and the titles of the tests; \`npm test\` fails where a row has no test or this table is out of date.

| row | what happens | what a person sees, what stays | tests | result |
|---|---|---|---|---|`;

function tagsOf(title) {
  return [...title.matchAll(tagPattern)].map(([, tag]) => tag);
}

/** Tests by file, in an order that no run changes. */
function listed(tests) {
  const named = tests.map(
    ({ file, title }) => `${file}: ${title.replace(tagPattern, '').replace(/\s+/g, ' ').trim()}`,
  );
  return [...new Set(named)].toSorted().join('<br>').replaceAll('|', '\\|');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { table, problems } = faultTable(path.join(root, '.vscode-test', 'results'));
  writeFileSync(tableFile, table);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
