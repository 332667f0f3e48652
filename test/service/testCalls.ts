import { request } from 'node:http';
import type { LocalService } from './localService';

/** A parsed answer; tests look into `body` freely. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes, checked by assertions.
  readonly body: any;
}

/** One API call with the key, redirects not followed. */
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

export async function newConversation(service: LocalService, bot_id = 'echo'): Promise<string> {
  return (await call(service, 'POST /conversations', { name: 'Test', bot_id })).body.data.id;
}

/** Sends a message and gives the URL of its reply's stream. */
export async function streamUrl(
  service: LocalService,
  content = 'one two three',
  conversation_id?: string,
): Promise<string> {
  const message = { content, redirect: false, ...(conversation_id && { conversation_id }) };
  return (await call(service, 'POST /messages/stream', message)).body.data.stream_url;
}

/** Sends a message to Echo in a conversation of its own, and gives the URL of its stream. */
export async function echoUrl(service: LocalService, content = 'one two three'): Promise<string> {
  return streamUrl(service, content, await newConversation(service));
}

/** Uploads bytes and makes a document of them. */
export async function upload(
  service: LocalService,
  conversation_id: string,
  file_name: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  content_type = 'text/plain',
): Promise<Reply> {
  const signed = (await call(service, 'POST /uploads/signed-url', { file_name, content_type })).body;
  const { url, key } = signed.data ?? signed;
  const put = await fetch(url, { method: 'PUT', body: bytes, headers: { 'Content-Type': content_type } });
  if (!put.ok) throw new Error(`PUT answered ${put.status}: ${await put.text()}`);
  return call(service, 'POST /documents/file', { key, file_name, conversation_id });
}

/** What came over a raw request: how far the body got, and the error that ended it. */
export interface RawResult {
  readonly status: number | undefined;
  readonly body: string;
  readonly error: string | undefined;
}

/** A request below fetch: chosen headers, bodies and half answers. Resolves also when the connection fails. */
export function raw(
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
