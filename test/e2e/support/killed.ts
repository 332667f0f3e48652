import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { LocalService } from '../../service/localService';
import type { Person } from './person';
import { savedTexts } from './savedConversations';
import { patience, type Workbench } from './workbench';

/** What a killed extension host left on the disk. */
export interface Killed {
  /** What the person had said. */
  readonly message: string;
  readonly messageSaved: boolean;
  /** The reply's text as far as it is on the disk, and all that the service had sent. */
  readonly saved: string;
  readonly sent: string;
  /** How long before the kill the service had sent the first piece that is missing, in ms; 0 where none is. */
  readonly behind: number;
}

/** Time between two pieces of the reply, in ms. */
const PIECE_INTERVAL_MS = 10;

/**
 * Says something, and kills the extension host while the reply streams, once `isTime` resolves, or, without it, in the moment in
 * which the message reaches the service.
 * @param isTime is called when the stream is open, with the message
 */
export async function killInReply(
  workbench: Workbench,
  service: LocalService,
  person: Person,
  isTime?: (message: string) => Promise<unknown>,
): Promise<Killed> {
  const message = `message ${randomUUID()}`;
  const pieces: { readonly text: string; readonly at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const script = isTime && service.script();
  await person.say(message);
  let killedAt = 0;
  try {
    if (script) {
      await script.opened;
      timer = setInterval(() => {
        const text = `${pieces.length} `;
        script.chunk(text);
        pieces.push({ text, at: performance.now() });
      }, PIECE_INTERVAL_MS);
      await isTime(message);
    } else {
      await service.waitForRequest(({ path }) => path.endsWith('/messages/stream'), patience);
    }
    const { body } = service.requests.findLast(({ path }) => path.endsWith('/messages/stream')) ?? {};
    assert.equal((body as { content?: string }).content, message, 'each key that was typed was sent');
    await workbench.killExtensionHost();
    killedAt = performance.now();
  } finally {
    clearInterval(timer);
  }
  await script?.closed;
  const turns = (await savedTexts(workbench, message)) ?? [];
  const place = turns.findIndex(({ text }) => text === message);
  const saved = (place >= 0 && turns[place + 1]?.text) || '';
  const sent = pieces.map(({ text }) => text).join('');
  let length = 0;
  const missing = pieces.find(({ text }) => {
    length += text.length;
    return length > saved.length;
  });
  return { message, messageSaved: place >= 0, saved, sent, behind: missing ? killedAt - missing.at : 0 };
}
