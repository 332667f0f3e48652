import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplyRequest } from './bot';

const MS_PER_WORD = 1000 / 60;
const MAX_CHUNK_LENGTH = 24;

/**
 * Splits text into words, each with the white space after it; a long run without spaces is split between code
 * points.
 */
export function splitWords(text: string): string[] {
  const words = text.match(/\s*\S+\s*|\s+/g) ?? [];
  return words.flatMap((word) => {
    const points = Array.from(word);
    const pieces: string[] = [];
    for (let start = 0; start < points.length; start += MAX_CHUNK_LENGTH) {
      pieces.push(points.slice(start, start + MAX_CHUNK_LENGTH).join(''));
    }
    return pieces;
  });
}

/** Yields the words of `text` at the requested pace; the same text always has the same delays. */
export async function* streamWords(
  text: string,
  { pace, signal }: Pick<ReplyRequest, 'pace' | 'signal'>,
): AsyncGenerator<string, void, void> {
  let due = performance.now();
  for (const [index, chunk] of splitWords(text).entries()) {
    if (signal.aborted) return;
    yield chunk;
    if (pace === 'instant') continue;
    due += MS_PER_WORD * getDelayFactor(index, chunk);
    const wait = due - performance.now();
    if (wait > 1) await sleep(wait, undefined, { signal }).catch(ignoreAbort);
  }
}

/** Returns a factor between 0.4 and 1.4, higher at the end of a sentence or a paragraph; prose averages 1. */
function getDelayFactor(index: number, chunk: string): number {
  const variation = 0.4 + ((index * 7919) % 101) / 101;
  if (chunk.includes('\n\n')) return variation + 3;
  return /[.!?:]\s*$/.test(chunk) ? variation + 1 : variation;
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
