import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { startLocalService } from '../../service/localService';

/** A request from `main.ts` to the service's process, as a line of JSON. */
export type ToServer =
  /** Scripts the next `replies` messages with `chunks` chunks, one every `gapMs`; responds immediately. */
  | { readonly do: 'script'; readonly replies: number; readonly chunks: number; readonly gapMs: number }
  /** Returns the texts and the open sockets. */
  | { readonly do: 'report' };

export interface ServiceReport {
  /** The SHA-256 of the last reply's text, by the service's conversation id. */
  readonly texts: Readonly<Record<string, string>>;
  /** The number of client connections. */
  readonly sockets: number;
}

let script = 0;

/** Runs a local service until its parent stops it. */
async function main(): Promise<void> {
  const service = await startLocalService();
  console.log(JSON.stringify({ baseUrl: service.baseUrl, key: service.key }));
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as ToServer;
    if (order.do === 'script') {
      for (let left = order.replies; left > 0; left--) scriptReply(order.chunks, order.gapMs);
      console.log('{}');
    } else console.log(JSON.stringify(report()));
  }

  /** Scripts a reply with numbered chunks, so that lost, repeated and misplaced ones are detected. */
  function scriptReply(chunks: number, gapMs: number): void {
    const reply = service.script();
    const name = `${++script}`;
    const texts = Array.from({ length: chunks }, (_, index) => `[${name}:${index}] a few words `);
    reply.chunks(texts, gapMs).then(
      () => reply.end(),
      (error: unknown) => console.error(error),
    );
  }

  function report(): ServiceReport {
    const texts: Record<string, string> = {};
    for (const { machine, conversation_id, content } of service.messages.values()) {
      if (machine) texts[conversation_id] = createHash('sha256').update(content).digest('hex');
    }
    const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    return { texts, sockets };
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
