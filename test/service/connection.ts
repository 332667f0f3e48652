import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const cutByService = new WeakSet<Socket>();

/** Ends a connection under its answer: `fin` as a server that stops, `reset` as one that dies (RST). */
export function cut(socket: Socket, how: 'fin' | 'reset'): void {
  cutByService.add(socket);
  if (how === 'reset') socket.resetAndDestroy();
  else socket.destroySoon();
}

export function wasCutByService(socket: Socket): boolean {
  return cutByService.has(socket);
}

/** Writes with backpressure: resolves when there is room again, or when the client has left. */
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

/** Resolves when the answer is over, by either side. */
export function closed(res: ServerResponse): Promise<void> {
  return res.closed || res.destroyed
    ? Promise.resolve()
    : new Promise((resolve) => res.once('close', () => resolve()));
}

/** Resolves after `ms` (Infinity: never), or at once when the client leaves. */
export function pause(res: ServerResponse, ms: number): Promise<void> {
  if (!Number.isFinite(ms) || res.closed || res.destroyed) return closed(res);
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
