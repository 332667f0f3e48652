import path from 'node:path';
import type { Frame } from 'playwright-core';
import { Workbench } from '../../e2e/support/workbench';

/** Times from the creation of a frame to its first contentful paint, in ms. */
export interface FirstPaints {
  /** Parley's first frame in a new VS Code. */
  readonly cold: number;
  readonly panel: readonly number[];
  /** A webview with a line of text and no script. */
  readonly line: readonly number[];
}

/** Measures each first paint in a new frame, `times` times in turns. */
export async function measureFirstPaints(times: number): Promise<FirstPaints> {
  const workbench = await Workbench.start({ extensions: [path.join(__dirname, 'line')] });
  try {
    await workbench.runCommand('Parley: New Conversation');
    const cold = await measurePaint(workbench, () => workbench.panel());
    const panel: number[] = [];
    const line: number[] = [];
    while (panel.length < times) {
      await workbench.runCommand('Bench: Show a Line');
      line.push(await measurePaint(workbench, () => findLine(workbench)));
      await workbench.runCommand('Bench: Hide the Line');
      await workbench.reloadWebviews();
      panel.push(await measurePaint(workbench, () => workbench.panel()));
    }
    return { cold, panel, line };
  } finally {
    await workbench.stop();
  }
}

async function measurePaint(workbench: Workbench, find: () => Promise<Frame>): Promise<number> {
  // Waits first, because searching for the frame slows it down.
  await workbench.page.waitForTimeout(1500);
  const frame = await find();
  return await frame.evaluate(
    () =>
      new Promise<number>((resolve) => {
        // The frame's clock starts with its creation.
        new PerformanceObserver((list) => {
          const [paint] = list.getEntriesByName('first-contentful-paint');
          if (paint) resolve(paint.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
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
