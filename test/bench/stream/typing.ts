import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalService } from '../../service/localService';
import type { BenchWindow } from './window';

/** The effect of a 100 KB reply on typing. */
export interface Typing {
  readonly keys: number;
  readonly lostKeys: number;
  readonly frames: number;
  /** In ms between two frames. */
  readonly longestFrame: number;
  readonly framesOver50: number;
  /** The longest time from a key to the next paint, in ms; undefined if all took less than 16 ms. */
  readonly longestKey: number | undefined;
}

declare global {
  interface Window {
    typing: { frames: number[]; keys: number[]; on: boolean };
  }
}

const CHUNK_COUNT = 1400;
const TYPED_TEXT = 'the quick brown fox jumps over the lazy dog '.repeat(4);

/** Streams 100 KB in 5.6 s while text is typed into the composer. */
export async function measureTyping({ person, panel }: BenchWindow, service: LocalService): Promise<Typing> {
  await person.newConversation();
  const script = service.script();
  await person.say('a long one');
  await script.opened;
  const frame = await panel();
  const composer = await person.composer();
  await frame.evaluate(recordFrames);
  const paragraph = 'A paragraph with **bold**, `code` and a [link](https://example.com) in it. ';
  const chunks = Array.from(
    { length: CHUNK_COUNT },
    (_, n) => `${paragraph}${n % 5 ? '' : '\n\n- item\n\n'}`,
  );
  const streamed = script.chunks(chunks, 4).then(() => script.end());
  await composer.pressSequentially(TYPED_TEXT, { delay: 20 });
  await streamed;
  await person.reply('Echo');
  // The last frames and keys are reported a little later.
  await sleep(200);
  const { frames, keys } = await frame.evaluate(() => {
    window.typing.on = false;
    return window.typing;
  });
  const value = await composer.inputValue();
  await composer.fill('');
  return {
    keys: TYPED_TEXT.length,
    lostKeys: value === TYPED_TEXT ? 0 : Math.max(1, TYPED_TEXT.length - value.length),
    frames: frames.length,
    longestFrame: Math.max(...frames),
    framesOver50: frames.filter((ms) => ms > 50).length,
    longestKey: keys.length > 0 ? Math.max(...keys) : undefined,
  };
}

function recordFrames(): void {
  const record: Window['typing'] = { frames: [], keys: [], on: true };
  window.typing = record;
  let last: number | undefined;
  const next = (now: number) => {
    if (last !== undefined) record.frames.push(now - last);
    last = now;
    if (record.on) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') record.keys.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}
