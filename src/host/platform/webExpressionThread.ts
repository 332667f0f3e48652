import type { ExpressionRequest, ExpressionThread } from '../../chat/botTests/expressionMatcher';

const SCRIPT = `onmessage = ({ data: { source, flags, text } }) => postMessage(new RegExp(source, flags).test(text));
postMessage('started');`;

/** The part of `Worker` that is used here: the host is compiled without the types of browsers. */
interface WebWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  postMessage(data: unknown): void;
  terminate(): void;
}

/** Starts a web worker that matches regular expressions, and has nothing else. */
export function startExpressionThread(): ExpressionThread {
  const { Worker } = globalThis as unknown as { Worker: new (url: string) => WebWorker };
  const url = URL.createObjectURL(new Blob([SCRIPT], { type: 'text/javascript' }));
  const worker = new Worker(url);
  let fail: (error: Error) => void = () => undefined;
  worker.onerror = ({ message }) => fail(new Error(message ?? 'The worker for expressions failed.'));
  const receive = () =>
    new Promise<unknown>((resolve, reject) => {
      fail = reject;
      worker.onmessage = ({ data }) => resolve(data);
    });
  return {
    started: receive().then(() => URL.revokeObjectURL(url)),
    testExpression: async (request: ExpressionRequest) => {
      const result = receive();
      worker.postMessage(request);
      return (await result) === true;
    },
    endThread: () => worker.terminate(),
  };
}
