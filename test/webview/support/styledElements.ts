import type { Panel } from './panel';

interface TraceEvent {
  readonly name: string;
  readonly args: { readonly elementCount?: number };
}

/** Returns for how many elements the browser computed styles while `act` ran; an element counts each time. */
export async function countStyledElements(panel: Panel, act: () => Promise<unknown>): Promise<number> {
  // What came before may be scrolled to, and styled, in the frame after the one that drew it.
  await panel.drawn();
  await panel.drawn();
  const session = await panel.page.context().newCDPSession(panel.page);
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
