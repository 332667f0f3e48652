// What `npm test` consists of: each stage is a command, what must be there before it, and how long it may take at most.
import path from 'node:path';
import { npmCommand } from './npm.mjs';

const mochaScript = path.join('node_modules', 'mocha', 'bin', 'mocha.js');
const reporter = path.join('scripts', 'mochaReporter.cjs');

/** Test folders that aren't plain Node: each has a stage of its own, or (bench) none. */
const elsewhere = ['host', 'webview', 'e2e', 'bench'];

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {{ command: string, args: string[], shell?: boolean }} run
 * @property {boolean} counts whether it reports how many tests passed; else it is a single check
 * @property {string[]} needs names of what is prepared before it
 * @property {number} minutes its limit
 */

/**
 * @param {string} folder the one folder of test/ that the unit stage is narrowed to, such as `client/`, or '' for all
 * @param {string[]} mochaArgs more arguments for mocha, such as --grep
 * @returns {Stage[]} in the order in which they start where nothing holds them back
 */
export function stages(folder, mochaArgs) {
  const mocha = (...args) => ({
    command: process.execPath,
    args: [mochaScript, '--forbid-only', '--reporter', reporter, ...args, ...mochaArgs],
  });
  return [
    { name: 'lint', run: npmCommand(['run', '--silent', 'lint']), counts: false, needs: [], minutes: 5 },
    // The longest begins early, so that it isn't what everyone waits for.
    {
      name: 'e2e',
      run: mocha('test/e2e/**/*.test.ts'),
      counts: true,
      needs: ['chromium', 'package', 'vscode'],
      minutes: 40,
    },
    {
      name: 'unit',
      run: mocha(
        ...elsewhere.flatMap((name) => ['--ignore', `test/${name}/**`]),
        `test/${folder}**/*.test.{ts,tsx}`,
      ),
      counts: true,
      needs: [],
      minutes: 10,
    },
    {
      name: 'page',
      run: mocha('test/webview/**/*.test.{ts,tsx}'),
      counts: true,
      needs: ['chromium', 'build'],
      minutes: 10,
    },
    {
      name: 'host',
      run: { command: process.execPath, args: ['--import', 'tsx', 'test/vscode/hostTests.ts'] },
      counts: true,
      needs: ['chromium', 'build'],
      minutes: 8,
    },
  ];
}
