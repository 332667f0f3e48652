import path from 'node:path';
import type { Frame } from 'playwright-core';
import { Person } from '../../e2e/support/person';
import { Workbench } from '../../e2e/support/workbench';
import { startLocalService } from '../../service/localService';

/** Echoed: the largest text of the page. */
const REPLY = `# A title\n\n- one\n- two\n\n${'Some **text** that is long enough. '.repeat(30)}`;

/** Times from the creation of a frame to its first contentful paint, in ms. */
export interface FirstPaints {
  /** Parley's first frame in a new VS Code, which shows the setup. */
  readonly cold: number;
  /** A conversation with a reply, when VS Code loads the page again. */
  readonly panel: readonly number[];
  /** Until the same pages show the reply. */
  readonly reply: readonly number[];
  /** A webview with a line of text and no script. */
  readonly line: readonly number[];
}

/** Measures each first paint in a new frame, `times` times in turns. */
export async function measureFirstPaints(times: number): Promise<FirstPaints> {
  const service = await startLocalService();
  const extensions = [path.join(__dirname, 'line')];
  const settings = { 'parley.baseUrl': service.baseUrl };
  const workbench = await Workbench.start({ extensions, settings }).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  try {
    await workbench.runCommand('Parley: New Conversation');
    const cold = (await measurePaint(workbench, () => workbench.panel())).first;
    const person = new Person(workbench);
    await person.setUp(service, 'Echo');
    await person.say(REPLY);
    await person.reply('Echo');
    const panel: number[] = [];
    const reply: number[] = [];
    const line: number[] = [];
    while (panel.length < times) {
      await workbench.runCommand('Bench: Show a Line');
      line.push((await measurePaint(workbench, () => findLine(workbench))).first);
      await workbench.runCommand('Bench: Hide the Line');
      await workbench.reloadWebviews();
      const { first, largest } = await measurePaint(workbench, () => workbench.panel());
      panel.push(first);
      reply.push(largest);
    }
    return { cold, panel, reply, line };
  } finally {
    await workbench.stop();
    await service.close();
  }
}

/** Resolves to the times of the first paint and of the paint of the largest text. */
async function measurePaint(
  workbench: Workbench,
  find: () => Promise<Frame>,
): Promise<{ readonly first: number; readonly largest: number }> {
  // Waits first, because searching for the frame slows it down.
  await workbench.page.waitForTimeout(1500);
  const frame = await find();
  return await frame.evaluate(async () => {
    // The frame's clock starts with its creation.
    const getLast = (type: string) =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe(
          {
            type,
            buffered: true,
          },
        );
      });
    const first = await getLast('paint');
    return { first, largest: await getLast('largest-contentful-paint') };
  });
}

async function findLine({ page }: Workbench): Promise<Frame> {
  for (let attempt = 0; attempt < 200; attempt++) {
    for (const frame of page.frames()) {
      const count = await frame
        .locator('#line')
        .count()
        .catch(() => 0);
      if (count > 0) return frame;
    }
    await page.waitForTimeout(50);
  }
  throw new Error('The line is not there.');
}
