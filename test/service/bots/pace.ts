import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplyRequest } from './bot';

const millisecondsPerWord = 1000 / 60;
const longestChunk = 24;

/** Words with the white space that follows them; a run without spaces is split between code points. */
export function splitWords(text: string): string[] {
  const words = text.match(/\s*\S+\s*|\s+/g) ?? [];
  return words.flatMap((word) => {
    const points = Array.from(word);
    const pieces: string[] = [];
    for (let at = 0; at < points.length; at += longestChunk) {
      pieces.push(points.slice(at, at + longestChunk).join(''));
    }
    return pieces;
  });
}

/** Says `text` at the pace that the request asks for; the same text always has the same rhythm. */
export async function* say(
  text: string,
  { pace, signal }: Pick<ReplyRequest, 'pace' | 'signal'>,
): AsyncGenerator<string, void, void> {
  let due = performance.now();
  for (const [index, chunk] of splitWords(text).entries()) {
    if (signal.aborted) return;
    yield chunk;
    if (pace === 'instant') continue;
    due += millisecondsPerWord * rhythm(index, chunk);
    const wait = due - performance.now();
    if (wait > 1) await sleep(wait, undefined, { signal }).catch(ignoreAbort);
  }
}

/** Between 0.4 and 1.4, longer at the end of a sentence or a paragraph; 1 on average over prose. */
function rhythm(index: number, chunk: string): number {
  const variation = 0.4 + ((index * 7919) % 101) / 101;
  if (chunk.includes('\n\n')) return variation + 3;
  return /[.!?:]\s*$/.test(chunk) ? variation + 1 : variation;
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
