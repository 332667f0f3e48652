import type { StorageWatcher } from '../../chat/store/files/storage';

interface Disposable {
  dispose(): void;
}

/** Starts a watcher once its folder is created, unless it was disposed before. */
export function startWatcher(
  created: PromiseLike<unknown>,
  start: () => Disposable,
  onError: (error: unknown) => void,
): StorageWatcher {
  let watcher: Disposable | undefined;
  let disposed = false;
  const started = Promise.resolve(created)
    .then(() => {
      if (!disposed) watcher = start();
    })
    .catch(onError);
  return {
    started,
    dispose: () => {
      disposed = true;
      watcher?.dispose();
    },
  };
}
