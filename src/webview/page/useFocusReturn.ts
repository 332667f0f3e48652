import { useRef } from 'preact/hooks';
import { getLastFocused } from '../base/lastFocus';
import { usePage } from './pageServices';

interface FocusReturn {
  /** Remembers the focused element, before an area takes the focus, unless it is in that area already. */
  readonly remember: () => void;
  /** Moves the focus back, or to the composer if the element is gone. */
  readonly restore: () => void;
}

/** Returns the focus to where it was before an area of the page took it. `area` is the area's selector. */
export function useFocusReturn(area: string): FocusReturn {
  const page = usePage();
  const before = useRef<HTMLElement>(undefined);
  return {
    remember: () => {
      const focused = getLastFocused();
      if (!focused?.closest(area)) before.current = focused;
    },
    restore: () => {
      if (before.current?.isConnected) before.current.focus({ preventScroll: true });
      else page.focusComposer();
    },
  };
}
