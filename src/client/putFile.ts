import type { Api } from './api';
import { ServiceError } from './serviceError';
import { findUrlProblem } from './urlRules';

/** The contents of an upload. */
export interface UploadBody {
  /** In bytes. */
  readonly size: number;
  /**
   * Returns a new body for one attempt: a Blob if fetch requires it (web), otherwise a stream of exactly
   * `size` bytes, whose chunks may reuse the memory of the previous one.
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
  /** Called with the bytes passed to the transport so far; for a Blob only at the end. */
  readonly onProgress?: ((bytesSent: number) => void) | undefined;
}

/**
 * PUTs a file to a signed URL, once (docs/service.md: PUT {url}), with its `Content-Type` and without the
 * key.
 *
 * Throws ServiceError, or the error of the file's stream.
 */
export async function putFile(
  api: Api,
  { url, contentType, file }: Upload,
  { signal, onProgress }: PutFileOptions,
): Promise<void> {
  const operation = 'PUT {url}';
  const problem = findUrlProblem(url, api.context.apiOrigin);
  if (problem) {
    const message = `refused URL (${problem})`;
    throw new ServiceError('refusedUrl', { operation, message, reason: problem, maySend: true });
  }
  const key = await api.getKey();
  const body = await file.open();
  const counted = body instanceof Blob ? undefined : new CountedStream(body, file.size);
  const exchange = api.createExchange(
    {
      operation,
      method: 'PUT',
      url,
      headers: { 'Content-Type': contentType, ...(counted && { 'Content-Length': String(file.size) }) },
      body: counted?.stream ?? body,
      withKey: false,
      key,
      repeat: 'always',
      // The progress of a Blob isn't visible: only the caller can decide that it takes too long.
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
    exchange.markSucceeded();
  } catch (error) {
    if (counted?.isWrongSize) {
      throw exchange.createError('interrupted', 'the file changed while it was sent', {
        reason: 'bodyLength',
      });
    }
    throw counted?.failure ?? error;
  } finally {
    exchange.closeConnection();
  }
}

/** Passes a stream through chunk by chunk, and fails if its length differs from the expected one. */
class CountedStream {
  readonly stream: ReadableStream<Uint8Array>;
  onBytes: (bytesSent: number) => void = () => undefined;
  /** The source's error. */
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
          // Hold back the last chunk until the source has ended: given all expected bytes, the storage would
          // keep a truncated file.
          const isAll = done || (sent === size && (await read()).done);
          if (sent > size || (sent === size) !== isAll) {
            this.isWrongSize = true;
            // Nothing can handle a failure to cancel.
            void reader.cancel().catch(() => undefined);
            throw new Error('The stream does not have the announced length');
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
