// Kills the extension host of a real VS Code at random moments of a streaming reply, and counts what is
// missing on disk.
// Usage: npm run bench -- kill [rounds]
import { setTimeout as sleep } from 'node:timers/promises';
import { type KillResult, killInReply } from '../../e2e/support/killed';
import { Person } from '../../e2e/support/person';
import { Workbench } from '../../e2e/support/workbench';
import { startLocalService } from '../../service/localService';

/** The longest time that a reply streams before the kill. */
const MAX_STREAM_MS = 3000;
/** The goal for the text missing on disk. */
const MAX_LOST_MS = 1000;

async function main(): Promise<void> {
  const rounds = Number(process.argv[2] ?? 100);
  const service = await startLocalService();
  const workbench = await Workbench.start({ settings: { 'parley.baseUrl': service.baseUrl } });
  try {
    const person = new Person(workbench);
    await person.setUp(service, 'Echo');
    const results: KillResult[] = [];
    for (let round = 0; round < rounds; round++) {
      await person.newConversation();
      // Every tenth host is killed as the message reaches the service.
      const untilKill = round % 10 === 9 ? undefined : () => sleep(Math.random() * MAX_STREAM_MS);
      results.push(await killInReply(workbench, service, person, untilKill));
      await workbench.reload();
      if (round % 10 === 9) console.log(`${round + 1} rounds`);
    }
    print(results);
  } finally {
    await workbench.stop();
    await service.close();
  }
}

function print(results: readonly KillResult[]): void {
  const max = (select: (result: KillResult) => number) => Math.max(...results.map(select));
  const behind = results.map((result) => result.lostMs).sort((a, b) => a - b);
  const wrong = results.filter(
    ({ replySent, replySaved }) => replySent !== '' && !replySent.startsWith(replySaved),
  );
  const lost = results.filter(({ messageSaved }) => !messageSaved);
  console.log(`Goals: no message lost, the partial at most ${MAX_LOST_MS} ms behind`);
  console.table([
    {
      rounds: results.length,
      'messages lost': lost.length,
      'partials that differ': wrong.length,
      'median behind': `${(behind[Math.floor(behind.length / 2)] ?? 0).toFixed(0)} ms`,
      'most behind': `${max((result) => result.lostMs).toFixed(0)} ms`,
      'most characters behind': max(({ replySent, replySaved }) => replySent.length - replySaved.length),
      'longest partial': `${max(({ replySaved }) => replySaved.length)} characters`,
    },
  ]);
  if (lost.length > 0 || wrong.length > 0 || max((result) => result.lostMs) > MAX_LOST_MS)
    process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  // A service that was started before the error would keep the process alive.
  process.exit(1);
});
