import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

const FOCUSABLE = 'button:not(:disabled)';

interface Rows {
  readonly current: HTMLElement | null;
}

/** Makes one of the rows' buttons reachable by Tab: the one focused last, otherwise the first. */
export function useRovingTabIndex(rows: Rows): void {
  const active = useRef<EventTarget | null>(null);
  const rove = () => {
    const stops = [...(rows.current?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
    const at = Math.max(0, stops.indexOf(active.current as HTMLElement));
    for (const [index, stop] of stops.entries()) stop.tabIndex = index === at ? 0 : -1;
  };
  useLayoutEffect(rove);
  useEffect(() => {
    const element = rows.current;
    const onFocus = ({ target }: FocusEvent) => {
      active.current = target;
      rove();
    };
    element?.addEventListener('focusin', onFocus);
    return () => element?.removeEventListener('focusin', onFocus);
  });
}

/** Moves the focus between rows with the up and down arrows, and within a row with left and right; Escape leaves. */
export function moveFocusByArrow(
  event: KeyboardEvent,
  { current }: Rows,
  rowRole: string,
  leave: () => void,
): void {
  const target = event.target as HTMLElement;
  const row = target.closest(rowRole);
  // A text box handles the arrow keys itself.
  if (!current || !row || !target.matches(FOCUSABLE)) return;
  const rows = [...current.querySelectorAll(rowRole)];
  const inRow = [...row.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const at = rows.indexOf(row);
  const column = inRow.indexOf(target);
  const getFirst = (index: number) => rows.at(index)?.querySelector<HTMLElement>(FOCUSABLE);
  const moves: Record<string, () => HTMLElement | null | undefined> = {
    ArrowDown: () => getFirst(Math.min(at + 1, rows.length - 1)),
    ArrowUp: () => getFirst(Math.max(at - 1, 0)),
    ArrowRight: () => inRow[column + 1],
    ArrowLeft: () => inRow[Math.max(column - 1, 0)],
    Home: () => getFirst(0),
    End: () => getFirst(-1),
  };
  if (event.key === 'Escape') leave();
  else if (moves[event.key]) moves[event.key]?.()?.focus();
  else return;
  event.preventDefault();
}
