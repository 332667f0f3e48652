import type { Operation } from '../api/operations';

/**
 * Selects the operation of a fault (`*` for any) and how often it occurs (`times`, default 1; Infinity until
 * `clearFaults`).
 */
interface Target {
  readonly on: Operation | '*';
  readonly times?: number;
}

/** Stream faults need no `on`, because there is one stream operation. */
interface StreamTarget {
  readonly on?: Operation;
  readonly times?: number;
}

/** Faults that replace the response of any operation. The operation isn't carried out. */
export type AnswerFault = Target &
  (
    | {
        readonly name: 'status';
        readonly status: number;
        /** A string is sent as it is (as HTML by default), anything else as JSON. */
        readonly body?: unknown;
        readonly headers?: Readonly<Record<string, string>>;
        readonly contentType?: string;
      }
    | { readonly name: 'headers-trickle'; readonly intervalMs?: number }
    | { readonly name: 'headers-too-big'; readonly bytes?: number }
    | { readonly name: 'garbage' | 'fin-before-headers' | 'reset' | 'hang' }
    | { readonly name: 'html-200' | 'empty-200' | 'empty-204' | 'corrupt-gzip' }
    | { readonly name: 'errors-null' | 'errors-string' | 'errors-huge'; readonly status?: number }
    | { readonly name: 'retry-after'; readonly value: string; readonly status?: number }
    | { readonly name: 'redirect'; readonly status?: number; readonly location?: string }
    | { readonly name: 'redirect-loop'; readonly status?: number }
  );

/** Waits before the operation, and limits a PUT to `bytesPerSecond`. */
export type SlowFault = Target & {
  readonly name: 'slow';
  readonly delayMs?: number;
  readonly bytesPerSecond?: number;
};

/** Carries out the operation; then resets the connection instead of responding, or leaves it open and never responds. */
export type LostAnswerFault = Target & { readonly name: 'answer-lost' | 'answer-held' };

/**
 * Other allowed responses to POST /messages/stream (a 302 although JSON was requested; the stream itself),
 * expired URLs, a conversion that will fail, and POST /messages answering 500 with `text` stored as the
 * reply.
 */
export type IssueFault = StreamTarget &
  (
    | { readonly name: 'answer-redirect'; readonly relative?: boolean }
    | { readonly name: 'answer-stream' | 'url-expired' | 'conversion-fails' }
    | { readonly name: 'overloaded'; readonly text?: string }
  );

/**
 * Faults within the stream. `afterChunks` counts whole chunks of the reply; without it, the fault occurs
 * instead of `[END]`.
 */
export type StreamFault = StreamTarget &
  (
    | { readonly name: 'stream-no-end' | 'stream-reset' | 'stream-silence'; readonly afterChunks?: number }
    | {
        readonly name: 'stream-bad-framing';
        readonly afterChunks?: number;
        readonly kind?: 'truncated' | 'garbage';
      }
    | { readonly name: 'stream-not-json'; readonly afterChunks?: number; readonly text?: string }
    | { readonly name: 'stream-bad-chunk'; readonly afterChunks?: number; readonly value?: unknown }
    | { readonly name: 'stream-huge-event'; readonly afterChunks?: number; readonly bytes?: number }
    | { readonly name: 'stream-flood'; readonly afterChunks?: number; readonly events?: number }
    | { readonly name: 'stream-no-start' | 'stream-hold-after-end' | 'stream-byte-by-byte' }
    | { readonly name: 'stream-end-without-blank-line'; readonly lineEnd?: '' | '\n' }
    | { readonly name: 'stream-data-after-end'; readonly text?: string }
    | {
        readonly name: 'stream-line-endings';
        readonly lineEnd?: '\n' | '\r' | '\r\n' | 'mixed';
        readonly bom?: boolean;
        readonly comments?: boolean;
        readonly fields?: boolean;
      }
  );

/** Faults of the signed PUT. `afterBytes` defaults to half of the body. */
export type PutFault = StreamTarget &
  (
    | { readonly name: 'put-forbidden-halfway' | 'put-reset'; readonly afterBytes?: number }
    | { readonly name: 'put-503' }
  );

export type Fault = AnswerFault | SlowFault | LostAnswerFault | IssueFault | StreamFault | PutFault;
type FaultName = Fault['name'];

