import { request } from 'node:http';
import type { LocalService } from '../localService';

/** A parsed response; `body` is untyped for assertions. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes, checked by assertions.
  readonly body: any;
}

/** Calls an API operation with the key, without following redirects. */
export async function call(
  service: LocalService,
  operation: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const [method = '', path = ''] = operation.split(' ');
  const response = await fetch(service.baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      Authorization: `Bearer ${service.key}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

export async function createConversation(service: LocalService, bot_id = 'echo'): Promise<string> {
  return (await call(service, 'POST /conversations', { name: 'Test', bot_id })).body.data.id;
}

/** Sends a message; resolves to the URL of its reply's stream. */
export async function requestStreamUrl(
  service: LocalService,
  content = 'one two three',
  conversation_id?: string,
): Promise<string> {
  const message = { content, redirect: false, ...(conversation_id && { conversation_id }) };
  return (await call(service, 'POST /messages/stream', message)).body.data.stream_url;
}

/** Sends a message to Echo in a new conversation; resolves to the URL of its stream. */
export async function requestEchoUrl(service: LocalService, content = 'one two three'): Promise<string> {
  return requestStreamUrl(service, content, await createConversation(service));
}

/** Uploads bytes and creates a document from them; `fields` go to POST /documents/file too. */
export async function upload(
  service: LocalService,
  conversation_id: string,
  file_name: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  content_type = 'text/plain',
  fields: object = {},
): Promise<Reply> {
  const signed = (await call(service, 'POST /uploads/signed-url', { file_name, content_type })).body;
  const { url, key } = signed.data ?? signed;
  const put = await fetch(url, { method: 'PUT', body: bytes, headers: { 'Content-Type': content_type } });
  if (!put.ok) throw new Error(`PUT answered ${put.status}: ${await put.text()}`);
  return call(service, 'POST /documents/file', { key, file_name, conversation_id, ...fields });
}

/** The result of a raw request: the part of the body that arrived, and the error that ended it. */
export interface RawResult {
  readonly status: number | undefined;
  readonly body: string;
  readonly error: string | undefined;
}

/**
 * Sends a request below fetch, with custom headers and body chunks. Also resolves if the connection fails.
 */
export function sendRaw(
  url: string,
  { method = 'GET', headers = {}, chunks = [] as readonly string[] } = {},
): Promise<RawResult> {
  return new Promise((resolve) => {
    let status: number | undefined;
    let body = '';
    const finish = (error?: Error) => {
      const code = error && ((error as NodeJS.ErrnoException).code ?? error.message);
      resolve({ status, body, error: code });
    };
    const req = request(url, { method, headers, agent: false }, (res) => {
      status = res.statusCode;
      res.setEncoding('utf8');
      res.on('data', (text: string) => {
        body += text;
      });
      res.on('end', () => finish()).on('error', finish);
    });
    req.on('error', finish);
    for (const chunk of chunks) req.write(chunk);
    req.end();
  });
}
