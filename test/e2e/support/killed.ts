import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalService } from '../../service/localService';
import type { Person } from './person';
import { savedTexts } from './savedConversations';
import type { Workbench } from './workbench';

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

/** ms between two pieces of the reply. */
const PACE = 10;

/**
 * Says something, and kills the extension host while the reply streams: `delay` ms after the stream was opened, or, without
 * one, in the moment in which the message reaches the service.
 */
export async function killInReply(
  workbench: Workbench,
  service: LocalService,
  person: Person,
  delay?: number,
): Promise<Killed> {
  const typed = `message ${Math.random().toString(36).slice(2)}`;
  const saidBefore = service.requests.length;
  const pieces: { readonly text: string; readonly at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const script = delay === undefined ? undefined : service.script();
  await person.say(typed);
  if (script && delay !== undefined) {
    await script.opened;
    timer = setInterval(() => {
      const text = `${pieces.length} `;
      script.chunk(text);
      pieces.push({ text, at: performance.now() });
    }, PACE);
    await sleep(delay);
  } else {
    await service.waitForRequest(({ body }) => (body as { content?: string })?.content === typed, 30_000);
  }
  const { content: message = '' } = (service.requests
    .slice(saidBefore)
    .findLast(({ path }) => path.endsWith('/messages/stream'))?.body ?? {}) as { content?: string };
  if (message !== typed) console.log(`      typed ${typed}, sent ${message}`);
  await workbench.killExtensionHost();
  const at = performance.now();
  clearInterval(timer);
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
  return { message, messageSaved: place >= 0, saved, sent, behind: missing ? at - missing.at : 0 };
}
