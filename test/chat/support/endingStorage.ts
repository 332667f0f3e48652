import type { Storage } from '../../../src/chat/store/files/storage';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { interceptSteps } from './steppedStorage';

/** A folder as a window sees it that can end at any step: what it does after that never reaches the disk. */
export interface EndingStorage extends Storage {
  /** Ends the window after a number of steps; 0 ends it now. */
  endAfter(steps: number): void;
}

/** `onEnd` is called when the window ends. */
export function createEndingStorage(folder: string, onEnd: () => void): EndingStorage {
  let left = Number.POSITIVE_INFINITY;
  const storage = interceptSteps(new NodeStorage(folder), async (step) => {
    if (left <= 0) throw new Error('The window has ended.');
    if (--left === 0) onEnd();
    return step.run();
  });
  const endAfter = (steps: number) => {
    left = steps;
    if (left === 0) onEnd();
  };
  return new Proxy(storage as EndingStorage, {
    get: (_, name: keyof EndingStorage) => (name === 'endAfter' ? endAfter : storage[name]),
  });
}
