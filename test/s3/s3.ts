import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureFolderInstalled } from '../../scripts/installFolder';
import type { ObjectStorage } from '../service/settings';

const BUCKET = 'parley';
/** s3rver's only account, which it has by default. */
const ACCOUNT = 'S3RVER';

/** The parts of the packages used here. They are installed on demand, so their types aren't available. */
interface S3rver {
  configureBuckets(): Promise<unknown>;
  callback(): http.RequestListener;
}
interface Packages {
  readonly S3rver: new (options: object) => S3rver;
  readonly S3Client: new (
    options: object,
  ) => {
    send(command: object): Promise<{ Body: { transformToByteArray(): Promise<Uint8Array> } }>;
    destroy(): void;
  };
  readonly PutObjectCommand: new (input: object) => object;
  readonly GetObjectCommand: new (input: object) => object;
  readonly getSignedUrl: (client: object, command: object, options: object) => Promise<string>;
}

export interface S3 extends ObjectStorage {
  /** The headers of each PUT. */
  readonly puts: readonly http.IncomingHttpHeaders[];
  close(): Promise<void>;
}

/**
 * Starts an S3 on loopback that verifies signatures (`@20minutes/s3rver`). Amazon's SDK signs the URLs;
 * chunked bodies are rejected with 501, as S3 does.
 */
export async function startS3(): Promise<S3> {
  const { S3rver, S3Client, PutObjectCommand, GetObjectCommand, getSignedUrl } = await loadPackages();
  const directory = await mkdtemp(path.join(tmpdir(), 'parley-s3-'));
  const s3rver = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET }] });
  await s3rver.configureBuckets();
  const handle = s3rver.callback();
  const puts: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    if (request.method === 'PUT') puts.push(request.headers);
    if (request.headers['transfer-encoding'] === undefined) return handle(request, response);
    // s3rver accepts chunked bodies, which Amazon rejects.
    request.resume();
    const message = 'A header you provided implies functionality that is not implemented';
    response
      .writeHead(501, { 'Content-Type': 'application/xml' })
      .end(`<Error><Code>NotImplemented</Code><Message>${message}</Message></Error>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    credentials: { accessKeyId: ACCOUNT, secretAccessKey: ACCOUNT },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return {
    puts,
    presign(key, contentType, expired) {
      const put = new PutObjectCommand({ Bucket: BUCKET, Key: key, ContentType: contentType });
      return getSignedUrl(client, put, {
        expiresIn: 60,
        signableHeaders: new Set(['content-type']),
        ...(expired && { signingDate: new Date(Date.now() - 120_000) }),
      });
    },
    async read(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }));
        return Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
        throw error;
      }
    },
    async close() {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function loadPackages(): Promise<Packages> {
  await ensureFolderInstalled(__dirname, 'an S3 to upload to');
  const load = createRequire(path.join(__dirname, 'package.json'));
  return {
    S3rver: load('@20minutes/s3rver'),
    ...load('@aws-sdk/client-s3'),
    ...load('@aws-sdk/s3-request-presigner'),
  };
}
