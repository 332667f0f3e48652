import { useEffect, useState } from 'preact/hooks';
import { importWithRetries } from '../base/importWithRetries';
import { usePage } from './pageServices';

/** Imports a script when the page is idle, or after `timeout` ms; undefined until then. A busy page may never be idle. */
export function useIdleImport<T>(load: () => Promise<T>, { timeout = 2000 } = {}): T | undefined {
  const page = usePage();
  const [loaded, setLoaded] = useState<{ readonly script: T }>();
  useEffect(() => {
    const loadNow = async () => setLoaded({ script: await importWithRetries(load) });
    const idle = requestIdleCallback(() => void page.showFailureOf(loadNow()), { timeout });
    return () => cancelIdleCallback(idle);
  }, []);
  return loaded?.script;
}
