import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { FileChangedError } from '../../chat/failure';
import type { OpenedFile } from '../../chat/uploads';
import { createNodeFetch } from './nodeFetch';
import type { Platform } from './platform';
import { openWorkspaceFile } from './workspaceFile';

/** Node's extension host: `http(s).request`, and local files streamed from one descriptor. */
export const platform: Platform = {
  fetch: createNodeFetch(),
  openFile: (uri) => (uri.scheme === 'file' ? openLocalFile(uri.fsPath) : openWorkspaceFile(uri)),
};

async function openLocalFile(path: string): Promise<OpenedFile> {
  // Non-blocking, so that opening a named pipe does not wait for its writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const before = await handle.stat();
  if (!before.isFile()) {
    await handle.close();
    throw new FileChangedError(path);
  }
  return {
    body: { size: before.size, open: () => streamOf(handle, before.size) },
    async unchanged() {
      const now = await handle.stat();
      return now.size === before.size && now.mtimeMs === before.mtimeMs;
    },
    close: () => handle.close(),
  };
}

const CHUNK = 256 * 1024;

/** The descriptor's first `size` bytes; an error where it has fewer. */
function streamOf(handle: FileHandle, size: number): ReadableStream<Uint8Array> {
  let position = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (position === size) return controller.close();
        const buffer = new Uint8Array(Math.min(CHUNK, size - position));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
        if (bytesRead === 0) throw new FileChangedError('The file shrank while it was read');
        position += bytesRead;
        controller.enqueue(buffer.subarray(0, bytesRead));
      },
    },
    { highWaterMark: 1 },
  );
}
