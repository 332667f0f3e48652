import type { OpenedFile } from '../../chat/documents/fileToUpload';

/** Wraps bytes in memory as an opened file. */
export function openBytes(bytes: Uint8Array<ArrayBuffer>): OpenedFile {
  const blob = new Blob([bytes]);
  return {
    body: { size: blob.size, open: () => blob },
    sha256: async () => hashBytes(new Uint8Array(await blob.arrayBuffer())),
    unchanged: async () => true,
    close: async () => undefined,
  };
}

/** Returns the SHA-256 hash in hexadecimal. */
export async function hashBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
