/** Cost of decoding a picture. */
export interface PictureSize {
  readonly pixels: number;
  /** The longest side, in pixels. */
  readonly side: number;
  /** Maximum decoding time, as a multiple of a single pass over the pixels. */
  readonly passes: number;
}

/** Factor for a color profile, which may be a table in which each pixel is looked up. */
const PROFILE_PASSES = 2;

/**
 * Returns the size that a picture declares in its own bytes: what a browser says can be less, because metadata such as a
 * resolution may scale it. Like a browser, it doesn't go by the media type. Returns undefined for other formats.
 */
export function findPictureSize(bytes: string): PictureSize | undefined {
  if (bytes.startsWith('\x89PNG\r\n\x1a\n')) return readPng(bytes);
  if (bytes.startsWith('\xff\xd8\xff')) return readJpeg(bytes);
  if (/^GIF8[79]a/.test(bytes)) return readGif(bytes);
  if (/^RIFF.{4}WEBPVP8[ LX]/s.test(bytes)) return readWebP(bytes);
  return undefined;
}

function createSize(width: number, height: number, passes: number): PictureSize | undefined {
  const pixels = width * height;
  // Bytes that are missing aren't a number.
  return pixels > 0 && passes > 0 ? { pixels, side: Math.max(width, height), passes } : undefined;
}

function readPng(bytes: string): PictureSize | undefined {
  if (!bytes.startsWith('IHDR', 12)) return undefined;
  let frames = 0;
  let hasProfile = false;
  for (let at = 8; at < bytes.length; at += 12 + readBigEndian(bytes, at, 4)) {
    if (bytes.startsWith('fcTL', at + 4)) frames++;
    if (bytes.startsWith('iCCP', at + 4)) hasProfile = true;
  }
  const hasWideColors = bytes.charCodeAt(24) > 8;
  const isInterlaced = bytes[28] !== '\0';
  const passes = (hasWideColors ? 2 : 1) * (isInterlaced ? 2 : 1) + (hasProfile ? PROFILE_PASSES : 0);
  return createSize(readBigEndian(bytes, 16, 4), readBigEndian(bytes, 20, 4), Math.max(frames, 1) * passes);
}

/** Each scan of a JPEG picture passes over all pixels, though it may have only 27 bytes. */
function readJpeg(bytes: string): PictureSize | undefined {
  let [width, height, components, scans] = [0, 0, 0, 0];
  let hasProfile = false;
  for (let at = 2; at < bytes.length; ) {
    at = bytes.indexOf('\xff', at);
    const marker = at < 0 ? 0xd9 : bytes.charCodeAt(at + 1);
    if (marker === 0xd9) break;
    // Fill bytes, data, and markers without a length.
    if (!(marker >= 0xc0 && marker < 0xff) || (marker >= 0xd0 && marker < 0xd9)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (bytes.startsWith('ICC_PROFILE', at + 4)) hasProfile = true;
    if (marker === 0xda) scans++;
    else if (marker < 0xd0 && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      // A browser refuses a picture that has two frames.
      if (components > 0) return undefined;
      height = readBigEndian(bytes, at + 5, 2);
      width = readBigEndian(bytes, at + 7, 2);
      components = bytes.charCodeAt(at + 9);
    }
    at += 2 + readBigEndian(bytes, at + 2, 2);
  }
  // A picture with three colors and one scan takes one pass. More of either adds an eighth, and four colors (CMYK) are converted.
  const eighths = 4 + components + Math.max(scans, 1) + (components > 3 ? 8 : 0);
  return createSize(width, height, eighths / 8 + (hasProfile ? PROFILE_PASSES : 0));
}

/** Frames may be larger than what the header says. */
function readGif(bytes: string): PictureSize | undefined {
  let width = readLittleEndian(bytes, 6, 2);
  let height = readLittleEndian(bytes, 8, 2);
  let frames = 0;
  let at = 13 + getColorsLength(bytes, 10);
  while (at < bytes.length && bytes[at] !== ';') {
    if (bytes[at] === ',') {
      frames++;
      width = Math.max(width, readLittleEndian(bytes, at + 1, 2) + readLittleEndian(bytes, at + 5, 2));
      height = Math.max(height, readLittleEndian(bytes, at + 3, 2) + readLittleEndian(bytes, at + 7, 2));
      at += 11 + getColorsLength(bytes, at + 9);
    } else if (bytes[at] === '!') at += 2;
    else return undefined;
    // Blocks start with their length. The last one is empty.
    while (bytes.charCodeAt(at) > 0) at += 1 + bytes.charCodeAt(at);
    at++;
  }
  return createSize(width, height, frames);
}

function getColorsLength(bytes: string, at: number): number {
  const flags = bytes.charCodeAt(at);
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Reads the canvas, or the only frame if there is no other chunk. */
function readWebP(bytes: string): PictureSize | undefined {
  switch (bytes[15]) {
    case 'X': {
      let frames = 0;
      let hasProfile = false;
      for (let at = 12; at < bytes.length; ) {
        if (bytes.startsWith('ANMF', at)) frames++;
        if (bytes.startsWith('ICCP', at)) hasProfile = true;
        const length = readLittleEndian(bytes, at + 4, 4);
        at += 8 + length + (length % 2);
      }
      const passes = Math.max(frames, 1) * (1 + (hasProfile ? PROFILE_PASSES : 0));
      return createSize(readLittleEndian(bytes, 24, 3) + 1, readLittleEndian(bytes, 27, 3) + 1, passes);
    }
    case 'L': {
      const bits = readLittleEndian(bytes, 21, 4);
      return createSize((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1, 1);
    }
    default:
      return createSize(readLittleEndian(bytes, 26, 2) & 0x3fff, readLittleEndian(bytes, 28, 2) & 0x3fff, 1);
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
