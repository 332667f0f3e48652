import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface ActiveRow {
  /** Index of the row that keys apply to: by default the first one. */
  readonly at: number;
  /** Makes another row active; without an ID, the first one. */
  readonly choose: (id: string | undefined) => void;
}

/** Tracks the active row. If it disappears, such as after its deletion, the next one takes its place. */
export function useActiveRow(ids: readonly string[]): ActiveRow {
  const [chosen, choose] = useState<string>();
  const before = useRef<readonly string[]>([]);
  const active = chosen === undefined ? undefined : findRemaining(chosen, before.current, ids);
  useLayoutEffect(() => {
    before.current = ids;
    if (active !== chosen) choose(active);
  });
  return { at: Math.max(0, ids.indexOf(active ?? '')), choose };
}

/** Returns the row, or the first remaining one after it, or else the last row. `before`: the rows when it was there. */
function findRemaining(id: string, before: readonly string[], ids: readonly string[]): string | undefined {
  if (ids.includes(id)) return id;
  const remaining = new Set(ids);
  return before.slice(before.indexOf(id)).find((other) => remaining.has(other)) ?? ids.at(-1);
}
