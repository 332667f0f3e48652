import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { FileChangedError } from '../../chat/model/failure';
import type { OpenedFile } from '../../chat/uploads/fileToUpload';
import { HEAD_BYTES } from './platform';

export interface LocalFile extends OpenedFile {
  /** Where the opened file really lies, links resolved. */
  readonly realPath: string;
  /** Its beginning, at most `HEAD_BYTES`. */
  readonly head: Uint8Array;
}

/** Opens a file of this machine: one descriptor, looked at once and sent. Throws what the file system says. */
export async function openLocalFile(path: string): Promise<LocalFile> {
  // Non-blocking, so that opening a named pipe does not wait for its writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) throw new FileChangedError(path);
    const realPath = await realpath(path);
    // The path may lead elsewhere by now: the real path must be the descriptor's.
    if (!isSameFile(await stat(realPath, { bigint: true }), before)) throw new FileChangedError(path);
    const size = Number(before.size);
    const head = new Uint8Array(Math.min(HEAD_BYTES, size));
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    return {
      realPath,
      head: head.subarray(0, bytesRead),
      body: { size, open: () => createStream(handle, size) },
      // Read once more, from the system's cache: hashing on the way would halve what a fast connection takes.
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

/** Bytes hashed at once: about a millisecond's work. */
const HASH_CHUNK = 1024 * 1024;
/** Bytes. Large pieces cost little each. */
const CHUNK = 4 * 1024 * 1024;

/** The descriptor's first `size` bytes; an error where it has fewer. Each piece takes the memory of the one before. */
function createStream(handle: FileHandle, size: number): ReadableStream<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, size));
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
  const buffer = Buffer.allocUnsafeSlow(Math.min(HASH_CHUNK, size));
  for (let position = 0; position < size; ) {
    const length = Math.min(buffer.length, size - position);
    const { bytesRead } = await handle.read(buffer, 0, length, position);
    if (bytesRead === 0) throw new FileChangedError('The file shrank while it was read');
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return hash.digest('hex');
}
