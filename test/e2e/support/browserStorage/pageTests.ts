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
  // In a folder that was empty when a window opened, the window has no file to notice with that the database is closed.
  const first = new BrowserWindow(
    vscodeModule,
    name,
    async () => undefined,
    () => 'closed',
  );
  await first.writeFile('index.json', new Uint8Array(1));
  await first.close();
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

/**
 * Returns what a window does about a file that another window has created, once the browser has closed the first one's
 * database: `undefined` where it says that there is no such file.
 */
export async function useClosedDatabase(): Promise<Readonly<Record<string, string | undefined>>> {
  const fixture = await createFixture();
  let isClosed = false;
  const { storage } = fixture.open(async () => {
    if (isClosed) throw new Error('closed');
  });
  try {
    await storage.listNames();
    const other = fixture.open(async () => undefined).storage;
    await other.replaceFile('a.queue', new Uint8Array(1));
    isClosed = true;
    const find = async (result: Promise<unknown>) => {
      try {
        return (await result) === true ? 'done' : undefined;
      } catch {
        return 'fails';
      }
    };
    return {
      read: await find(storage.readFile('a.queue')),
      stat: await find(storage.statFile('a.queue')),
      rename: await find(storage.renameFile('a.queue', 'b.queue')),
      remove: await find(storage.removeFile('a.queue')),
      create: await find(storage.createFile('a.queue', new Uint8Array(2))),
    };
  } finally {
    await fixture.close();
  }
}
