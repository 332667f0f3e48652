import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalService } from '../../service/localService';
import type { BenchWindow } from './window';

/** What a reply of 100 KB does to who types meanwhile. */
export interface Typing {
  readonly keys: number;
  readonly lostKeys: number;
  readonly frames: number;
  /** ms between two frames. */
  readonly longestFrame: number;
  readonly framesOver50: number;
  /** ms from a key to the next paint, the longest; undefined where all took less than 16 ms. */
  readonly longestKey: number | undefined;
}

declare global {
  interface Window {
    typing: { frames: number[]; keys: number[]; on: boolean };
  }
}

const CHUNKS = 1400;
const TYPED = 'the quick brown fox jumps over the lazy dog '.repeat(4);

/** Streams 100 KB in 5.6 s while a text is typed into the composer. */
export async function measureTyping({ person, panel }: BenchWindow, service: LocalService): Promise<Typing> {
  await person.newConversation();
  const script = service.script();
  await person.say('a long one');
  await script.opened;
  const frame = await panel();
  const composer = await person.composer();
  await frame.evaluate(noteFrames);
  const paragraph = 'A paragraph with **bold**, `code` and a [link](https://example.com) in it. ';
  const chunks = Array.from({ length: CHUNKS }, (_, n) => `${paragraph}${n % 5 ? '' : '\n\n- item\n\n'}`);
  const streamed = script.chunks(chunks, 4).then(() => script.end());
  await composer.pressSequentially(TYPED, { delay: 20 });
  await streamed;
  await person.reply('Echo');
  // The last frames and keys are told a little later.
  await sleep(200);
  const { frames, keys } = await frame.evaluate(() => {
    window.typing.on = false;
    return window.typing;
  });
  const value = await composer.inputValue();
  await composer.fill('');
  return {
    keys: TYPED.length,
    lostKeys: value === TYPED ? 0 : Math.max(1, TYPED.length - value.length),
    frames: frames.length,
    longestFrame: Math.max(...frames),
    framesOver50: frames.filter((ms) => ms > 50).length,
    longestKey: keys.length > 0 ? Math.max(...keys) : undefined,
  };
}

function noteFrames(): void {
  const noted: Window['typing'] = { frames: [], keys: [], on: true };
  window.typing = noted;
  let last: number | undefined;
  const next = (now: number) => {
    if (last !== undefined) noted.frames.push(now - last);
    last = now;
    if (noted.on) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') noted.keys.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}
