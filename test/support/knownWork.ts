/**
 * A known piece of work, of about 50 ms on a quick machine: what tests compare their own work with, so that the speed of the
 * machine doesn't matter. Needs nothing outside, so that a page can run it too; there it also creates elements.
 */
export function doKnownWork(): number {
  let sum = 0;
  for (let round = 0; round < 100; round++) {
    const words = Array.from({ length: 2000 }, (_, index) => `word${(index * 7919) % 2000}`);
    const indexes = new Map(words.map((word, index) => [word, { word, index }]));
    for (const [word] of words.join(' ').matchAll(/[a-z]+\d+/g)) sum += indexes.get(word)?.index ?? 0;
    if (typeof document === 'undefined') continue;
    const list = document.createElement('ul');
    for (const word of words.slice(0, 200)) list.appendChild(document.createElement('li')).append(word);
    sum += list.textContent.length;
  }
  return sum;
}

/** No machine does the known work in less time than this, in ms. */
const LEAST_MS = 10;
/** The fastest of these counts. */
const ROUNDS = 3;

/**
 * Resolves to whether a cost, in ms, is that of at most `limit` pieces of known work. `measure` resolves to the cost of such a
 * piece, where and as the first cost was measured: it is called now, so that both have the same neighbors.
 */
export async function isWithinKnownWork(
  costMs: number,
  limit: number,
  measure: () => Promise<number>,
): Promise<boolean> {
  if (costMs <= limit * LEAST_MS) return true;
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) least = Math.min(least, await measure());
  return costMs <= limit * least;
}
