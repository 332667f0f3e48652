/**
 * Returns the ID here of a conversation that a service has: the same in every window, so that two windows don't add it
 * twice.
 */
export function createRestoredId(place: { readonly baseUrl: string; readonly id: string }): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${place.baseUrl} ${place.id}`))
    hash = Math.imul(hash ^ byte, 0x01000193);
  return `${place.id.replace(/[^\w-]/g, '_').slice(0, 60)}-${(hash >>> 0).toString(16)}`;
}
