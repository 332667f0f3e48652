import type { OpenedFile } from '../../chat/fileToUpload';

/** What is in memory, as a file. */
export function openBytes(bytes: Uint8Array<ArrayBuffer>): OpenedFile {
  const blob = new Blob([bytes]);
  return {
    body: { size: blob.size, open: () => blob },
    async sha256() {
      const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    unchanged: async () => true,
    close: async () => undefined,
  };
}
