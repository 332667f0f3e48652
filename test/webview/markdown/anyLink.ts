/** Replaces the renderer's link policy and its limits of pictures in tests of what is parsed, not of what is allowed. */
export function getAllowedHref(destination: string): string {
  return destination;
}

export function getAllowedImageSource(destination: string): string {
  return destination;
}

export function showPicture(image: HTMLImageElement, source: string): void {
  image.setAttribute('src', source);
}
