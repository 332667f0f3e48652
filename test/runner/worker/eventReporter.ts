import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { getSkipReason } from '../../support/skip';
import type { TestEvent, TestResult } from './events';

/** The duration from which hooks are listed among the slow tests, in ms. */
const SLOW_HOOK_MS = 500;
/** Lines of a reason: enough for the differences between two short lists. */
const MAX_REASON_LINES = 20;

/** Creates a mocha reporter that passes each test's start and result to `emit` immediately. */
export function createEventReporter(
  root: string,
  emit: (event: TestEvent) => void,
): Mocha.ReporterConstructor {
  const { constants } = Mocha.Runner;
  return class EventReporter extends Mocha.reporters.Base {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options);
      const begin = (test: Mocha.Runnable) => emit({ type: 'begin', title: getTitle(test) });
      const report = (
        test: Mocha.Runnable,
        state: TestResult['state'],
        failure: Pick<TestResult, 'error' | 'reason'> = {},
      ) =>
        emit({
          type: 'result',
          result: {
            file: findSource(root, test.file ?? test.parent?.file ?? ''),
            title: getTitle(test),
            state,
            durationMs: test.duration ?? 0,
            ...failure,
          },
        });
      runner.on(constants.EVENT_TEST_BEGIN, begin);
      runner.on(constants.EVENT_HOOK_BEGIN, begin);
      runner.on(constants.EVENT_HOOK_END, (hook) => {
        if ((hook.duration ?? 0) >= SLOW_HOOK_MS) report(hook, 'hook');
      });
      runner.on(constants.EVENT_TEST_PASS, (test) => report(test, 'passed'));
      runner.on(constants.EVENT_TEST_PENDING, (test) => {
        const reason = getSkipReason(test);
        report(test, 'skipped', reason === undefined ? {} : { reason });
      });
      runner.on(constants.EVENT_TEST_FAIL, (test, error: unknown) =>
        report(test, 'failed', { error: formatFailure(test), reason: formatReason(error, test.file) }),
      );
    }
  };
}

function getTitle(test: Mocha.Runnable): string {
  return test.titlePath().join(' › ');
}

/** Formats a failure as mocha does. */
function formatFailure(test: Mocha.Runnable): string {
  const { Base } = Mocha.reporters;
  const { consoleLog } = Base;
  const lines: string[] = [];
  Base.consoleLog = (...parts: unknown[]) => lines.push(format(...parts));
  try {
    Base.list([test as Mocha.Test]);
  } finally {
    Base.consoleLog = consoleLog;
  }
  return lines.join('\n').trim();
}

/** Formats the start of an error's message, and the place in the test's file. */
function formatReason(error: unknown, file = ''): string {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const place = stack.split('\n').find((line) => line.includes(path.basename(file)));
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  return [...lines.slice(0, MAX_REASON_LINES), ...(place === undefined ? [] : [place.trim()])].join('\n');
}

/** Maps a bundled test to its source: dist/test/host/x.test.js is test/host/x.test.ts. */
function findSource(root: string, file: string): string {
  const relative = path.relative(root, file).replaceAll(path.sep, '/');
  return relative.replace(/^dist\/(.*)\.js$/, '$1.ts');
}
