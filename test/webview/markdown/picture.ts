import { PNG } from 'pngjs';

/** Creates a black PNG picture in shades of gray, in base64. */
export function createPicture(width: number, height: number): string {
  const options = { bitDepth: 8, colorType: 0, inputColorType: 0, filterType: 0, deflateLevel: 1 } as const;
  const picture = new PNG({ width, height });
  picture.data = Buffer.alloc(width * height);
  return PNG.sync.write(picture, options).toString('base64');
}
