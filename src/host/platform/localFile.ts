import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import type { OpenedFile } from '../../chat/documents/fileToUpload';
import { FileChangedError } from '../../chat/model/failure';
import { HEAD_BYTES } from './platform';

export interface LocalFile extends OpenedFile {
  /** The path of the opened file, after resolving symbolic links. */
  readonly realPath: string;
  /** The first bytes of the file, at most `HEAD_BYTES`. */
  readonly head: Uint8Array;
}

/** Opens a local file: it is inspected and sent through one descriptor. Throws the file system's error. */
export async function openLocalFile(path: string): Promise<LocalFile> {
  // Non-blocking, so that opening a named pipe does not wait for a writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) throw new FileChangedError(path);
    const realPath = await realpath(path);
    // The path may point elsewhere by now: the real path must be that of the descriptor.
    if (!isSameFile(await stat(realPath, { bigint: true }), before)) throw new FileChangedError(path);
    const size = Number(before.size);
    const head = new Uint8Array(Math.min(HEAD_BYTES, size));
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    return {
      realPath,
      head: head.subarray(0, bytesRead),
      body: { size, open: () => createStream(handle, size) },
      // Reads the file again, from the system's cache: hashing while sending would halve the throughput of a
      // fast connection.
      sha256: () => computeHash(handle, size),
      async unchanged() {
        const now = await handle.stat({ bigint: true });
        return now.size === before.size && now.mtimeNs === before.mtimeNs && now.nlink > 0n;
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** Hashing this many bytes takes about a millisecond. */
const HASH_CHUNK_BYTES = 1024 * 1024;
/** Larger chunks have less overhead per byte. */
const SEND_CHUNK_BYTES = 4 * 1024 * 1024;

/**
 * Creates a stream of the descriptor's first `size` bytes, which fails if there are fewer. All chunks share
 * one buffer.
 */
function createStream(handle: FileHandle, size: number): ReadableStream<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(SEND_CHUNK_BYTES, size));
  let position = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (position === size) return controller.close();
        const length = Math.min(buffer.length, size - position);
        const { bytesRead } = await handle.read(buffer, 0, length, position);
        if (bytesRead === 0) throw new FileChangedError('The file shrank while it was read');
        position += bytesRead;
        controller.enqueue(buffer.subarray(0, bytesRead));
      },
    },
    { highWaterMark: 0 },
  );
}

async function computeHash(handle: FileHandle, size: number): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(Math.min(HASH_CHUNK_BYTES, size));
  for (let position = 0; position < size; ) {
    const length = Math.min(buffer.length, size - position);
    const { bytesRead } = await handle.read(buffer, 0, length, position);
    if (bytesRead === 0) throw new FileChangedError('The file shrank while it was read');
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return hash.digest('hex');
}
