import { useEffect, useState } from 'preact/hooks';

/** Imports a script when the page is idle, or after `timeout` ms; undefined until then. */
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
