import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { LocalService } from '../../service/localService';
import type { Person } from './person';
import { readSavedTexts } from './savedConversations';
import type { Workbench } from './workbench';

/** The state after a kill of the extension host. */
export interface KillResult {
  /** The message that was sent. */
  readonly message: string;
  readonly messageSaved: boolean;
  /** The saved text of the reply, and all that the service had sent. */
  readonly replySaved: string;
  readonly replySent: string;
  /** How long before the kill the service sent the first missing chunk, in ms; 0 if none is missing. */
  readonly lostMs: number;
}

/** The time between two chunks of the reply, in ms. */
const CHUNK_INTERVAL_MS = 10;

/**
 * Sends a message and kills the extension host while the reply streams: when `untilKill` resolves or, without
 * it, as the message reaches the service.
 * @param untilKill is called with the message when the stream is open
 */
export async function killInReply(
  workbench: Workbench,
  service: LocalService,
  person: Person,
  untilKill?: (message: string) => Promise<unknown>,
): Promise<KillResult> {
  const message = `message ${randomUUID()}`;
  const chunks: { readonly text: string; readonly at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const script = untilKill && service.script();
  await person.say(message);
  let killedAt = 0;
  try {
    if (script) {
      await script.opened;
      timer = setInterval(() => {
        const text = `${chunks.length} `;
        script.chunk(text);
        chunks.push({ text, at: performance.now() });
      }, CHUNK_INTERVAL_MS);
      await untilKill(message);
    } else {
      await service.waitForRequest(({ path }) => path.endsWith('/messages/stream'));
    }
    const { body } = service.requests.findLast(({ path }) => path.endsWith('/messages/stream')) ?? {};
    assert.equal((body as { content?: string }).content, message, 'each key that was typed was sent');
    await workbench.killExtensionHost();
    killedAt = performance.now();
  } finally {
    clearInterval(timer);
  }
  await script?.closed;
  const turns = (await readSavedTexts(workbench, message)) ?? [];
  const index = turns.findIndex(({ text }) => text === message);
  const saved = (index >= 0 && turns[index + 1]?.text) || '';
  const sent = chunks.map(({ text }) => text).join('');
  let length = 0;
  const missing = chunks.find(({ text }) => {
    length += text.length;
    return length > saved.length;
  });
  return {
    message,
    messageSaved: index >= 0,
    replySaved: saved,
    replySent: sent,
    lostMs: missing ? killedAt - missing.at : 0,
  };
}
