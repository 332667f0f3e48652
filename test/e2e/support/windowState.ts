import type { BrowserContext, Page } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil';
import { VSCODE_HOST } from './browser';
import { waitForConversationId } from './savedConversations';
import type { Workbench } from './workbench';

/**
 * The keys under which VS Code stores the state of a window: its open tabs, and Parley's `workspaceState`.
 */
type StateKey = 'memento/workbench.parts.editor' | 'parley.parley';

/**
 * Waits until the browser has stored a text in VS Code's window state. VS Code writes it some seconds later,
 * and a page that closes earlier loses it.
 */
export async function waitUntilStateStored(page: Page, key: StateKey, text: string): Promise<void> {
  await waitUntil(`VS Code has stored ${text} in ${key}`, () => page.evaluate(findInStorage, { key, text }));
}

/** Reloads the window once VS Code has stored that it shows the conversation with this message. */
export async function reloadShowing(workbench: Workbench, message: string): Promise<void> {
  const id = await waitForConversationId(workbench, message);
  await waitUntilStateStored(workbench.page, 'parley.parley', id);
  await workbench.reload();
}

/** Removes what Parley mirrors from VS Code's state, while no window is open. */
export async function forgetMirror(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  const url = `http://${VSCODE_HOST}/empty`;
  await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(url);
  await page.evaluate(removeMirror);
  await page.close();
}

/** Runs in the page. */
async function removeMirror(): Promise<void> {
  const settle = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await settle(indexedDB.open(name));
    const items = () => database.transaction('ItemTable', 'readwrite').objectStore('ItemTable');
    const state = await settle(items().get('parley.parley'));
    if (typeof state === 'string') {
      const { 'parley.mirror.synced': _, 'parley.mirror.local': __, ...others } = JSON.parse(state);
      await settle(items().put(JSON.stringify(others), 'parley.parley'));
    }
    database.close();
  }
}

/** Runs in the page. */
async function findInStorage({ key, text }: { key: string; text: string }): Promise<boolean> {
  const settle = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-')) continue;
    const database = await settle(indexedDB.open(name));
    try {
      const value = await settle(database.transaction('ItemTable').objectStore('ItemTable').get(key));
      if (String(value).includes(text)) return true;
    } finally {
      database.close();
    }
  }
  return false;
}
