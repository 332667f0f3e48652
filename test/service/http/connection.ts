import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const socketsCutByService = new WeakSet<Socket>();

/** Ends a connection during a response: `fin` as a server that stops, `reset` as one that crashes (RST). */
export function cut(socket: Socket, how: 'fin' | 'reset'): void {
  socketsCutByService.add(socket);
  if (how === 'reset') socket.resetAndDestroy();
  else socket.destroySoon();
}

export function wasCutByService(socket: Socket): boolean {
  return socketsCutByService.has(socket);
}

/** Writes with backpressure: resolves when there is room again or the client has disconnected. */
export function write(res: ServerResponse, data: string | Uint8Array): Promise<void> {
  if (res.destroyed || res.writableEnded || res.write(data)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

/** Resolves when either side has ended the response. */
export function waitUntilClosed(res: ServerResponse): Promise<void> {
  return res.closed || res.destroyed
    ? Promise.resolve()
    : new Promise((resolve) => res.once('close', () => resolve()));
}

/** Resolves after `ms` (never for Infinity), or immediately when the client disconnects. */
export function pause(res: ServerResponse, ms: number): Promise<void> {
  if (!Number.isFinite(ms) || res.closed || res.destroyed) return waitUntilClosed(res);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      res.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    res.once('close', done);
  });
}
