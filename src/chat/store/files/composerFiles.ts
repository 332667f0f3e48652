import * as v from 'valibot';
import { chipSchema, composerStateSchema } from '../../../shared/conversation/conversationSchemas';
import { type ComposerState, EMPTY_COMPOSER } from '../../model/composerState';
import { DelayedFiles } from './delayedFiles';
import type { Storage } from './storage';
import {
  addUnknownItems,
  keepDamagedFile,
  parseItems,
  removeWithCopies,
  type UnknownItem,
} from './storedItems';

/** The name is from when these were stored as drafts; another one would lose what is there. */
const EXTENSION = '.composing.draft';

const storedChipSchema = v.looseObject(chipSchema.entries);
const { webSearch: webSearchSchema, queuedEdit: queuedEditSchema } = composerStateSchema.entries;

/** Properties stored by a newer version that this one doesn't know. */
interface Unknown {
  readonly chips: readonly UnknownItem[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The contents of each composer other than the draft: one file each, deleted when empty. */
export class ComposerFiles {
  readonly #storage: Storage;
  readonly #files: DelayedFiles;
  readonly #onError: (error: unknown) => void;
  readonly #onDamaged: (id: string) => void;
  /** Of the files that were read, by their conversations' IDs. */
  readonly #unknown = new Map<string, Unknown>();

  /**
   * `onError` receives failed writes, and damaged files, which count as empty. `onDamaged` is called as well when a file
   * is damaged; a copy of it was kept. The drafts are written first: a text that moves to one from the editor of a queued
   * message is always in one of the files.
   */
  constructor(
    storage: Storage,
    drafts: DelayedFiles,
    onError: (error: unknown) => void,
    onDamaged: (id: string) => void,
  ) {
    this.#storage = storage;
    this.#files = new DelayedFiles(storage, EXTENSION, onError, { writeFirst: () => drafts.flush() });
    this.#onError = onError;
    this.#onDamaged = onDamaged;
  }

  /** Throws file system errors. */
  async get(id: string): Promise<ComposerState> {
    return this.#read(id, await this.#files.get(id));
  }

  set(id: string, state: ComposerState): void {
    this.#files.set(id, this.#format(id, state));
  }

  /** Replaces what this window stored last, and nothing that another one has stored since. */
  replaceOwn(id: string, state: ComposerState): void {
    this.#files.replaceOwn(id, this.#format(id, state));
  }

  /** Calls `onRead` with a composer that couldn't be read, once it can be. What is set is written only after that. */
  readAgain(id: string, onRead: (stored: ComposerState) => void): void {
    this.#files.readAgain(id, async (text) => onRead(await this.#read(id, text)));
  }

  /** Writes what is unsaved. Throws the file system's error if it refuses this composer. */
  save(id: string): Promise<void> {
    return this.#files.save(id);
  }

  flush(): Promise<void> {
    return this.#files.flush();
  }

  /** Removes all that is stored of a composer, and what was kept of damaged files. */
  async remove(id: string): Promise<void> {
    this.#unknown.delete(id);
    await this.#files.remove(id);
    await removeWithCopies(this.#storage, `${id}${EXTENSION}`);
  }

  /** Writes what is unsaved; after that nothing is retried. */
  dispose(): Promise<void> {
    return this.#files.dispose();
  }

  #format(id: string, state: ComposerState): string {
    const { chips = [], properties = {} } = this.#unknown.get(id) ?? {};
    const hasUnknown = chips.length > 0 || Object.keys(properties).length > 0;
    const isEmpty = state.context.length === 0 && !state.webSearch && !state.queuedEdit && !hasUnknown;
    const stored = {
      ...properties,
      context: addUnknownItems(state.context, chips),
      ...((state.webSearch || !('webSearch' in properties)) && { webSearch: state.webSearch }),
      ...(state.queuedEdit && { queuedEdit: state.queuedEdit }),
    };
    return isEmpty ? '' : JSON.stringify(stored);
  }

  async #read(id: string, text: string): Promise<ComposerState> {
    if (text === '') return EMPTY_COMPOSER;
    try {
      return this.#parse(id, JSON.parse(text));
    } catch (error) {
      const bytes = new TextEncoder().encode(text);
      this.#onError(await keepDamagedFile(this.#storage, `${id}${EXTENSION}`, bytes, error));
      this.#onDamaged(id);
      return EMPTY_COMPOSER;
    }
  }

  #parse(id: string, value: unknown): ComposerState {
    if (Array.isArray(value)) throw new Error('A list instead of an object');
    const { context, webSearch, queuedEdit, ...others } = v.parse(v.record(v.string(), v.unknown()), value);
    const { known, unknown } = parseItems(v.parse(v.array(v.unknown()), context ?? []), storedChipSchema);
    const edit = v.safeParse(queuedEditSchema, queuedEdit);
    const switched = v.safeParse(webSearchSchema, webSearch ?? false);
    this.#unknown.set(id, {
      chips: unknown,
      properties: {
        ...others,
        ...(!edit.success && { queuedEdit }),
        ...(!switched.success && { webSearch }),
      },
    });
    return {
      context: known,
      webSearch: switched.success && switched.output,
      ...(edit.success && edit.output && { queuedEdit: edit.output }),
    };
  }
}
