import type { Page } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil';

/*
 * The files of `vscode-userdata:` as VS Code for the Web has them in the browser's database (1.137,
 * src/vs/workbench/browser/web.main.ts and src/vs/platform/files/browser/indexedDBFileSystemProvider.ts).
 */

/** The folder of Parley's storage. */
const PARLEY_FOLDER = '/User/globalStorage/parley.parley/';

/** A turn in a conversation's file, as far as the tests read it. */
interface StoredTurn {
  readonly id: string;
  readonly kind?: string;
  readonly text?: string;
  readonly ending?: string;
}

/** Writes files before VS Code opens for the first time, from any page of its origin. */
export async function writeUserData(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(writeInPage, files);
}

/** Returns Parley's files by name, as they are in the database. */
export async function readParleyFiles(page: Page): Promise<Readonly<Record<string, string>>> {
  return await page.evaluate(readInPage, PARLEY_FOLDER);
}

/** Waits until one of Parley's files contains this text, which must not need escaping in JSON. */
export async function waitUntilStored(page: Page, text: string): Promise<void> {
  await waitUntil(`${text} is in the browser's database`, async () =>
    Object.values(await readParleyFiles(page)).some((content) => content.includes(text)),
  );
}

/**
 * Waits until the last reply in the conversation with this message is in the browser's database with its ending, which the
 * page shows before.
 */
export async function waitUntilEndingStored(page: Page, message: string): Promise<void> {
  await waitUntil(`the ending in the conversation with ${message} is in the browser's database`, async () => {
    const files = Object.entries(await readParleyFiles(page)).filter(([name]) => name.endsWith('.jsonl'));
    const turns = files
      .map(([, text]) => readTurns(text))
      .find((all) => all.some(({ kind, text }) => kind === 'message' && text === message));
    return turns?.findLast(({ kind }) => kind === 'reply')?.ending !== undefined;
  });
}

/**
 * Makes the browser refuse to put Parley's files as it does when it has no room, in the window of this page; resolves to a
 * function that ends it.
 */
export async function refuseParleyFiles(page: Page): Promise<() => Promise<void>> {
  await page.evaluate((folder) => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (value, key) {
      if (String(key).startsWith(folder)) throw new DOMException('No room', 'QuotaExceededError');
      return put.call(this, value, key);
    };
    Object.assign(globalThis, {
      makeRoom: () => {
        IDBObjectStore.prototype.put = put;
      },
    });
  }, PARLEY_FOLDER);
  return () => page.evaluate('makeRoom()');
}

/** Returns the turns in a conversation's file, in their order; later lines replace earlier ones. */
function readTurns(file: string): StoredTurn[] {
  const turns = new Map<string, StoredTurn>();
  for (const line of file.split('\n').filter((text) => text !== '')) {
    const { turn } = JSON.parse(line) as { readonly turn?: StoredTurn };
    if (turn) turns.set(turn.id, turn);
  }
  return [...turns.values()];
}

async function writeInPage(files: Readonly<Record<string, string>>): Promise<void> {
  const opening = indexedDB.open('vscode-web-db', 3);
  await new Promise((resolve, reject) => {
    opening.onupgradeneeded = () => {
      for (const store of ['vscode-userdata-store', 'vscode-logs-store', 'vscode-filehandles-store'])
        opening.result.createObjectStore(store);
    };
    opening.onsuccess = resolve;
    opening.onerror = () => reject(opening.error);
  });
  const transaction = opening.result.transaction('vscode-userdata-store', 'readwrite');
  for (const [name, text] of Object.entries(files))
    transaction.objectStore('vscode-userdata-store').put(new TextEncoder().encode(text), name);
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  opening.result.close();
}

async function readInPage(folder: string): Promise<Record<string, string>> {
  const settle = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await settle(indexedDB.open('vscode-web-db'));
  try {
    const store = database.transaction('vscode-userdata-store').objectStore('vscode-userdata-store');
    const range = IDBKeyRange.bound(folder, `${folder}\uffff`);
    const [names, contents] = await Promise.all([
      settle(store.getAllKeys(range)),
      settle(store.getAll(range)),
    ]);
    return Object.fromEntries(
      names.map((name, index) => [
        String(name).slice(folder.length),
        new TextDecoder().decode(contents[index]),
      ]),
    );
  } finally {
    database.close();
  }
}
