import { gzipSync } from 'node:zlib';
import type { Operation } from '../api/operations';
import { cut, pause, waitUntilClosed } from '../http/connection';
import { type Exchange, LOOP_START, send, sendJson } from '../http/http';
import type { ServiceState } from '../state';
import { type AnswerFault, isAnswerFault, isSlow } from './faults';

/**
 * Delays the response to `operation` or replaces it if a fault asks for it. Returns true if the request was
 * answered here.
 */
export async function spoilAnswer(
  state: ServiceState,
  operation: Operation,
  exchange: Exchange,
): Promise<boolean> {
  const slow = state.faults.take(operation, isSlow);
  if (slow?.delayMs) await pause(exchange.res, slow.delayMs);
  if (exchange.res.destroyed) return true;
  const fault = state.faults.take(operation, isAnswerFault);
  if (!fault) return false;
  exchange.req.resume();
  await answer(fault, exchange);
  return true;
}

const html = '<!doctype html><html><head><title>Gateway</title></head><body><h1>It works!</h1></body></html>';

async function answer(fault: AnswerFault, { req, res }: Exchange): Promise<void> {
  switch (fault.name) {
    case 'status': {
      const text = typeof fault.body === 'string' || fault.body === undefined;
      const contentType = fault.contentType ?? (text ? 'text/html' : 'application/json');
      const body = text ? ((fault.body as string | undefined) ?? '') : JSON.stringify(fault.body);
      return send(res, fault.status, body, { 'Content-Type': contentType, ...fault.headers });
    }
    case 'html-200':
      return send(res, 200, html, { 'Content-Type': 'text/html; charset=utf-8' });
    case 'empty-200':
      return send(res, 200, '', { 'Content-Type': 'application/json' });
    case 'empty-204':
      res.writeHead(204).end();
      return;
    case 'errors-null':
      return sendJson(res, fault.status ?? 422, { message: 'The given data was invalid.', errors: null });
    case 'errors-string':
      return sendJson(res, fault.status ?? 422, {
        message: 'The given data was invalid.',
        errors: 'Something is wrong with the name.',
      });
    case 'errors-huge':
      return sendJson(res, fault.status ?? 422, {
        message: 'The given data was invalid.',
        errors: { name: ['too long '.repeat(120_000)] },
      });
    case 'retry-after':
      return sendJson(
        res,
        fault.status ?? 429,
        { message: 'Too many requests.' },
        { 'Retry-After': fault.value },
      );
    case 'redirect':
      return send(
        res,
        fault.status ?? 302,
        '',
        fault.location === undefined ? {} : { Location: fault.location },
      );
    case 'redirect-loop':
      return send(res, fault.status ?? 302, '', { Location: LOOP_START });
    case 'corrupt-gzip': {
      const body = gzipSync(JSON.stringify({ data: { text: 'corrupt '.repeat(1000) } }), { level: 0 });
      body.fill(0xff, 10, 40);
      return send(res, 200, body, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
    }
    case 'headers-too-big':
      return sendJson(res, 200, {}, { 'X-Padding': 'x'.repeat(fault.bytes ?? 20_480) });
    case 'garbage':
      req.socket.write('\x16\x03\x01 this is not HTTP\r\n\r\n');
      return cut(req.socket, 'fin');
    case 'fin-before-headers':
      return cut(req.socket, 'fin');
    case 'reset':
      return cut(req.socket, 'reset');
    case 'hang':
      return waitUntilClosed(res);
    case 'headers-trickle':
      req.socket.write('HTTP/1.1 200 OK\r\n');
      for (let line = 0; !res.destroyed; line += 1) {
        req.socket.write(`X-Trickle-${line}: still not done\r\n`);
        await pause(res, fault.intervalMs ?? 50);
      }
  }
}
