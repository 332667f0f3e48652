// Measures the time from Enter to the request at the service, in both extension hosts of a real VS Code.
// Usage: npm run bench -- send [messages]

import { Person } from '../../e2e/support/person';
import { Workbench } from '../../e2e/support/workbench';
import { startLocalService } from '../../service/localService';

/** The goals for the median, in ms. */
const MAX_MEDIAN_MS = { Node: 30, 'web worker': 100 } as const;

interface Result {
  readonly host: keyof typeof MAX_MEDIAN_MS;
  /** In ms, one per message. */
  readonly times: readonly number[];
}

async function main(): Promise<void> {
  const messages = Number(process.argv[2] ?? 20);
  const results: Result[] = [];
  for (const host of ['Node', 'web worker'] as const)
    results.push({ host, times: await measure(host, messages) });
  console.log('From Enter to the request at the service (ms). Goal: the median');
  console.table(
    results.map(({ host, times }) => {
      const sorted = times.toSorted((a, b) => a - b);
      const [median = 0, p95 = 0] = [0.5, 0.95].map((share) => sorted[Math.floor(sorted.length * share)]);
      if (median > MAX_MEDIAN_MS[host]) process.exitCode = 1;
      return { host, messages: times.length, median, p95, goal: MAX_MEDIAN_MS[host] };
    }),
  );
}

async function measure(host: Result['host'], messages: number): Promise<number[]> {
  const service = await startLocalService();
  const settings = { 'parley.baseUrl': service.baseUrl };
  const workbench = await Workbench.start({ settings, webWorkerHost: host === 'web worker' });
  try {
    const person = new Person(workbench);
    await person.setUp(service, 'Echo');
    // The first message also creates the conversation.
    await person.say('first');
    await person.reply('Echo');
    const panel = await workbench.panel();
    // As text: tsx would add helpers to a function.
    await panel.evaluate(`addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') document.body.dataset.pressed = String(Date.now());
    }, true)`);
    const times: number[] = [];
    for (let n = 0; n < messages; n++) {
      const text = `message ${n}`;
      await (await person.composer()).fill(text);
      // Waits until the draft is saved, as when a user types.
      await workbench.page.waitForTimeout(700);
      await (await person.composer()).press('Enter');
      const { at } = await service.waitForRequest(
        ({ body }) => (body as { content?: string })?.content === text,
      );
      const pressed = await panel.evaluate(() => Number(document.body.dataset.pressed));
      times.push(at - pressed);
      await person.reply('Echo', n + 2);
    }
    return times;
  } finally {
    await workbench.stop();
    await service.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  // A service that was started before the error would keep the process alive.
  process.exit(1);
});
