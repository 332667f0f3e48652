import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface SignedRequest {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  /** Part of the signature of a PUT. */
  readonly contentType?: string;
}

/** Signs URLs like Amazon S3: a presigned URL allows one request until it expires. */
export class Signer {
  readonly #secret = randomBytes(32);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Creates the query of a signed URL; `seconds` may be negative for an expired one. */
  createQuery(request: SignedRequest, seconds: number): string {
    const date = new Date(this.#now() + Math.min(seconds, 0) * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
    const query = new URLSearchParams({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': `LOCAL/${date.slice(0, 8)}/local/s3/aws4_request`,
      'X-Amz-Date': date,
      'X-Amz-Expires': String(Math.max(seconds, 0)),
      'X-Amz-SignedHeaders': request.method === 'PUT' ? 'content-type;host' : 'host',
    });
    query.set('X-Amz-Signature', this.#sign(request, query));
    return query.toString();
  }

  /** Returns why a request with this query is rejected, or undefined if it is allowed. */
  check(request: SignedRequest, query: URLSearchParams): 'unsigned' | 'mismatch' | 'expired' | undefined {
    const signature = query.get('X-Amz-Signature');
    if (!signature) return 'unsigned';
    const signed = new URLSearchParams(query);
    signed.delete('X-Amz-Signature');
    const expected = Buffer.from(this.#sign(request, signed));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'mismatch';
    const start = Date.parse(
      (query.get('X-Amz-Date') ?? '').replace(
        /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
        '$1-$2-$3T$4:$5:$6Z',
      ),
    );
    return this.#now() < start + (Number(query.get('X-Amz-Expires')) + 1) * 1000 ? undefined : 'expired';
  }

  #sign({ method, path, contentType }: SignedRequest, query: URLSearchParams): string {
    const text = [method, path, contentType ?? '', query.toString()].join('\n');
    return createHmac('sha256', this.#secret).update(text).digest('hex');
  }
}
