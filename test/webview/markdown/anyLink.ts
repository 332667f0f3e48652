/** Replaces the renderer's link policy in tests of what is parsed, not of what is allowed. */
export function linkHref(destination: string): string {
  return destination;
}

export function imageSource(destination: string): string {
  return destination;
}
