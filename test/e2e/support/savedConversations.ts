import path from 'node:path';
import type { Conversation } from '../../../src/chat/conversation';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
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
  const conversations = await savedConversations(workbench);
  const found = conversations.find(({ turns }) =>
    turns.some((turn) => turn.kind === 'message' && turn.text === message),
  );
  return found?.turns.flatMap((turn) =>
    turn.kind === 'document'
      ? []
      : [{ text: turn.text, ...(turn.kind === 'reply' && turn.ending && { ending: turn.ending }) }],
  );
}

/** Waits until a file of the conversations has this text. */
export async function savedOnDisk(workbench: Workbench, text: string): Promise<void> {
  for (;;) {
    const conversations = await savedConversations(workbench);
    if (JSON.stringify(conversations).includes(text)) return;
    await workbench.page.waitForTimeout(20);
  }
}
