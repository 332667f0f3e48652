import { Workbench } from '../../e2e/support/workbench';

/**
 * From the moment that the panel's frame is there to its first paint with something in it, in ms: of the first time in a new
 * VS Code, and of so many more, each in a new frame.
 */
export async function firstPaints(times: number): Promise<readonly number[]> {
  const workbench = await Workbench.start();
  try {
    await workbench.runCommand('Parley: New Conversation');
    const paints = [await firstPaint()];
    while (paints.length <= times) {
      await workbench.reloadWebviews();
      paints.push(await firstPaint());
    }
    return paints;
  } finally {
    await workbench.stop();
  }

  async function firstPaint(): Promise<number> {
    // Looking for the frame takes time from what goes on in it.
    await workbench.page.waitForTimeout(1500);
    const panel = await workbench.panel();
    return await panel.evaluate(
      () =>
        new Promise<number>((resolve) => {
          // The frame's time begins when it is there.
          new PerformanceObserver((list) => {
            const [paint] = list.getEntriesByName('first-contentful-paint');
            if (paint) resolve(paint.startTime);
          }).observe({ type: 'paint', buffered: true });
        }),
    );
  }
}
