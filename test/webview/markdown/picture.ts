import { PNG } from 'pngjs';

const blankPictures = new Map<string, Buffer>();

/** Creates a blank PNG picture, in base64. Pictures with different numbers have different bytes. */
export function createPicture(width: number, height: number, number = 0): string {
  const key = `${width} ${height}`;
  const blank = blankPictures.get(key) ?? encodeBlank(width, height);
  blankPictures.set(key, blank);
  // What follows the end of a picture is ignored.
  return Buffer.concat([blank, Buffer.of(number)]).toString('base64');
}

function encodeBlank(width: number, height: number): Buffer {
  const options = { bitDepth: 8, colorType: 0, inputColorType: 0, filterType: 0, deflateLevel: 1 } as const;
  const picture = new PNG({ width, height });
  picture.data = Buffer.alloc(width * height);
  return PNG.sync.write(picture, options);
}

/** Creates a GIF picture whose only frame has another size, and hardly any pixels. */
export function createGif(size: readonly [number, number], frame: readonly [number, number]): string {
  return encodeGif(size, [[...toBytes(frame), 0, 2, 2, 0x44, 1, 0]]);
}

/** Creates a GIF picture with frames of its size. */
export function createAnimation(width: number, height: number, frames: number): string {
  const frame = [...toBytes([width, height]), 0, 2, ...packBlocks(compressBlank(width * height)), 0];
  return encodeGif([width, height], Array<number[]>(frames).fill(frame));
}

function encodeGif(size: readonly [number, number], frames: readonly (readonly number[])[]): string {
  const bytes = [...Buffer.from('GIF89a'), ...toBytes(size), 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  for (const frame of frames) bytes.push(0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, ...frame);
  return Buffer.from([...bytes, 0x3b]).toString('base64');
}

/** Compresses as many pixels of the first color: each code stands for one pixel more than the one before. */
function compressBlank(pixels: number): number[] {
  const bits = new BitWriter();
  bits.write(4, 3);
  bits.write(0, 3);
  let width = 3;
  // The last code may stand for more pixels than there are.
  for (let left = pixels - 1, code = 6; left > 0; ) {
    bits.write(code, width);
    left -= code - 4;
    if (code === 4095) continue;
    code++;
    if (code === 1 << width) width++;
  }
  bits.write(5, width);
  return bits.bytes;
}

/** Splits data into blocks that start with their length. */
function packBlocks(data: readonly number[]): number[] {
  const packed: number[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.slice(at, at + 255);
    packed.push(block.length, ...block);
  }
  return packed;
}

/** Writes values whose lowest bit comes first. */
class BitWriter {
  readonly bytes: number[] = [];
  #count = 0;

  write(value: number, width: number): void {
    for (let bit = 0; bit < width; bit++, this.#count++) {
      const at = this.#count >> 3;
      this.bytes[at] = (this.bytes[at] ?? 0) | (((value >> bit) & 1) << (this.#count & 7));
    }
  }
}

/** Creates a progressive JPEG picture in gray. Each scan has hardly any bytes, but a browser passes over all pixels. */
export function createProgressive(width: number, height: number, scans: number): string {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  if (blocks % 2 ** 14 !== 0) throw new Error('A scan has whole runs of blocks only.');
  const zeros = (count: number) => Array<number>(Math.ceil(count)).fill(0);
  const addTable = (kind: number, symbol: number) => [0xff, 0xc4, 0, 20, kind, 1, ...zeros(15), symbol];
  const sides = [height >> 8, height & 255, width >> 8, width & 255];
  const header = [0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, ...Array<number>(64).fill(1)];
  header.push(0xff, 0xc2, 0, 11, 8, ...sides, 1, 1, 0x11, 0, ...addTable(0, 0), ...addTable(0x10, 0xe0));
  const first = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0, ...zeros(blocks / 8)];
  // Each run of 16,384 blocks has 15 bits.
  const next = [0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0, ...zeros(((blocks / 2 ** 14) * 15) / 8)];
  const rest = Array<number[]>(scans - 1)
    .fill(next)
    .flat();
  return Buffer.from([...header, ...first, ...rest, 0xff, 0xd9]).toString('base64');
}

/** Adds the headers of an animation's frames to a PNG picture. */
export function addPngFrames(base64: string, frames: number): string {
  const bytes = Buffer.from(base64, 'base64');
  const header = Buffer.alloc(38);
  header.writeUInt32BE(26);
  header.write('fcTL', 4);
  // Before the last chunk, and the number behind it.
  const end = bytes.length - 13;
  return Buffer.concat([
    bytes.subarray(0, end),
    ...Array<Buffer>(frames).fill(header),
    bytes.subarray(end),
  ]).toString('base64');
}

/** Creates a WebP picture of frames that have only a header. */
export function createWebPAnimation(width: number, height: number, frames: number): string {
  const chunk = (name: string, data: readonly number[]) => [
    ...Buffer.from(name),
    ...toBytes([data.length, 0]),
    ...data,
  ];
  const canvas = [2, 0, 0, 0, ...[width - 1, height - 1].flatMap((side) => [side & 255, side >> 8, 0])];
  const frame = chunk('ANMF', Array<number>(16).fill(0));
  const chunks = [...chunk('VP8X', canvas), ...Array<number[]>(frames).fill(frame).flat()];
  return Buffer.from([...chunk('RIFF', [...Buffer.from('WEBP'), ...chunks])]).toString('base64');
}

/** Adds metadata to a JPEG picture: 720 pixels per inch instead of 72, so that browsers show a tenth of each side. */
export function addExif(base64: string, width: number, height: number): string {
  const long = (tag: number, value: number) => [
    ...toBytes([tag, 4]),
    1,
    0,
    0,
    0,
    ...toBytes([value, value >>> 16]),
  ];
  const fraction = (tag: number, at: number) => [...toBytes([tag, 5]), 1, 0, 0, 0, ...toBytes([at, 0])];
  const inches = [...toBytes([0x128, 3]), 1, 0, 0, 0, 2, 0, 0, 0];
  const main = [
    4,
    0,
    ...fraction(0x11a, 62),
    ...fraction(0x11b, 62),
    ...inches,
    ...long(0x8769, 70),
    0,
    0,
    0,
    0,
  ];
  const resolution = [...toBytes([720, 0]), ...toBytes([1, 0])];
  const sizes = [2, 0, ...long(0xa002, width / 10), ...long(0xa003, height / 10), 0, 0, 0, 0];
  const tiff = [...Buffer.from('II*\0'), 8, 0, 0, 0, ...main, ...resolution, ...sizes];
  const segment = [...Buffer.from('Exif\0\0'), ...tiff];
  const header = [0xff, 0xe1, 0, segment.length + 2];
  const bytes = Buffer.from(base64, 'base64');
  return Buffer.concat([
    bytes.subarray(0, 2),
    Buffer.from([...header, ...segment]),
    bytes.subarray(2),
  ]).toString('base64');
}

/** Little endian, two bytes each. */
function toBytes(values: readonly number[]): number[] {
  return values.flatMap((value) => [value & 255, (value >>> 8) & 255]);
}
