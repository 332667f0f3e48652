import type { Page } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil';

/**
 * Waits until the browser has stored a text among what VS Code keeps of its windows: which tabs are open, and what extensions put
 * into `workspaceState`. VS Code writes that some seconds later, and a page that goes away earlier loses it.
 */
export async function waitUntilStateStored(page: Page, text: string): Promise<void> {
  await waitUntil(`VS Code has stored ${text}`, () => page.evaluate(findInStorage, text));
}

/** Runs in the page. */
async function findInStorage(text: string): Promise<boolean> {
  const settle = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await settle(indexedDB.open(name));
    try {
      const values = await settle(database.transaction('ItemTable').objectStore('ItemTable').getAll());
      if (values.some((value) => String(value).includes(text))) return true;
    } finally {
      database.close();
    }
  }
  return false;
}
