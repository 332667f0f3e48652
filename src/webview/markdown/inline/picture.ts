import { findPictureSize } from './pictureSize';

/** Limits of a picture, in pixels. */
const MAX_PIXELS = 2 ** 24;
const MAX_SIDE = 2 ** 13;
/** Limit of all pictures in the page: decoding 16 million pixels takes 0.2 s, and nothing else is painted until then. */
const MAX_SHOWN_PIXELS = 2 ** 27;

/** The pixels of each picture that is shown. */
const shownPixels = new WeakMap<HTMLImageElement, number>();
/** At least the sum of those that are still in the page. */
let sum = 0;

/**
 * Shows a picture within the limits; otherwise its alternative text is all there is. A browser needs four bytes for each pixel
 * of one that is shown, and 66 KB of text can have 500 million.
 */
export function showPicture(image: HTMLImageElement, source: string): void {
  const size = findPictureSize(decodeBase64(source.slice(source.indexOf(',') + 1)));
  if (!size || !isWithinLimits(size.pixels, size.side)) return;
  const show = () => image.classList.add('md-loaded');
  image.addEventListener('error', show, { once: true });
  image.addEventListener(
    'load',
    () => {
      const { naturalWidth: width, naturalHeight: height } = image;
      // A GIF's first frame may be larger than what its header says.
      const pixels = Math.max(size.pixels, width * height);
      if (!isWithinLimits(pixels, Math.max(width, height)) || !reservePixels(image, pixels))
        image.removeAttribute('src');
      show();
    },
    { once: true },
  );
  image.setAttribute('src', source);
}

function isWithinLimits(pixels: number, side: number): boolean {
  return pixels <= MAX_PIXELS && side <= MAX_SIDE;
}

/** Returns false if the page has no room for the picture. Counts only if pictures that are gone may make a difference. */
function reservePixels(image: HTMLImageElement, pixels: number): boolean {
  if (sum + pixels > MAX_SHOWN_PIXELS) {
    sum = 0;
    for (const other of document.images) sum += shownPixels.get(other) ?? 0;
    if (sum + pixels > MAX_SHOWN_PIXELS) return false;
  }
  sum += pixels;
  shownPixels.set(image, pixels);
  return true;
}

/** Returns '' for what isn't base64. */
function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
