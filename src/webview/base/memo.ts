import { Component, type ComponentChild } from 'preact';

/** Creates a component that renders again only when a property differs. */
export function memo<P extends object>(
  render: (props: P) => ComponentChild,
  same: (before: P, after: P) => boolean = hasSameValues,
) {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !same(this.props, next);
    }

    override render(): ComponentChild {
      return render(this.props);
    }
  };
}

function hasSameValues<T extends object>(before: T, after: T): boolean {
  const keys = Object.keys(after) as (keyof T)[];
  return keys.length === Object.keys(before).length && keys.every((key) => before[key] === after[key]);
}
