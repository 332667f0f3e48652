import { setTimeout as sleep } from 'node:timers/promises';
import { getClockOffset } from './paints';

/** Returns chunk `n` of a Markdown reply: one or two words, the last of which contains its number. */
function createChunk(n: number): string {
  const before = n === 0 ? '' : n % 30 === 0 ? '\n\n' : ' ';
  return `${before}${n % 10 === 5 ? '**strong** ' : ''}c${n}`;
}

/** Sends chunks at an even rate (per second); resolves to the time of each, in ms since the epoch. */
export async function sendEvenly(
  count: number,
  rate: number,
  send: (text: string) => void,
): Promise<number[]> {
  const offset = getClockOffset();
  const sent: number[] = [];
  const start = performance.now();
  while (sent.length < count) {
    const now = performance.now();
    const due = start + (sent.length * 1000) / rate;
    if (due > now) {
      await sleep(due - now);
      continue;
    }
    const text = createChunk(sent.length);
    sent.push(offset + performance.now());
    send(text);
  }
  return sent;
}
