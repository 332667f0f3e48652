import { useEffect, useState } from 'preact/hooks';

/**
 * Returns the composer's text box. `listen` is called with it once, and returns the function that removes what it has
 * added.
 */
export function useMessageBox(
  listen: (box: HTMLTextAreaElement) => () => void,
): HTMLTextAreaElement | undefined {
  const [box, setBox] = useState<HTMLTextAreaElement>();
  useEffect(() => {
    const message = document.querySelector<HTMLTextAreaElement>('#message');
    if (!message) return;
    setBox(message);
    return listen(message);
  }, []);
  return box;
}
