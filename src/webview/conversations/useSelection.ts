import { useState } from 'preact/hooks';

interface State {
  /** Whether rows are being selected, even if none is. */
  readonly on: boolean;
  readonly ids: ReadonlySet<string>;
  /** Start of a range: the last row that was selected individually. */
  readonly anchor?: string;
  /** Selected rows outside the range. */
  readonly kept: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const OFF: State = { on: false, ids: NONE, kept: NONE };

/** The rows selected for an action on several conversations, as in VS Code's lists: by row, by range, or all. */
export interface Selection {
  /** Whether rows are being selected: a click then selects instead of opening. */
  readonly on: boolean;
  readonly ids: ReadonlySet<string>;
  start(): void;
  end(): void;
  toggle(id: string): void;
  /** Selects the rows from the anchor, or else from `from`, to `to`. `order` has the IDs of all rows. */
  extend(from: string, to: string, order: readonly string[]): void;
  selectAll(order: readonly string[]): void;
}

export function useSelection(): Selection {
  const [{ on, ids }, setState] = useState(OFF);
  return {
    on,
    ids,
    start: () => setState({ ...OFF, on: true }),
    end: () => setState(OFF),
    toggle: (id) =>
      setState((state) => {
        const next = new Set(state.ids);
        if (!next.delete(id)) next.add(id);
        return { on: true, ids: next, anchor: id, kept: next };
      }),
    extend: (from, to, order) =>
      setState(({ anchor = from, kept }) => {
        const start = order.includes(anchor) ? anchor : from;
        const range = order.slice(
          Math.min(order.indexOf(start), order.indexOf(to)),
          Math.max(order.indexOf(start), order.indexOf(to)) + 1,
        );
        return { on: true, ids: new Set([...kept, ...range]), anchor: start, kept };
      }),
    selectAll: (order) => setState({ on: true, ids: new Set(order), kept: NONE }),
  };
}
