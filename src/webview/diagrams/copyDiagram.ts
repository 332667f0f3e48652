import type { InertSvg } from './inertSvg';

/** Pixels of the copied image per px of the diagram, so that it is sharp when enlarged. */
const PNG_SCALE = 2;
/** The longest side of a copied image: the limit of browsers is twice that. */
const MAX_PNG_SIDE = 8192;

/** Returns the address of an image of the diagram. As an image, it can't run or load anything. */
export function toImageUrl({ markup }: InertSvg): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(markup)}`;
}

/** Copies the diagram as a PNG image. Throws if the browser doesn't allow it. */
export async function copyPng(svg: InertSvg): Promise<void> {
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': createPng(svg) })]);
}

/** Draws the diagram as a PNG image. */
export async function createPng(svg: InertSvg): Promise<Blob> {
  const image = new Image();
  image.src = toImageUrl(svg);
  await image.decode();
  const scale = Math.min(PNG_SCALE, MAX_PNG_SIDE / Math.max(svg.width, svg.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(svg.width * scale));
  canvas.height = Math.max(1, Math.round(svg.height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The image is too large'))),
      'image/png',
    ),
  );
}
