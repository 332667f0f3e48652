import * as v from 'valibot';
import { composerStateSchema } from '../../../shared/conversation/conversationSchemas';
import { type ComposerState, EMPTY_COMPOSER } from '../../model/composerState';
import { DelayedFiles } from './delayedFiles';
import type { Storage } from './storage';

/** The name is from when these were stored as drafts; another one would lose what is there. */
const EXTENSION = '.composing.draft';

/** The contents of each composer other than the draft: one file each, deleted when empty. */
export class ComposerFiles {
  readonly #files: DelayedFiles;

  /** `onError` receives failed writes. */
  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#files = new DelayedFiles(storage, EXTENSION, onError);
  }

  /** Throws errors of the file system, of JSON.parse and of valibot. */
  async get(id: string): Promise<ComposerState> {
    const text = await this.#files.get(id);
    return text === ''
      ? EMPTY_COMPOSER
      : v.parse(composerStateSchema, JSON.parse(text), { abortEarly: true });
  }

  set(id: string, state: ComposerState): void {
    const isEmpty = state.context.length === 0 && !state.webSearch && !state.queuedEdit;
    this.#files.set(id, isEmpty ? '' : JSON.stringify(state));
  }

  flush(): Promise<void> {
    return this.#files.flush();
  }

  /** Writes what is unsaved; after that nothing is retried. */
  dispose(): Promise<void> {
    return this.#files.dispose();
  }
}
