import { useEffect, useState } from 'preact/hooks';

/** Rows rendered at first, so that long lists open fast; the others follow when idle. */
const INITIAL_ROWS = 40;
const ROWS_PER_IDLE = 200;

/** Returns how many rows to render; grows whenever the page is idle, and starts over for each filter. */
export function useRenderedCount(total: number, filter: string): number {
  const [{ renderedCount, renderedFilter }, setRendered] = useState({
    renderedCount: INITIAL_ROWS,
    renderedFilter: filter,
  });
  const now = renderedFilter === filter ? renderedCount : INITIAL_ROWS;
  useEffect(() => {
    if (now >= total) return;
    const idle = requestIdleCallback(
      () => setRendered({ renderedCount: now + ROWS_PER_IDLE, renderedFilter: filter }),
      {
        timeout: 200,
      },
    );
    return () => cancelIdleCallback(idle);
  }, [now, total, filter]);
  return now;
}
