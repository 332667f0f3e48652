/**
 * Measures what a window of a real VS Code does while the panel is idle, and while a reply streams into a hidden
 * panel, compared with the same window before Parley was used.
 * Usage: npm run bench -- idle [--seconds N] [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { listPanelFrames } from '../../e2e/support/panelFrame';
import { Person } from '../../e2e/support/person';
import { Workbench } from '../../e2e/support/workbench';
import { startLocalService } from '../../service/localService';
import { sendEvenly } from '../stream/chunks';

declare global {
  interface Window {
    messageCount: number;
  }
}

interface Row {
  readonly what: string;
  /** CPU time of the window's thread, which also runs the panel's page, in ms per second. */
  readonly mainThread: number;
  /** The window's layouts per second; one that draws nothing has none. */
  readonly layouts: number;
  /** The messages that the page got. */
  readonly messages: number;
}

const RATE = 200;
/** The time after which a window has finished what a command started. */
const SETTLE_MS = 5000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '5' }, json: { type: 'string' } },
    allowPositionals: true,
  });
  const seconds = Number(values.seconds);
  const service = await startLocalService();
  const workbench = await Workbench.start({ settings: { 'parley.baseUrl': service.baseUrl } });
  const rows: Row[] = [];
  const { page } = workbench;
  try {
    await sleep(SETTLE_MS);
    rows.push(await measure('before Parley was used', page, seconds, () => sleep(seconds * 1000)));
    const person = new Person(workbench);
    await person.setUp(service, 'Echo');
    await person.say('# A title\n\n- one\n- two');
    await person.reply('Echo');
    // A focused text box blinks.
    await workbench.runCommand('View: Focus into Primary Side Bar');
    await sleep(SETTLE_MS);
    rows.push(await measure('the panel is idle', page, seconds, () => sleep(seconds * 1000)));
    const script = service.script();
    await person.say('go on');
    await script.opened;
    await workbench.runCommand('View: Hide Secondary Side Bar');
    script.chunk('begun');
    await sleep(SETTLE_MS);
    const stream = async () => {
      await sendEvenly(RATE * seconds, RATE, (text) => script.chunk(text));
    };
    rows.push(await measure('a reply streams, hidden', page, seconds, stream));
    script.end();
  } finally {
    await workbench.stop();
    await service.close();
  }
  console.table(
    rows.map(({ what, mainThread, layouts, messages }) => ({
      what,
      'main thread': `${mainThread.toFixed(1)} ms/s`,
      'layouts per second': layouts.toFixed(1),
      'messages to the page': messages,
    })),
  );
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ name: 'idle', rows }, null, 2)}\n`);
}

async function measure(what: string, page: Page, seconds: number, run: () => Promise<unknown>): Promise<Row> {
  const frames = await listPanelFrames(page, 'view');
  for (const frame of frames) {
    await frame.evaluate(() => {
      window.messageCount = 0;
      window.addEventListener('message', () => window.messageCount++);
    });
  }
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const get = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    return { thread: get('ThreadTime') * 1000, layouts: get('LayoutCount') };
  };
  const before = await read();
  await run();
  const after = await read();
  await session.detach();
  let messages = 0;
  for (const frame of frames) messages += await frame.evaluate(() => window.messageCount);
  return {
    what,
    mainThread: (after.thread - before.thread) / seconds,
    layouts: (after.layouts - before.layouts) / seconds,
    messages,
  };
}

main().catch((error: unknown) => {
  console.error(error);
  // A service that was started before the error would keep the process alive.
  process.exit(1);
});
