import { readdirSync } from 'node:fs';
import path from 'node:path';
import { npmCommand } from '../../scripts/run.mjs';
import { repositoryRoot } from '../vscode/cacheDir';
import { prefersDesktop } from '../vscode/testExecutable';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly shell?: boolean;
}

/** Something that is made before a stage begins. */
export type Need = 'chromium' | 'vscode' | 'oldestVSCode' | 'package' | 'build';

interface StageBase {
  readonly name: string;
  readonly needs: readonly Need[];
}

/** One command with one result: it passes with exit code 0. */
export interface CheckStage extends StageBase {
  readonly kind: 'check';
  readonly run: Command;
}

/** One command that runs tests inside a VS Code, and writes their events to the file that `PARLEY_TEST_EVENTS` names. */
export interface VSCodeStage extends StageBase {
  readonly kind: 'vscode';
  readonly run: Command;
}

/** Test files for the runner's own processes. */
export interface FileStage extends StageBase {
  readonly kind: 'files';
  readonly files: readonly string[];
  /** How long a test may take unless it says otherwise. Generous: a slow machine is no failure. */
  readonly timeoutMs: number;
  /** Environment of the tests' processes, on top of the runner's. */
  readonly env?: Readonly<Record<string, string>>;
}

export type Stage = CheckStage | VSCodeStage | FileStage;

/** Folders of test/ that no plain Node process runs: each has a stage of its own, or none (bench). */
const SPECIAL_FOLDERS = ['host', 'webview', 'e2e', 'bench'];

/** The main job, which the oldest VS Code is tried with. */
const MAIN_JOB_TESTS = ['chat', 'keyboardOnly', 'upload', 'windows'].map(
  (name) => `test/e2e/${name}.test.ts`,
);

/** What `npm test` consists of, or `npm run test:all`, in the order in which stages begin where nothing holds them back. */
export function listStages(all: boolean): readonly Stage[] {
  return all ? [...usualStages(), oldestVSCodeStage] : usualStages();
}

const oldestVSCodeStage: FileStage = {
  name: 'oldest',
  kind: 'files',
  files: MAIN_JOB_TESTS,
  timeoutMs: 120_000,
  needs: ['chromium', 'package', 'oldestVSCode'],
  // Once in each place is enough.
  env: { PARLEY_VSCODE_RELEASE: 'oldest', PARLEY_TEST_ALL: '' },
};

function usualStages(): readonly Stage[] {
  return [
    { name: 'lint', kind: 'check', run: npmCommand(['run', '--silent', 'lint']), needs: [] },
    {
      name: 'e2e',
      kind: 'files',
      files: findTestFiles('e2e'),
      timeoutMs: 120_000,
      needs: ['chromium', 'package', 'vscode'],
    },
    { name: 'unit', kind: 'files', files: findUnitTests(), timeoutMs: 60_000, needs: [] },
    {
      name: 'host',
      kind: 'vscode',
      run: { command: process.execPath, args: ['--import', 'tsx', 'test/vscode/hostTests.ts'] },
      needs: prefersDesktop() ? ['build'] : ['chromium', 'vscode', 'build'],
    },
    {
      name: 'page',
      kind: 'files',
      files: findTestFiles('webview'),
      timeoutMs: 60_000,
      needs: ['chromium', 'build'],
    },
  ];
}

function findUnitTests(): readonly string[] {
  return findTestFiles('').filter((file) => !SPECIAL_FOLDERS.includes(file.split('/')[1] ?? ''));
}

/** The test files below a folder of test/, from the repository's root, with `/`. */
function findTestFiles(folder: string): readonly string[] {
  const names = readdirSync(path.join(repositoryRoot, 'test', folder), {
    recursive: true,
    encoding: 'utf8',
  });
  return names
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.split(path.sep).includes('node_modules'))
    .map((name) => path.posix.join('test', folder, name.replaceAll(path.sep, '/')))
    .sort();
}
