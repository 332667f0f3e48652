// What runs in the page of test/e2e/browserStorage.test.ts.
import { crashProperties } from '../../../chat/store/support/crashProperties';
import type { CrashFixture } from '../../../chat/store/support/crashWindow';
import { type Gate, SharedLocks, VSCodeStorage } from '../../../chat/store/support/vscodeFiles';
import { BrowserWindow, type FailureKind } from './browserWindow';
import type { VSCodeModule } from './vscodeModule';

declare const vscodeModule: VSCodeModule;

const FAILURES: readonly FailureKind[] = ['aborted', 'quota', 'closed'];

let databases = 0;

/** Creates windows of VS Code for the Web with a database of their own. */
async function createFixture(): Promise<CrashFixture> {
  const name = `case-${databases++}`;
  const locks = new SharedLocks();
  const windows: BrowserWindow[] = [];
  let failures = 0;
  return {
    open(gate: Gate) {
      const window = new BrowserWindow(
        vscodeModule,
        name,
        gate,
        () => FAILURES[failures++ % FAILURES.length] as FailureKind,
      );
      windows.push(window);
      return {
        storage: new VSCodeStorage('IndexedDB', window, locks, window),
        run: (work) => work(),
        end: () => locks.endWindow(window),
        isLost: () => window.isClosed,
      };
    },
    async close() {
      await Promise.all(windows.map((window) => window.close()));
      await new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = resolve;
        request.onerror = () => reject(request.error);
      });
    },
  };
}

/** Checks one of the promises that every storage keeps. */
export async function checkProperty(
  title: keyof typeof crashProperties,
  options: { readonly numRuns: number; readonly seed: number },
): Promise<void> {
  try {
    await crashProperties[title](createFixture, options);
  } catch (error) {
    // Only the message and the stack arrive in Node.
    const { message, cause } = error as Error;
    throw new Error(cause instanceof Error ? `${message}\nCause: ${cause.stack}` : message);
  }
}
