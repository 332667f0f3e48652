import { Worker } from 'node:worker_threads';
import type { ExpressionRequest, ExpressionThread } from '../../chat/botTests/expressionMatcher';

const SCRIPT = `const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ source, flags, text }) => parentPort.postMessage(new RegExp(source, flags).test(text)));`;

/** Starts a thread of Node.js that matches regular expressions, and has nothing else. */
export function startExpressionThread(): ExpressionThread {
  const worker = new Worker(SCRIPT, { eval: true, env: {}, stdin: false });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  // Reported by whoever waits for a result.
  failed.catch(() => undefined);
  return {
    started: new Promise<void>((resolve, reject) => {
      worker.once('online', resolve);
      worker.once('error', reject);
    }),
    testExpression: (request: ExpressionRequest) =>
      Promise.race([
        failed,
        new Promise<boolean>((resolve) => {
          worker.once('message', resolve);
          worker.postMessage(request);
        }),
      ]),
    endThread: () => void worker.terminate(),
  };
}
