import { setTimeout as sleep } from 'node:timers/promises';
import { clockOffset } from './paints';

/** Chunk `n` of a reply in Markdown: a word or two, the last of which tells its number. */
export function chunk(n: number): string {
  const before = n === 0 ? '' : n % 30 === 0 ? '\n\n' : ' ';
  return `${before}${n % 10 === 5 ? '**strong** ' : ''}c${n}`;
}

/** Hands over chunks at an even rate (a second); resolves to when each was handed over, in ms since the epoch. */
export async function sendEvenly(
  count: number,
  rate: number,
  send: (text: string) => void,
): Promise<number[]> {
  const offset = clockOffset();
  const sent: number[] = [];
  const start = performance.now();
  while (sent.length < count) {
    const now = performance.now();
    const due = start + (sent.length * 1000) / rate;
    if (due > now) {
      await sleep(due - now);
      continue;
    }
    const text = chunk(sent.length);
    sent.push(offset + performance.now());
    send(text);
  }
  return sent;
}
