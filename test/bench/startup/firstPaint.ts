import { Workbench } from '../../e2e/support/workbench';

/**
 * Measures the time from the creation of the panel's frame to its first contentful paint, in ms: once in a
 * new VS Code, and `times` more with a new frame each.
 */
export async function measureFirstPaints(times: number): Promise<readonly number[]> {
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
    // Waits first, because searching for the frame slows it down.
    await workbench.page.waitForTimeout(1500);
    const panel = await workbench.panel();
    return await panel.evaluate(
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
}
