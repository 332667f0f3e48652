import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Conversation } from '../../../src/chat/model/conversation';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { waitUntil } from '../../support/waitUntil';
import type { Workbench } from './workbench';

/** Returns the folder in which Parley stores its files. */
export function getStorageFolder({ userDataDir }: Pick<Workbench, 'userDataDir'>): string {
  return path.join(userDataDir, 'User', 'globalStorage', 'parley.parley');
}

/** Reads the conversations on disk as another window would. */
export async function readSavedConversations(
  workbench: Pick<Workbench, 'userDataDir'>,
): Promise<Conversation[]> {
  const errors: unknown[] = [];
  const storage = new NodeStorage(path.join(getStorageFolder(workbench), 'conversations'));
  const store = new ConversationStore(storage, 'a test', (error) => errors.push(error));
  const conversations: Conversation[] = [];
  for await (const conversation of store.scan()) conversations.push(conversation);
  await store.dispose();
  if (errors.length > 0) throw new AggregateError(errors, 'The conversations could not be read');
  return conversations;
}

/**
 * Reads the conversation with this message from disk; returns its messages and replies in order, with the
 * replies' endings.
 */
export async function readSavedTexts(
  workbench: Pick<Workbench, 'userDataDir'>,
  message: string,
): Promise<{ readonly text: string; readonly ending?: string }[] | undefined> {
  const found = findConversation(await readSavedConversations(workbench), message);
  return found?.turns.flatMap((turn) =>
    turn.kind === 'document'
      ? []
      : [{ text: turn.text, ...(turn.kind === 'reply' && turn.ending && { ending: turn.ending }) }],
  );
}

/** Waits until a file in Parley's storage contains this text, which must not need escaping in JSON. */
export async function waitUntilSaved(workbench: Pick<Workbench, 'userDataDir'>, text: string): Promise<void> {
  const folder = getStorageFolder(workbench);
  await waitUntil(`${text} is on the disk`, async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      // A temporary file is still being written.
      if (!entry.isFile() || /\.(?:tmp|writing|written)$/.test(entry.name)) continue;
      const content = await readFile(path.join(entry.parentPath, entry.name), 'utf8').catch(ignoreMissing);
      if (content?.includes(text)) return true;
    }
    return false;
  });
}

/**
 * Waits until each reply in the conversation with this message has its ending on disk; resolves to the
 * conversation's id.
 */
export async function waitUntilEndingsSaved(
  workbench: Pick<Workbench, 'userDataDir'>,
  message: string,
): Promise<string> {
  return await waitUntil('every ending is on the disk', async () => {
    const found = findConversation(await readSavedConversations(workbench), message);
    const hasEndings = found?.turns.every((turn) => turn.kind !== 'reply' || turn.ending !== undefined);
    return hasEndings ? found?.id : undefined;
  });
}

/** Waits until the conversation with this message is on disk; resolves to its id. */
export async function waitForConversationId(
  workbench: Pick<Workbench, 'userDataDir'>,
  message: string,
): Promise<string> {
  return await waitUntil(`${message} is on the disk`, async () => {
    return findConversation(await readSavedConversations(workbench), message)?.id;
  });
}

function findConversation(all: readonly Conversation[], message: string): Conversation | undefined {
  return all.find(({ turns }) => turns.some((turn) => turn.kind === 'message' && turn.text === message));
}

/** A file that is being replaced is missing for a moment. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
