import { DelayedFiles } from './delayedFiles';
import type { Storage } from './storage';

/** The text in each conversation's composer. */
export class Drafts extends DelayedFiles {
  /** `onError` receives failed writes. */
  constructor(storage: Storage, onError: (error: unknown) => void) {
    super(storage, '.draft', onError);
  }
}
