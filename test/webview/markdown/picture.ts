import { PNG } from 'pngjs';

/** Creates a PNG picture in one shade of gray, in base64. */
export function createPicture(width: number, height: number, gray = 0): string {
  const options = { bitDepth: 8, colorType: 0, inputColorType: 0, filterType: 0, deflateLevel: 1 } as const;
  const picture = new PNG({ width, height });
  picture.data = Buffer.alloc(width * height, gray);
  return PNG.sync.write(picture, options).toString('base64');
}

/** Creates a GIF picture whose only frame has another size, and hardly any pixels. */
export function createGif(size: readonly [number, number], frame: readonly [number, number]): string {
  const screen = [...Buffer.from('GIF89a'), ...toBytes(size), 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  return Buffer.from([...screen, 0x2c, 0, 0, 0, 0, ...toBytes(frame), 0, 2, 2, 0x44, 1, 0, 0x3b]).toString(
    'base64',
  );
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
