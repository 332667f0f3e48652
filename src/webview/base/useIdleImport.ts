import { useEffect, useState } from 'preact/hooks';

/** What a script brings that is loaded once the page is drawn; undefined until then. `timeout` in ms: that soon in any case. */
export function useIdleImport<T>(
  load: () => Promise<T>,
  options?: { readonly timeout: number },
): T | undefined {
  const [loaded, setLoaded] = useState<{ readonly script: T }>();
  useEffect(() => {
    const idle = requestIdleCallback(async () => setLoaded({ script: await load() }), options);
    return () => cancelIdleCallback(idle);
  }, []);
  return loaded?.script;
}
