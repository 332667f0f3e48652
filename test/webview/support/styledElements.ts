import type { Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly args: { readonly elementCount?: number };
}

/** Returns for how many elements the browser computed styles while `act` ran; an element counts each time. */
export async function countStyledElements(page: Page, act: () => Promise<unknown>): Promise<number> {
  // What was changed before may be scrolled to, and styled, in the frame after the one that draws it.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );
  const session = await page.context().newCDPSession(page);
  let count = 0;
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args } of value as unknown as TraceEvent[]) {
      if (name === 'UpdateLayoutTree') count += args.elementCount ?? 0;
    }
  });
  const traceConfig = { includedCategories: ['devtools.timeline'] };
  await session.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' });
  await act();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return count;
}
