/** What a browser decodes of a picture. */
export interface PictureSize {
  readonly pixels: number;
  /** The longest side, in pixels. */
  readonly side: number;
}

/** A frame header of a JPEG picture, whose length goes with its 1 to 4 components. */
const JPEG_FRAME =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes, not text
  /\xff(?=[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf]\0(?:\x0b.{5}\x01|\x0e.{5}\x02|\x11.{5}\x03|\x14.{5}\x04))/gs;

/**
 * Returns the size that a picture declares in its own bytes: what a browser says can be less, because metadata such as a
 * resolution may scale it. Like a browser, it doesn't go by the media type. Headers of embedded pictures, such as previews,
 * count as well. Returns undefined for other formats.
 */
export function findPictureSize(bytes: string): PictureSize | undefined {
  if (bytes.startsWith('\x89PNG\r\n\x1a\n')) {
    return addFrames(bytes.matchAll(/IHDR/g), (at) => [
      readBigEndian(bytes, at + 4, 4),
      readBigEndian(bytes, at + 8, 4),
    ]);
  }
  if (bytes.startsWith('\xff\xd8\xff')) {
    return addFrames(bytes.matchAll(JPEG_FRAME), (at) => [
      readBigEndian(bytes, at + 5, 2),
      readBigEndian(bytes, at + 7, 2),
    ]);
  }
  if (/^GIF8[79]a/.test(bytes)) {
    return addFrames([{ index: 0 }], () => [readLittleEndian(bytes, 6, 2), readLittleEndian(bytes, 8, 2)]);
  }
  if (/^RIFF.{4}WEBPVP8[ LX]/s.test(bytes)) return addFrames([{ index: 0 }], () => readWebPSize(bytes));
  return undefined;
}

type Sides = readonly [number, number];

function addFrames(
  matches: Iterable<{ index: number }>,
  read: (at: number) => Sides,
): PictureSize | undefined {
  let pixels = 0;
  let side = 0;
  for (const { index } of matches) {
    const sides = read(index);
    pixels += sides[0] * sides[1];
    side = Math.max(side, ...sides);
  }
  // Bytes that are missing aren't a number.
  return pixels > 0 ? { pixels, side } : undefined;
}

/** Reads the canvas, or the only frame if there is no other chunk. */
function readWebPSize(bytes: string): Sides {
  switch (bytes[15]) {
    case 'X':
      return [readLittleEndian(bytes, 24, 3) + 1, readLittleEndian(bytes, 27, 3) + 1];
    case 'L': {
      const bits = readLittleEndian(bytes, 21, 4);
      return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
    }
    default:
      return [readLittleEndian(bytes, 26, 2) & 0x3fff, readLittleEndian(bytes, 28, 2) & 0x3fff];
  }
}

function readBigEndian(bytes: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index++) value = value * 256 + bytes.charCodeAt(index);
  return value;
}

function readLittleEndian(bytes: string, at: number, count: number): number {
  let value = 0;
  for (let index = at + count - 1; index >= at; index--) value = value * 256 + bytes.charCodeAt(index);
  return value;
}
