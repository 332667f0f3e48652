/** Stands in for the renderer's link policy where tests look at what was parsed, not at what is allowed. */
export function linkHref(destination: string): string {
  return destination;
}

export function imageSource(destination: string): string {
  return destination;
}
