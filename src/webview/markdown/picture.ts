import { findPictureSize } from './pictureSize';

/** Limits of a picture, in pixels. */
const MAX_PIXELS = 2 ** 24;
const MAX_SIDE = 2 ** 13;
/**
 * Limit of all pictures in the page, since nothing else is painted until those in sight are decoded. One unit takes about
 * as long as a pixel, up to 10 ns.
 */
const MAX_COST = 2 ** 26;
/** After as many characters of sources, no more are read in a task: it takes about 0.1 s. */
const MAX_READ_LENGTH = 2 ** 23;
/** Fixed cost of a picture, apart from its pixels. */
const ELEMENT_COST = 2 ** 14;

/** Cost of each shown picture. Weak, since an element keeps everything around it alive. */
const costs = new WeakMap<HTMLElement, number>();
/** Cost of decoding by destination: thousands of references may share one, and comparing long texts takes time, too. */
const decodingCosts = new WeakMap<object, number>();
/** At least the sum of those that are still in the page. */
let sum = 0;
/** Work done by this task, whose new pictures may not be in the page yet. Undefined between tasks. */
let task: { readonly added: Set<HTMLElement>; readLength: number; isCounted: boolean } | undefined;

/**
 * Shows a picture within the limits; otherwise its alternative text is all there is. A browser needs four bytes for each pixel
 * of one that is shown, and 66 KB of text can have 500 million. `target`: the same object for all uses of a reference.
 */
export function showPicture(image: HTMLElement, source: string, target: object): void {
  // A browser copies and decodes the source of each image again.
  const sourceCost = ELEMENT_COST + source.length;
  if (!hasRoom(sourceCost)) return;
  const cost = sourceCost + getDecodingCost(source, target);
  if (!hasRoom(cost)) return;
  sum += cost;
  costs.set(image, cost);
  getTask().added.add(image);
  image.setAttribute('src', source);
}

function getDecodingCost(source: string, target: object): number {
  const known = decodingCosts.get(target);
  if (known !== undefined) return known;
  const current = getTask();
  // Pictures that are refused take no room, but time to read.
  if (current.readLength > MAX_READ_LENGTH) return Infinity;
  current.readLength += source.length;
  const size = findPictureSize(decodeBase64(source.slice(source.indexOf(',') + 1)));
  const isSmall = size && size.pixels <= MAX_PIXELS && size.side <= MAX_SIDE;
  const cost = isSmall ? size.pixels * size.passes : Infinity;
  decodingCosts.set(target, cost);
  return cost;
}

function hasRoom(cost: number): boolean {
  if (cost <= MAX_COST && sum + cost > MAX_COST && !getTask().isCounted) countAgain();
  return sum + cost <= MAX_COST;
}

/** Leaves out the pictures that are no longer in the page. Once in a task, or each further picture would walk them all. */
function countAgain(): void {
  const current = getTask();
  current.isCounted = true;
  sum = 0;
  for (const image of new Set([...document.images, ...current.added])) sum += costs.get(image) ?? 0;
}

function getTask(): NonNullable<typeof task> {
  if (!task) {
    task = { added: new Set(), readLength: 0, isCounted: false };
    setTimeout(() => {
      task = undefined;
    });
  }
  return task;
}

/** Returns '' for what isn't base64, or has white space, which `atob` accepts. */
function decodeBase64(text: string): string {
  try {
    return /\s/.test(text) ? '' : atob(text);
  } catch {
    return '';
  }
}
