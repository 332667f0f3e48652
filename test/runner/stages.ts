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

/** What has to be created before a stage starts. */
export type Need = 'chromium' | 'vscode' | 'oldestVSCode' | 'package' | 'build';

interface StageBase {
  readonly name: string;
  readonly needs: readonly Need[];
}

/** A single command that passes with exit code 0. */
export interface CheckStage extends StageBase {
  readonly kind: 'check';
  readonly run: Command;
}

/** A command that runs tests inside VS Code and writes their events to the file in `PARLEY_TEST_EVENTS`. */
export interface VSCodeStage extends StageBase {
  readonly kind: 'vscode';
  readonly run: Command;
  /** The files and folders of test/ to which the run is limited. */
  readonly only?: readonly string[];
}

/** Test files that run in the runner's own processes. */
export interface FileStage extends StageBase {
  readonly kind: 'files';
  readonly files: readonly string[];
  /** The environment of the tests' processes, merged over the runner's. */
  readonly env?: Readonly<Record<string, string>>;
}

export type Stage = CheckStage | VSCodeStage | FileStage;

/** The folders of test/ that a plain Node process can't run: each has its own stage, or none (bench). */
const SPECIAL_FOLDERS = ['host', 'webview', 'e2e', 'bench'];

/** The main job, which is tested with the oldest VS Code. */
const MAIN_JOB_TESTS = ['chat', 'keyboardOnly', 'upload', 'windows'].map(
  (name) => `test/e2e/${name}.test.ts`,
);

/** Lists the stages of `npm test` or `npm run test:all`, in the order in which they start. */
export function listStages(all: boolean): readonly Stage[] {
  return all ? [...listUsualStages(), OLDEST_VSCODE_STAGE] : listUsualStages();
}

const OLDEST_VSCODE_STAGE: FileStage = {
  name: 'oldest',
  kind: 'files',
  files: MAIN_JOB_TESTS,
  needs: ['chromium', 'package', 'oldestVSCode'],
  // A single repetition is enough.
  env: { PARLEY_VSCODE_RELEASE: 'oldest', PARLEY_TEST_ALL: '' },
};

function listUsualStages(): readonly Stage[] {
  return [
    { name: 'lint', kind: 'check', run: npmCommand(['run', '--silent', 'lint']), needs: [] },
    {
      name: 'e2e',
      kind: 'files',
      files: findTestFiles('e2e'),
      needs: ['chromium', 'package', 'vscode'],
    },
    { name: 'unit', kind: 'files', files: findUnitTests(), needs: [] },
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
      needs: ['chromium', 'build'],
    },
  ];
}

function findUnitTests(): readonly string[] {
  return findTestFiles('').filter((file) => !SPECIAL_FOLDERS.includes(file.split('/')[1] ?? ''));
}

/** Finds the test files below a folder of test/, relative to the repository's root, with `/`. */
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
