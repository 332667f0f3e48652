import type { Api } from './api';
import { ServiceError } from './serviceError';
import { findUrlProblem } from './urlRules';

/** What an upload sends. */
export interface UploadBody {
  /** In bytes. */
  readonly size: number;
  /**
   * A fresh body for one attempt: a Blob where fetch needs one (web), else a stream of exactly `size` bytes, whose pieces
   * may each take the memory of the one before.
   */
  open(): Blob | ReadableStream<Uint8Array> | Promise<Blob>;
}

export interface Upload {
  readonly url: string;
  readonly contentType: string;
  readonly file: UploadBody;
}

export interface PutFileOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told the bytes handed to the transport so far; of a Blob only that all of them went. */
  readonly onProgress?: ((bytesSent: number) => void) | undefined;
}

/**
 * PUTs a file to a signed URL, once (docs/service.md: PUT {url}): with its `Content-Type` and without the key.
 *
 * Throws ServiceError, or what the file's own stream failed with.
 */
export async function putFile(
  api: Api,
  { url, contentType, file }: Upload,
  { signal, onProgress }: PutFileOptions,
): Promise<void> {
  const operation = 'PUT {url}';
  const problem = findUrlProblem(url, api.context.apiOrigin);
  if (problem) {
    const message = `a URL that is refused (${problem})`;
    throw new ServiceError('refusedUrl', { operation, message, reason: problem, maySend: true });
  }
  const key = await api.key();
  const body = await file.open();
  const counted = body instanceof Blob ? undefined : new CountedStream(body, file.size);
  const exchange = api.exchange(
    {
      operation,
      method: 'PUT',
      url,
      headers: { 'Content-Type': contentType, ...(counted && { 'Content-Length': String(file.size) }) },
      body: counted?.stream ?? body,
      withKey: false,
      key,
      repeat: 'always',
      // Nobody sees a Blob go out: only the caller can tell when it takes too long.
      headerDeadline: counted && api.deadlines.quietUpload,
    },
    signal,
  );
  if (counted) {
    counted.onBytes = (sent) => {
      exchange.setDeadline(api.deadlines.quietUpload);
      onProgress?.(sent);
    };
  }
  try {
    const response = await exchange.send();
    await exchange.throwUnlessOk(response);
    if (!counted) onProgress?.(file.size);
    exchange.succeed();
  } catch (error) {
    if (counted?.isWrongSize) {
      throw exchange.fail('interrupted', 'the file changed while it was sent', { reason: 'bodyLength' });
    }
    throw counted?.failure ?? error;
  } finally {
    exchange.close();
  }
}

/** Passes a stream on, chunk by chunk as it is asked for, and errs where it isn't exactly as long as was said. */
class CountedStream {
  readonly stream: ReadableStream<Uint8Array>;
  onBytes: (bytesSent: number) => void = () => undefined;
  /** What the source failed with. */
  failure: unknown;
  isWrongSize = false;

  constructor(source: ReadableStream<Uint8Array>, size: number) {
    const reader = source.getReader();
    const read = () =>
      reader.read().catch((error: unknown) => {
        this.failure = error;
        throw error;
      });
    let sent = 0;
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await read();
          sent += value?.byteLength ?? 0;
          // The last piece waits until nothing follows it: with all its bytes there, the storage would keep a cut file.
          const isAll = done || (sent === size && (await read()).done);
          if (sent > size || (sent === size) !== isAll) {
            this.isWrongSize = true;
            // Nobody is left to be told of an error of its closing.
            void reader.cancel().catch(() => undefined);
            throw new Error('The stream is not as long as was said');
          }
          if (!done) {
            controller.enqueue(value);
            this.onBytes(sent);
          }
          if (isAll) controller.close();
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}
