// Runs everything that can show a fault, from a fresh clone on; the last line is `N passed, N failed`.
// Usage: node scripts/test.mjs [lint | unit | page | host | e2e | a folder of test/]… [arguments for mocha, such as --grep X]
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkFaultTable } from './faultTable.mjs';
import { ensureInstalled } from './install.mjs';
import { packageExtension } from './package.mjs';
import { stages } from './stages.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const results = path.join(root, '.vscode-test', 'results');
/** As many stages as this at a time: they are measured to stay reliable on two cores. */
const lanes = 2;

process.chdir(root);
try {
  await ensureInstalled();
} catch (error) {
  console.error(`${error.message}\n0 passed, 1 failed`);
  process.exit(1);
}
const { require } = await import('tsx/cjs/api');
const { endWithParent, spawnGroup } = require('../test/vscode/processGroup.ts', import.meta.url);
const { findChromium } = require('../test/vscode/chromium.ts', import.meta.url);
const { installBrowserVSCode } = require('../test/vscode/browserInstall.ts', import.meta.url);

endWithParent();
const env = { ...process.env };

/** What stages need, each made once, when first asked for. A stage whose need fails has failed. */
const preparations = {
  chromium: once(async () => {
    env.PARLEY_CHROMIUM = await findChromium();
  }),
  vscode: once(installBrowserVSCode),
  package: once(async () => {
    env.PARLEY_VSIX = await packageExtension();
  }),
  // Both builds write to dist, so one waits for the other.
  build: once(async () => {
    await preparations.package();
    await build();
  }),
};

const { names, mochaArgs } = readArguments(process.argv.slice(2));
const chosen = selectStages();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const started = performance.now();
const totals = { passed: 0, failed: 0, skipped: 0 };
const queue = chosen.values();
await Promise.all(Array.from({ length: lanes }, worker));
// Only all tests, and none of them failed, say whether the table is right.
if (names.length === 0 && mochaArgs.length === 0 && totals.failed === 0) {
  const problems = checkFaultTable(results);
  totals.failed += problems.length;
  for (const problem of problems) console.log(`✖ ${problem}`);
}
console.log(`\n${chosen.length} stages in ${seconds(started)}`);
console.log(
  `${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
);
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;

async function worker() {
  for (const stage of queue) {
    const begun = performance.now();
    const { passed, failed, skipped, output } = await runStage(stage);
    totals.passed += passed;
    totals.failed += failed;
    totals.skipped += skipped;
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    console.log(`${failed > 0 ? '✖' : '✔'} ${stage.name.padEnd(5)} ${counts}  (${seconds(begun)})`);
    if (failed > 0) console.log(output);
  }
}

/** Runs a stage to its counts; where it crashes, hangs or runs nothing, that counts as one failure more. */
async function runStage({ name, run, counts, needs, minutes }) {
  const resultFile = path.join(results, `${name}.json`);
  const reportFile = path.join(results, `${name}.txt`);
  let output = '';
  try {
    for (const need of needs) await preparations[need]();
    const group = spawnGroup(run.command, run.args, {
      cwd: root,
      shell: run.shell ?? false,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, PARLEY_TEST_RESULTS: resultFile, PARLEY_TEST_REPORT: reportFile },
    });
    group.child.stdout.on('data', (data) => {
      output += data;
    });
    group.child.stderr.on('data', (data) => {
      output += data;
    });
    const limit = setTimeout(() => {
      output += `\nStopped: ${name} was still running after ${minutes} minutes.\n`;
      void group.stop();
    }, minutes * 60_000);
    const code = await group.ended;
    clearTimeout(limit);
    if (!counts) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, output };
    // Inside VS Code the tests' report is in a file, since the console has VS Code's own log.
    if (existsSync(resultFile) && existsSync(reportFile)) output = readFileSync(reportFile, 'utf8');
    const { passed, failed, skipped } = existsSync(resultFile)
      ? JSON.parse(readFileSync(resultFile, 'utf8'))
      : { passed: 0, failed: 0, skipped: 0 };
    const broken = failed === 0 && (code !== 0 || passed === 0);
    if (broken) output += `\n${name} ended with code ${code} after ${passed} tests that passed.\n`;
    return { passed, failed: failed + (broken ? 1 : 0), skipped, output };
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, output: `${output}${error.message}` };
  }
}

async function build() {
  let output = '';
  const { child, ended } = spawnGroup(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'pipe' });
  child.stderr.on('data', (data) => {
    output += data;
  });
  if ((await ended) !== 0) throw new Error(`The build failed:\n${output}`);
}

function once(make) {
  let made;
  return () => {
    made ??= make();
    return made;
  };
}

/** Names come first; all from the first option on is mocha's. npm eats one `--`, people may type another. */
function readArguments(args) {
  const wanted = args.filter((arg) => arg !== '--');
  const first = wanted.findIndex((arg) => arg.startsWith('-'));
  return first < 0
    ? { names: wanted, mochaArgs: [] }
    : { names: wanted.slice(0, first), mochaArgs: wanted.slice(first) };
}

function selectStages() {
  const grep = mochaArgs.indexOf('--grep');
  if (grep >= 0) env.PARLEY_TEST_GREP = mochaArgs[grep + 1];
  if (names.length === 0) return stages('', mochaArgs);
  return names.flatMap((name) => {
    const known = stages('', mochaArgs).find(
      (stage) => stage.name === name || (name === 'webview' && stage.name === 'page'),
    );
    if (known) return [known];
    if (!existsSync(path.join('test', name))) {
      console.error(`There is no stage and no folder of test/ called ${name}.`);
      process.exit(1);
    }
    return stages(`${name}/`, mochaArgs).filter((stage) => stage.name === 'unit');
  });
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
