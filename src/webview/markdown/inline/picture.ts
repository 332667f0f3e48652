import { findPictureSize } from './pictureSize';
import { cacheInTask } from './taskCache';

/** Limits of a picture, in pixels. */
const MAX_PIXELS = 2 ** 24;
const MAX_SIDE = 2 ** 13;
/**
 * Limit of all pictures in the page, since nothing else is painted until those in sight are decoded. One unit takes about
 * as long as a pixel, up to 10 ns.
 */
const MAX_COST = 2 ** 26;
/** What a picture costs apart from its pixels. */
const ELEMENT_COST = 2 ** 14;

/** What each picture costs that is shown. */
const costs = new Map<HTMLImageElement, number>();
let sum = 0;
/** Pictures of this task may not have got into the page yet. Undefined between tasks. */
let addedInTask: Set<HTMLImageElement> | undefined;
let isPruned = false;

/**
 * Shows a picture within the limits; otherwise its alternative text is all there is. A browser needs four bytes for each pixel
 * of one that is shown, and 66 KB of text can have 500 million.
 */
export function showPicture(image: HTMLImageElement, source: string): void {
  // A browser copies and decodes the source of each image again.
  const sourceCost = ELEMENT_COST + source.length;
  if (!hasRoom(sourceCost)) return;
  const cost = sourceCost + getDecodingCost(source);
  if (!hasRoom(cost)) return;
  sum += cost;
  costs.set(image, cost);
  startTask().add(image);
  image.setAttribute('src', source);
}

const getDecodingCost = cacheInTask((source) => {
  const size = findPictureSize(decodeBase64(source.slice(source.indexOf(',') + 1)));
  return size && size.pixels <= MAX_PIXELS && size.side <= MAX_SIDE ? size.pixels * size.passes : Infinity;
});

function hasRoom(cost: number): boolean {
  if (cost <= MAX_COST && sum + cost > MAX_COST && !isPruned) removeGone();
  return sum + cost <= MAX_COST;
}

/** Forgets the pictures that are no longer in the page. Once in a task, or each further picture would walk them all. */
function removeGone(): void {
  const added = startTask();
  isPruned = true;
  for (const [image, cost] of costs) {
    if (image.isConnected || added.has(image)) continue;
    costs.delete(image);
    sum -= cost;
  }
}

function startTask(): Set<HTMLImageElement> {
  if (addedInTask) return addedInTask;
  setTimeout(() => {
    addedInTask = undefined;
    isPruned = false;
  });
  addedInTask = new Set();
  return addedInTask;
}

/** Returns '' for what isn't base64. */
function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
