import * as http from 'node:http';
import * as net from 'node:net';
import { listen } from '../../client/support/servers';

/** A proxy on loopback that supports CONNECT only and sends every host to one local port. */
export interface TestProxy {
  readonly url: string;
  /** The requested hosts, with port. */
  readonly asked: readonly string[];
  /** All bytes that clients sent through its tunnels. */
  readonly seen: () => string;
}

/**
 * Starts a proxy. With `credentials` (`user:password`), it responds 407 to requests without them.
 * `stopServers` stops it.
 */
export async function startProxy(port: () => number, credentials?: string): Promise<TestProxy> {
  const asked: string[] = [];
  const bytes: Buffer[] = [];
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server = http.createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, client: net.Socket) => {
    asked.push(request.url ?? '');
    if (expected && request.headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const target = net.connect(port(), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.on('data', (data) => bytes.push(data));
      client.pipe(target).pipe(client);
    });
    // Closing either end closes the other.
    target.on('error', () => client.destroy());
    client.on('error', () => target.destroy());
    client.on('close', () => target.destroy());
  });
  const { port: proxyPort } = await listen(server, []);
  const url = `http://${credentials ? `${credentials}@` : ''}127.0.0.1:${proxyPort}`;
  return { url, asked, seen: () => Buffer.concat(bytes).toString('latin1') };
}
