import type { Storage } from '../../../src/chat/store/files/storage';

/** A step of a window on its disk: a call of any method of its storage but `watch`. */
export interface DiskStep {
  readonly operation: Exclude<keyof Storage, 'watch'>;
  readonly parameters: readonly unknown[];
  run(parameters?: readonly unknown[]): Promise<unknown>;
}

/** Returns the storage with other steps: `perform` runs each of them, or doesn't. */
export function interceptSteps(storage: Storage, perform: (step: DiskStep) => Promise<unknown>): Storage {
  return new Proxy(storage, {
    get(_, operation: keyof Storage) {
      const method = storage[operation].bind(storage) as (...parameters: readonly unknown[]) => unknown;
      if (operation === 'watch') return method;
      return (...parameters: readonly unknown[]) =>
        perform({ operation, parameters, run: async (changed = parameters) => method(...changed) });
    },
  });
}
