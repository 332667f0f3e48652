import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { usePage } from '../page/services';
import type { Timeline } from '../timeline/Timeline';

/** The timeline, once it is loaded; `request`: while its list is open. */
interface LoadedTimeline {
  readonly Widget: typeof Timeline;
  readonly request?: object;
}

/** A page from this width on has room for the rail beside the transcript, as in `timeline.css`. */
const WIDE = '(width >= 960px)';

const load = async () => (await import('../timeline/Timeline')).Timeline;

/** Loads the timeline when its list is first opened, and in a wide page when it's idle. `onOpen`: called before the list opens. */
export function useTimeline(onOpen: () => void): {
  readonly loaded: LoadedTimeline | undefined;
  readonly open: () => void;
  readonly close: () => void;
} {
  const page = usePage();
  const [loaded, setLoaded] = useState<LoadedTimeline>();
  const open = async () => {
    const Widget = await load();
    onOpen();
    setLoaded({ Widget, request: {} });
  };
  const close = () => setLoaded((now) => now && { Widget: now.Widget });
  useLayoutEffect(() => page.events.on('showTimeline', open), [page]);
  useEffect(() => {
    const wide = matchMedia(WIDE);
    const loadRail = async () => {
      if (!wide.matches) return;
      const Widget = await load();
      setLoaded((now) => now ?? { Widget });
    };
    const idle = requestIdleCallback(loadRail);
    wide.addEventListener('change', loadRail);
    return () => {
      cancelIdleCallback(idle);
      wide.removeEventListener('change', loadRail);
    };
  }, []);
  return { loaded, open, close };
}
