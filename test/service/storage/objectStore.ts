import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { spoilAnswer } from '../faults/answerFaults';
import { isIssueFault, isPutFault, isSlow, type PutFault } from '../faults/faults';
import { cut, pause } from '../http/connection';
import { type Exchange, type Handler, send } from '../http/http';
import type { SignedUpload } from '../records';
import type { ServiceState } from '../state';

const BUCKET_PATH = '/parley-local/';
const MAX_OBJECT_BYTES = 2 ** 31;
const URL_SECONDS = 900;

/** Creates a key and a signed URL for a new upload. */
export async function signUpload(
  state: ServiceState,
  upload: SignedUpload,
  expired: boolean,
): Promise<{ url: string; key: string }> {
  const key = addUpload(state, upload);
  const { objectStorage } = state.settings;
  if (objectStorage) return { url: await objectStorage.presign(key, upload.contentType, expired), key };
  const path = BUCKET_PATH + encodeURI(key);
  const query = state.signer.createQuery(
    { method: 'PUT', path, contentType: upload.contentType },
    expired ? -60 : URL_SECONDS,
  );
  return { url: `${state.origins.storage}${path}?${query}`, key };
}

function addUpload(state: ServiceState, upload: SignedUpload): string {
  const key = `tmp/${randomUUID()}${extname(upload.fileName).toLowerCase()}`;
  state.uploads.set(key, upload);
  return key;
}

/** Stores bytes from an API request; returns their key. */
export function storeObject(state: ServiceState, upload: SignedUpload, bytes: Buffer): string {
  const key = addUpload(state, upload);
  state.objects.set(key, bytes);
  return key;
}

/** Returns a signed URL for a stored object, used as a document's `content_url`. */
export function signDownload(state: ServiceState, key: string): string {
  const path = BUCKET_PATH + encodeURI(key);
  return `${state.origins.storage}${path}?${state.signer.createQuery({ method: 'GET', path }, URL_SECONDS)}`;
}

/** Creates the object store: signed PUT and GET as in Amazon S3, with XML errors. */
export function createObjectStore(state: ServiceState): Handler {
  return async (exchange) => {
    state.recorder.add(exchange.record);
    const { req, url } = exchange;
    if (req.headers.authorization !== undefined) {
      return refuse(exchange, 400, 'InvalidArgument', 'Only one auth mechanism allowed.');
    }
    const key = decodeURI(url.pathname).slice(BUCKET_PATH.length);
    if (!url.pathname.startsWith(BUCKET_PATH) || !state.uploads.has(key)) {
      return refuse(exchange, 404, 'NoSuchKey', 'The specified key does not exist.');
    }
    if (req.method === 'PUT') return putObject(state, exchange, key);
    if (req.method === 'GET') return getObject(state, exchange, key);
    return refuse(exchange, 405, 'MethodNotAllowed', 'The specified method is not allowed.');
  };
}

async function getObject(state: ServiceState, exchange: Exchange, key: string): Promise<void> {
  if (await spoilAnswer(state, 'GET object', exchange)) return;
  if (!checkSignature(state, exchange, { method: 'GET', path: exchange.url.pathname })) return;
  const bytes = state.objects.get(key);
  if (!bytes) return refuse(exchange, 404, 'NoSuchKey', 'The specified key does not exist.');
  send(exchange.res, 200, bytes, { 'Content-Type': state.uploads.get(key)?.contentType ?? '' });
}

async function putObject(state: ServiceState, exchange: Exchange, key: string): Promise<void> {
  const { req, res, url } = exchange;
  // Peeked before `spoilAnswer` uses the fault up: its delay applies there, its rate here.
  const slow = state.faults.peek('PUT object', isSlow);
  if (await spoilAnswer(state, 'PUT object', exchange)) return;
  const contentType = req.headers['content-type'] ?? '';
  if (!checkSignature(state, exchange, { method: 'PUT', path: url.pathname, contentType })) return;
  if (req.headers['transfer-encoding'] !== undefined) {
    return refuse(exchange, 501, 'NotImplemented', 'Transfer-Encoding is not implemented.');
  }
  const length = Number(req.headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length)) {
    return refuse(exchange, 411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  }
  if (length > MAX_OBJECT_BYTES) {
    return refuse(exchange, 400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size.');
  }
  if (state.faults.take('PUT object', isIssueFault)) return refuseExpired(exchange);
  const fault = state.faults.take('PUT object', isPutFault);
  const bytes = Buffer.allocUnsafe(state.settings.discardUploads ? 0 : length);
  if (!(await receive(exchange, bytes, fault, slow?.bytesPerSecond))) return;
  if (fault?.name === 'put-503') return refuse(exchange, 503, 'SlowDown', 'Please reduce your request rate.');
  state.objects.set(key, bytes);
  send(res, 200, '', { ETag: `"${randomUUID()}"` });
}

/** Reads the body into `bytes`; returns false if the client disconnected or a fault has answered. */
async function receive(
  exchange: Exchange,
  bytes: Buffer,
  fault: PutFault | undefined,
  bytesPerSecond = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { req, res, record } = exchange;
  const length = Number(req.headers['content-length']);
  const breaksAfter = fault && fault.name !== 'put-503' ? (fault.afterBytes ?? length / 2) : Infinity;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (bytes.length > 0) chunk.copy(bytes, record.receivedBytes);
      record.receivedBytes += chunk.length;
      if (record.receivedBytes >= breaksAfter) {
        if (fault?.name === 'put-reset') cut(req.socket, 'reset');
        else refuse(exchange, 403, 'AccessDenied', 'Request has expired');
        return false;
      }
      if (Number.isFinite(bytesPerSecond)) await pause(res, (chunk.length / bytesPerSecond) * 1000);
    }
  } catch (error) {
    // The client disconnected during the upload, so no response is possible.
    if (req.destroyed && !req.complete) return false;
    throw error;
  }
  return true;
}

/** Answers 403 and returns false unless the request has a valid signature. */
function checkSignature(
  state: ServiceState,
  exchange: Exchange,
  request: Parameters<typeof state.signer.check>[0],
): boolean {
  const problem = state.signer.check(request, exchange.url.searchParams);
  if (problem === 'expired') refuseExpired(exchange);
  else if (problem === 'unsigned') refuse(exchange, 403, 'AccessDenied', 'Access Denied');
  else if (problem === 'mismatch') {
    const message = 'The request signature we calculated does not match the signature you provided.';
    refuse(exchange, 403, 'SignatureDoesNotMatch', message);
  }
  return problem === undefined;
}

function refuseExpired(exchange: Exchange): void {
  refuse(exchange, 403, 'AccessDenied', 'Request has expired');
}

function refuse({ req, res }: Exchange, status: number, code: string, message: string): void {
  // Drain the rest of the body, or the client gets a reset instead of this response.
  req.resume();
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  send(res, status, xml, { 'Content-Type': 'application/xml' });
}
