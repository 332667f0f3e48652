import { waitUntil } from '../../support/waitUntil';

/** Waits until `find` returns a value; rejects when nothing has moved for a minute. */
export async function until<T>(find: () => T | undefined | false): Promise<T> {
  return (await waitUntil(String(find), () => find() || undefined)) as T;
}
