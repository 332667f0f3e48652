// Runs the linter and all tests; the last line is `N passed, N failed`.
// Usage: npm test -- [lint | unit | page | host | e2e | a file or folder of test/]… [--grep REGEXP] [--all]
import { endWithParent } from '../vscode/processGroup';
import { parseArguments } from './arguments';
import { chooseLanes, describeMachine, measureMachine } from './machineSpeed';
import { Preparations } from './preparations';
import { checkFaultTable, writeFaultTable } from './results/faultTable';
import {
  formatCounts,
  formatReason,
  formatSeconds,
  formatSlowest,
  formatStage,
  StageReport,
} from './results/report';
import { readResults, saveResults } from './results/resultsFile';
import { sortByDuration } from './results/sortByDuration';
import { useRunFolder } from './runFolder';
import { Scheduler } from './scheduler';

/** How often the running tests are printed, in ms. */
const PROGRESS_INTERVAL_MS = 30_000;

/** Runs the tests selected by the arguments, prints the results, and resolves to the exit code. */
async function main(args: readonly string[]): Promise<number> {
  endWithParent();
  useRunFolder();
  const started = performance.now();
  const { stages, grep, all, isWholeRun, updateFaults } = parseArguments(args);
  if (all) process.env.PARLEY_TEST_ALL = '1';
  const speed = await measureMachine();
  const lanes = Number(process.env.PARLEY_TEST_LANES ?? chooseLanes(speed));
  console.log(describeMachine(speed, lanes, isWholeRun && !all));
  const previous = readResults();
  const reports = stages.map((stage) => new StageReport(sortByDuration(stage, previous)));
  const progress = setInterval(() => {
    for (const { stage, running } of reports) if (running !== '') console.log(`… ${stage.name}: ${running}`);
  }, PROGRESS_INTERVAL_MS);
  const scheduler = new Scheduler(reports, new Preparations(), grep);
  await scheduler.run(lanes);
  clearInterval(progress);

  const results = reports.flatMap((report) => report.results);
  if (process.env.PARLEY_TEST_RESULTS) saveResults(results, process.env.PARLEY_TEST_RESULTS);
  if (isWholeRun && !all) saveResults(results);
  const failures = results.filter(({ state }) => state === 'failed');
  console.log(`\n${formatSlowest(reports)}\n`);
  if (failures.length > 0) {
    console.log(`Failed:\n${failures.map(formatReason).join('\n')}\n`);
  }
  for (const report of reports) console.log(formatStage(report));
  console.log(`${reports.length} stages in ${formatSeconds(performance.now() - started)}`);

  const problems = checkFaults();
  for (const problem of problems) console.log(`✖ ${problem}`);
  console.log(formatCounts(reports, problems.length));
  const passed = results.some(({ state }) => state === 'passed');
  return failures.length > 0 || problems.length > 0 || !passed ? 1 : 0;

  function checkFaults(): readonly string[] {
    if (updateFaults) return writeFaultTable(results);
    // The table can only be checked after a whole run without failures.
    return isWholeRun && !all && failures.length === 0 ? checkFaultTable(results) : [];
  }
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: Error) => {
    console.error(`${error.message}\n0 passed, 1 failed`);
    process.exitCode = 1;
  },
);
