import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { startLocalService } from '../../service/localService';

/** What `main.ts` asks of the service's process, a line of JSON each. */
export type ToServer =
  /** The next `replies` messages get replies of `chunks` chunks, one every `gapMs`; answered at once. */
  | { readonly do: 'script'; readonly replies: number; readonly chunks: number; readonly gapMs: number }
  /** What was said, and what is still open. */
  | { readonly do: 'report' };

export interface ServiceReport {
  /** SHA-256 of the last reply's text by the service's id of its conversation. */
  readonly texts: Readonly<Record<string, string>>;
  /** Connections of clients. */
  readonly sockets: number;
}

let script = 0;

/** A local service until its parent ends it. */
async function main(): Promise<void> {
  const service = await startLocalService();
  console.log(JSON.stringify({ baseUrl: service.baseUrl, key: service.key }));
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as ToServer;
    if (order.do === 'script') {
      for (let left = order.replies; left > 0; left--) speak(order.chunks, order.gapMs);
      console.log('{}');
    } else console.log(JSON.stringify(report()));
  }

  /** Every chunk says whose it is and which, so that none can be lost, doubled or in another's place. */
  function speak(chunks: number, gapMs: number): void {
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
