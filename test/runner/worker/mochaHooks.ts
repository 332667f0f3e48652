import fc from 'fast-check';
import { endProcess } from '../../support/processEnd';
import { collectFailure } from '../../support/testFailure';
import { describeOpenTimers } from './openTimers';

// fast-check's arrays and texts have at most ten parts otherwise, whatever `maxLength` says.
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });

/** Hooks around every test, in the runner's processes and in plain mocha (`.mocharc.json`). */
export const mochaHooks = {
  async afterEach(this: Mocha.Context): Promise<void> {
    const test = this.currentTest;
    if (test?.state === 'failed') await collectFailure(test.fullTitle());
  },
};

/** Ends plain mocha's process: closes what tests shared, and fails if something is left open. */
export async function mochaGlobalTeardown(): Promise<void> {
  await endProcess();
  failOnLeaks();
}

/** Fails if a test left a socket or a timer open. Mocha doesn't end such a process and would wait forever. */
export function failOnLeaks(): void {
  const fail = async () => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`The tests are over, but something they opened keeps the process running: ${open}`);
    // Mocha sets the exit code to its number of failures at the end; a later listener overrides it.
    process.once('exit', () => {
      process.exitCode = 1;
    });
    console.error((await describeOpenTimers()).join('\n'));
    process.exit(1);
  };
  setTimeout(() => void fail(), 10_000).unref();
}
