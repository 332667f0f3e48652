/**
 * A window in a process of its own: runs the action in its arguments and reports to its parent line by line.
 */
import { NodeStorage } from '../../../../src/host/platform/nodeStorage';
import { chunk, createStoreFolder, message, reply } from './folders';
import { HEARTBEAT_MS } from './killed';

/** A crash is noticed soon, but no living window is taken for dead. */
const RACE_TIMES = { heartbeatMs: 100, staleMs: 3000 };

const [folderPath = '', work = '', id = '', ...args] = process.argv.slice(2);
const printLine = (line: string) => process.stdout.write(`${line}\n`);

/** Prints when it begins and stops to append. */
class PrintingStorage extends NodeStorage {
  override async appendFile(...args: Parameters<NodeStorage['appendFile']>) {
    printLine('writing');
    try {
      return await super.appendFile(...args);
    } finally {
      printLine('written');
    }
  }
}

async function main(): Promise<void> {
  const { window, close } = await createStoreFolder(folderPath);
  const storage = work === 'stream' ? new PrintingStorage(folderPath) : undefined;
  const { store, events } = window(String(process.pid), RACE_TIMES, storage);
  if (work === 'append') {
    // Writes the requested number of messages, each durably before the next.
    for (let index = 0; index < Number(args[0]); index++) {
      store.appendToTranscript(id, message(`${process.pid}-${index}`, 'x'.repeat(200)));
      await store.flush(id);
    }
  } else if (work === 'race') {
    printLine('ready');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    let lease = await store.acquireLease(id);
    // Until it is known that nobody has it any more.
    while ('heldBy' in lease && !/^\d+$/.test(lease.heldBy.owner)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      lease = await store.acquireLease(id);
    }
    printLine('release' in lease ? 'won' : `lost to ${lease.heldBy.owner}`);
    // The winner holds the lease until all have tried.
    await new Promise((resolve) => process.stdin.once('data', resolve));
    process.stdin.destroy();
  } else if (work === 'stream') {
    // Prints what is on screen or durable at that moment, until it is killed. Heartbeats measure this
    // process's own time: a machine that suspends it for a while produces none.
    setInterval(() => printLine('beat'), HEARTBEAT_MS);
    store.createTranscript(id, 1);
    for (let turn = 0; ; turn++) {
      store.appendToTranscript(id, message(`m${turn}`, 'x'));
      await store.flush(id);
      printLine(`durable m${turn}`);
      store.appendToTranscript(id, reply(`r${turn}`));
      for (let index = 0; index < 60; index++) {
        store.appendToTranscript(id, chunk(`r${turn}`, `${index} `));
        printLine(`shown r${turn} ${index}`);
        await new Promise((resolve) => setTimeout(resolve, 5 + (index % 4) * 10));
      }
    }
  } else if (work === 'fill') {
    // Writes messages of 4 KB until the disk is full, then some that must wait; the parent makes space.
    store.createTranscript(id, 1);
    let count = 0;
    while (!events.some(({ type }) => type === 'writeFailed')) {
      store.appendToTranscript(id, message(`m${count}`, `${count} ${'x'.repeat(4000)}`));
      await store.flush(id).catch(() => undefined);
      count++;
    }
    for (let more = 0; more < 20; more++) {
      store.appendToTranscript(id, message(`m${count}`, `${count} ${'x'.repeat(4000)}`));
      await store.flush(id).catch(() => undefined);
      count++;
    }
    printLine(`full ${count} ${events.filter(({ type }) => type === 'writeFailed').length}`);
    await new Promise((resolve) => process.stdin.once('data', resolve));
    process.stdin.destroy();
    await store.flush(id);
    printLine(`saved ${events.map(({ type }) => type).filter((type) => type.startsWith('write'))}`);
  }
  await close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
