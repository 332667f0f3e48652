// A process that runs test files one after another on the runner's request. What the files share (a browser,
// a VS Code) exists as long as the process.
import Mocha from 'mocha';
import { endProcess } from '../../support/processEnd';
import { setFailedHook } from '../../support/testFailure';
import { TEST_LIMIT_MS } from '../../support/testLimit';
import { repositoryRoot } from '../../vscode/cacheDir';
import { createEventReporter } from './eventReporter';
import type { TestEvent } from './events';
import { failOnLeaks, mochaHooks } from './mochaHooks';

/** A message from the runner to a worker; a worker replies with events. */
export type WorkerMessage =
  | { readonly type: 'run'; readonly file: string; readonly grep?: string }
  | { readonly type: 'end' };

// The rejection fails the running test; Mocha only passes it on.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

process.on('message', async (message: WorkerMessage) => {
  if (message.type === 'run') {
    await run(message);
    emit({ type: 'fileDone' });
    return;
  }
  await endProcess();
  process.disconnect();
  failOnLeaks();
});

async function run({ file, grep }: WorkerMessage & { type: 'run' }): Promise<void> {
  const mocha = new Mocha({
    timeout: TEST_LIMIT_MS,
    color: false,
    forbidOnly: true,
    reporter: createEventReporter(repositoryRoot, emit),
    ...(grep === undefined ? {} : { grep }),
  });
  mocha.rootHooks(mochaHooks);
  mocha.addFile(file);
  emit({ type: 'begin', title: `Loading ${file}` });
  try {
    await mocha.loadFilesAsync();
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const title = `Loading ${file}`;
    emit({ type: 'result', result: { file, title, state: 'failed', durationMs: 0, error: text } });
    return;
  }
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => {
      // Its listeners on the process would answer each other for the next files.
      runner.dispose();
      resolve();
    });
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test: Mocha.Runnable) => {
      if (test instanceof Mocha.Hook) setFailedHook(test.fullTitle());
    });
  });
}

function emit(event: TestEvent): void {
  process.send?.(event);
}
