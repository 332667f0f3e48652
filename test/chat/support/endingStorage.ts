import type { Storage } from '../../../src/chat/store/files/storage';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';

/** A folder as a window sees it that can end at any step: what it does after that never reaches the disk. */
export interface EndingStorage extends Storage {
  /** Ends the window after a number of steps; 0 ends it now. */
  endAfter(steps: number): void;
}

/** `onEnd` is called when the window ends. */
export function createEndingStorage(folder: string, onEnd: () => void): EndingStorage {
  const storage = new NodeStorage(folder);
  let left = Number.POSITIVE_INFINITY;
  const endAfter = (steps: number) => {
    left = steps;
    if (left === 0) onEnd();
  };
  return new Proxy(storage as unknown as EndingStorage, {
    get(_, name: keyof EndingStorage) {
      if (name === 'endAfter') return endAfter;
      const operation = storage[name].bind(storage) as (...parameters: unknown[]) => unknown;
      if (name === 'watch') return operation;
      return async (...parameters: unknown[]) => {
        if (left <= 0) throw new Error('The window has ended.');
        if (--left === 0) onEnd();
        return operation(...parameters);
      };
    },
  });
}
