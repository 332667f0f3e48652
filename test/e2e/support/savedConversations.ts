import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Conversation } from '../../../src/chat/model/conversation';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { waitUntil } from '../../support/waitUntil';
import type { Workbench } from './workbench';

/** Where Parley keeps its files. */
export function storageFolder({ userDataDir }: Pick<Workbench, 'userDataDir'>): string {
  return path.join(userDataDir, 'User', 'globalStorage', 'parley.parley');
}

/** What is on the disk now, read as one more window would. */
export async function savedConversations(workbench: Pick<Workbench, 'userDataDir'>): Promise<Conversation[]> {
  const errors: unknown[] = [];
  const storage = new NodeStorage(path.join(storageFolder(workbench), 'conversations'));
  const store = new ConversationStore(storage, 'a test', (error) => errors.push(error));
  const found: Conversation[] = [];
  for await (const conversation of store.scan()) found.push(conversation);
  await store.dispose();
  if (errors.length > 0) throw new AggregateError(errors, 'The conversations could not be read');
  return found;
}

/** What was said in the conversation in which this was: each message and reply, in order, and how each reply ended. */
export async function savedTexts(
  workbench: Pick<Workbench, 'userDataDir'>,
  message: string,
): Promise<{ readonly text: string; readonly ending?: string }[] | undefined> {
  const found = findConversation(await savedConversations(workbench), message);
  return found?.turns.flatMap((turn) =>
    turn.kind === 'document'
      ? []
      : [{ text: turn.text, ...(turn.kind === 'reply' && turn.ending && { ending: turn.ending }) }],
  );
}

/** Waits until a file of Parley's storage has this text, which JSON must not escape. */
export async function waitUntilSaved(workbench: Pick<Workbench, 'userDataDir'>, text: string): Promise<void> {
  const folder = storageFolder(workbench);
  await waitUntil(`${text} is on the disk`, async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      // What is still being written stands in a temporary file.
      if (!entry.isFile() || entry.name.endsWith('.tmp')) continue;
      const content = await readFile(path.join(entry.parentPath, entry.name), 'utf8').catch(ignoreMissing);
      if (content?.includes(text)) return true;
    }
    return false;
  });
}

/** Waits until each reply in the conversation in which this was said has its ending on the disk; resolves to its id. */
export async function waitUntilEndingsSaved(
  workbench: Pick<Workbench, 'userDataDir'>,
  message: string,
): Promise<string> {
  return await waitUntil('every ending is on the disk', async () => {
    const found = findConversation(await savedConversations(workbench), message);
    const hasEndings = found?.turns.every((turn) => turn.kind !== 'reply' || turn.ending !== undefined);
    return hasEndings ? found?.id : undefined;
  });
}

/** Waits until the conversation in which this was said is on the disk; resolves to its id. */
export async function findConversationId(
  workbench: Pick<Workbench, 'userDataDir'>,
  message: string,
): Promise<string> {
  return await waitUntil(`${message} is on the disk`, async () => {
    return findConversation(await savedConversations(workbench), message)?.id;
  });
}

function findConversation(all: readonly Conversation[], message: string): Conversation | undefined {
  return all.find(({ turns }) => turns.some((turn) => turn.kind === 'message' && turn.text === message));
}

/** A file that is being replaced is gone for a moment. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
