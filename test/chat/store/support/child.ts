/** A window in a process of its own: does what its arguments say, and tells its parent in lines. */
import { chunk, message, reply, storeFolder } from './folders';
import { BEAT_MS } from './killed';

const [folderPath = '', work = '', id = '', ...args] = process.argv.slice(2);
const tell = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { window, close } = await storeFolder(folderPath);
  const { store, events } = window(String(process.pid));
  if (work === 'append') {
    // As many messages as the argument says, each durable before the next.
    for (let index = 0; index < Number(args[0]); index++) {
      store.append(id, message(`${process.pid}-${index}`, 'x'.repeat(200)));
      await store.flush(id);
    }
  } else if (work === 'race') {
    tell('ready');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    const lease = await store.acquire(id);
    tell('release' in lease ? 'won' : `lost to ${lease.heldBy.owner}`);
    // Whoever won holds it until all have tried.
    await new Promise((resolve) => process.stdin.once('data', resolve));
    process.stdin.destroy();
  } else if (work === 'stream') {
    // Says what is on the screen, or durable, in the moment it is; goes on until it is killed. A beat is time as this process
    // has it: on a machine that stops it for a while, none comes.
    setInterval(() => tell('beat'), BEAT_MS);
    store.create(id, 1);
    for (let turn = 0; ; turn++) {
      store.append(id, message(`m${turn}`, 'x'));
      await store.flush(id);
      tell(`durable m${turn}`);
      store.append(id, reply(`r${turn}`));
      for (let index = 0; index < 60; index++) {
        store.append(id, chunk(`r${turn}`, `${index} `));
        tell(`shown r${turn} ${index}`);
        await new Promise((resolve) => setTimeout(resolve, 5 + (index % 4) * 10));
      }
    }
  } else if (work === 'fill') {
    // Messages of 4 KB until the disk takes no more, then some that must wait; and room again at the parent's word.
    store.create(id, 1);
    let count = 0;
    while (!events.some(({ type }) => type === 'writeFailed')) {
      store.append(id, message(`m${count}`, `${count} ${'x'.repeat(4000)}`));
      await store.flush(id).catch(() => undefined);
      count++;
    }
    for (let more = 0; more < 20; more++) {
      store.append(id, message(`m${count}`, `${count} ${'x'.repeat(4000)}`));
      await store.flush(id).catch(() => undefined);
      count++;
    }
    tell(`full ${count} ${events.filter(({ type }) => type === 'writeFailed').length}`);
    await new Promise((resolve) => process.stdin.once('data', resolve));
    process.stdin.destroy();
    await store.flush(id);
    tell(`saved ${events.map(({ type }) => type).filter((type) => type.startsWith('write'))}`);
  }
  await close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
