interface Disposable {
  dispose(): void;
}

/** Starts a watcher once its folder is created, unless it was disposed before. */
export function startWatcher(
  created: PromiseLike<unknown>,
  start: () => Disposable,
  onError: (error: unknown) => void,
): Disposable {
  let watcher: Disposable | undefined;
  let disposed = false;
  Promise.resolve(created)
    .then(() => {
      if (!disposed) watcher = start();
    })
    .catch(onError);
  return {
    dispose: () => {
      disposed = true;
      watcher?.dispose();
    },
  };
}