const faultNames: Readonly<Record<FaultName, true>> = {
  status: true,
  'headers-trickle': true,
  'headers-too-big': true,
  garbage: true,
  'fin-before-headers': true,
  reset: true,
  hang: true,
  'html-200': true,
  'empty-200': true,
  'empty-204': true,
  'corrupt-gzip': true,
  'errors-null': true,
  'errors-string': true,
  'errors-huge': true,
  'retry-after': true,
  redirect: true,
  'redirect-loop': true,
  slow: true,
  'answer-lost': true,
  'answer-held': true,
  'answer-redirect': true,
  'answer-stream': true,
  'url-expired': true,
  'conversion-fails': true,
  overloaded: true,
  'stream-no-end': true,
  'stream-reset': true,
  'stream-silence': true,
  'stream-bad-framing': true,
  'stream-not-json': true,
  'stream-bad-chunk': true,
  'stream-huge-event': true,
  'stream-flood': true,
  'stream-no-start': true,
  'stream-hold-after-end': true,
  'stream-byte-by-byte': true,
  'stream-end-without-blank-line': true,
  'stream-data-after-end': true,
  'stream-line-endings': true,
  'put-forbidden-halfway': true,
  'put-reset': true,
  'put-503': true,
};

/** Checks the name of a fault that arrived over HTTP; the other fields aren't checked. */
export function isFault(value: object): value is Fault {
  return 'name' in value && typeof value.name === 'string' && Object.hasOwn(faultNames, value.name);
}

const issueOperations: Partial<Record<FaultName, Operation>> = {
  'answer-redirect': 'POST /messages/stream',
  'answer-stream': 'POST /messages/stream',
  'url-expired': 'POST /uploads/signed-url',
  'conversion-fails': 'POST /documents/file',
  overloaded: 'POST /messages',
};

function getOperation(fault: Fault): Operation | '*' {
  if (fault.name.startsWith('stream-')) return 'GET stream';
  if (fault.name.startsWith('put-')) return 'PUT object';
  return fault.on ?? issueOperations[fault.name] ?? '*';
}

/** A fault and how often it has occurred. */
interface QueuedFault {
  readonly fault: Fault;
  useCount: number;
}

/** The faults that are waiting for their operation, in the order of injection. */
export class FaultQueue {
  #queue: QueuedFault[] = [];

  inject(fault: Fault): void {
    this.#queue = [...this.#queue.filter(isWaiting), { fault, useCount: 0 }];
  }

  countWaiting(): number {
    return this.#queue.filter(isWaiting).length;
  }

  clear(): void {
    this.#queue = [];
  }

  /** Describes the faults that were never used. */
  describeUnused(): string[] {
    return this.#queue
      .filter(({ useCount }) => useCount === 0)
      .map(({ fault }) => `the fault ${fault.name} on ${getOperation(fault)}`);
  }

  /** Takes the first fault for `operation` that `isWanted` accepts, and counts its use. */
  take<F extends Fault>(operation: Operation, isWanted: (fault: Fault) => fault is F): F | undefined {
    return this.#findMatching(operation, isWanted).slice(0, 1).map(countUse)[0] as F | undefined;
  }

  /** Like `take`, for faults that combine. */
  takeAll<F extends Fault>(operation: Operation, isWanted: (fault: Fault) => fault is F): F[] {
    return this.#findMatching(operation, isWanted).map(countUse) as F[];
  }

  /** Returns the fault that `take` would return, without counting a use. */
  peek<F extends Fault>(operation: Operation, isWanted: (fault: Fault) => fault is F): F | undefined {
    return this.#findMatching(operation, isWanted)[0]?.fault as F | undefined;
  }

  #findMatching(operation: Operation, isWanted: (fault: Fault) => boolean) {
    return this.#queue.filter(
      (entry) =>
        isWaiting(entry) && isWanted(entry.fault) && [operation, '*'].includes(getOperation(entry.fault)),
    );
  }
}

function isWaiting({ fault, useCount }: QueuedFault): boolean {
  return useCount < (fault.times ?? 1);
}

function countUse(entry: QueuedFault): Fault {
  entry.useCount += 1;
  return entry.fault;
}

export const isStreamFault = (fault: Fault): fault is StreamFault => fault.name.startsWith('stream-');
export const isPutFault = (fault: Fault): fault is PutFault => fault.name.startsWith('put-');
export const isSlow = (fault: Fault): fault is SlowFault => fault.name === 'slow';
export const isIssueFault = (fault: Fault): fault is IssueFault => fault.name in issueOperations;
export const isLostAnswer = (fault: Fault): fault is LostAnswerFault =>
  fault.name === 'answer-lost' || fault.name === 'answer-held';
export const isAnswerFault = (fault: Fault): fault is AnswerFault =>
  ![isStreamFault, isPutFault, isSlow, isIssueFault, isLostAnswer].some((isOther) => isOther(fault));
