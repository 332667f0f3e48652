import * as v from 'valibot';
import { time } from '../../shared/conversation/conversationSchemas';
import { Mutex } from '../base/mutex';
import { MAX_PROMPT_BYTES, PROMPT_EXTENSION } from '../prompts/promptFile';
import type { FileInfo, Storage } from '../store/files/storage';
import { toFileName } from '../text/fileName';
import type { Mirror } from './mirror';
import { getMaxItemLength } from './mirrorItems';

/** In the folder of the prompts, and lost with them: what each file and its item had in common last. */
const KNOWN_FILE = 'mirrored.json';

const knownSchema = v.record(v.string(), v.object({ at: time, text: v.string() }));
type Known = v.InferOutput<typeof knownSchema>;

/**
 * Keeps the files of personal prompts and their items in the mirror the same: of a prompt that was changed in both, the last
 * change counts. A file that is missing was lost, and is written again, unless the user deleted the prompt in Parley.
 */
export class PromptMirror {
  readonly #storage: Storage;
  readonly #mirror: Mirror;
  readonly #now: () => number;
  readonly #mutex = new Mutex();

  /** `storage` has the prompts; `now` returns ms since the epoch. */
  constructor(storage: Storage, mirror: Mirror, now: () => number = Date.now) {
    this.#storage = storage;
    this.#mirror = mirror;
    this.#now = now;
  }

  /** Compares all files with the mirror, although one fails. Throws file system errors. */
  update(): Promise<void> {
    return this.#mutex.run(() => this.#update());
  }

  /** Remembers that a prompt was deleted, before its file is. */
  async delete(file: string): Promise<void> {
    this.#mirror.set('prompt', file, undefined);
    await this.#mirror.flush();
  }

  async #update(): Promise<void> {
    this.#mirror.refresh();
    const infos = (await this.#storage.listFiles()).filter(({ name }) => isPromptName(name));
    const files = new Map(infos.map((info) => [info.name, info]));
    const items = [...this.#mirror.getItems('prompt').keys()].filter(isPromptName);
    const before = await this.#readKnown();
    const known: Known = {};
    const failures: unknown[] = [];
    for (const file of new Set([...files.keys(), ...items])) {
      const info = files.get(file);
      const compared = info ? this.#compare(info, before[file]) : this.#restore(file);
      const next = await compared.catch((error: unknown) => {
        failures.push(error);
        return before[file];
      });
      if (next) known[file] = next;
    }
    if (JSON.stringify(known) !== JSON.stringify(before))
      await this.#storage.replaceFile(KNOWN_FILE, encode(JSON.stringify(known)));
    if (failures.length > 0) throw failures[0];
  }

  /** Returns what the file and its item have in common now. */
  async #compare(info: FileInfo, known: Known[string] | undefined): Promise<Known[string] | undefined> {
    const { name: file } = info;
    const text = await this.#read(file);
    // An empty file is being created by another window, and what is too long is only here.
    if (!text || JSON.stringify(text).length > getMaxItemLength('prompt')) return known;
    const item = this.#mirror.getItem('prompt', file);
    const value = typeof item?.value === 'string' ? item.value : undefined;
    if (item && value === text) return { at: item.at, text };
    const isEdited = text !== known?.text;
    if (item && value !== undefined && !known) {
      // A prompt from before there was a mirror, with the name of one from another machine.
      await this.#keepBoth(file, text);
      return this.#write(file, item.at, value);
    }
    const changedAt = isEdited ? info.mtime || this.#now() : known.at;
    const isItemChanged = item && known && item.at > known.at;
    const isItemNewer = isItemChanged && (!isEdited || item.at > changedAt);
    if (isEdited && isItemChanged && value !== undefined && value !== known.text)
      await this.#keepBoth(file, isItemNewer ? text : value);
    if (!isItemNewer) return this.#put(file, text, changedAt);
    if (value !== undefined) return this.#write(file, item.at, value);
    await this.#storage.removeFile(file);
    return undefined;
  }

  async #restore(file: string): Promise<Known[string] | undefined> {
    const item = this.#mirror.getItem('prompt', file);
    return typeof item?.value === 'string' ? this.#write(file, item.at, item.value) : undefined;
  }

  #put(file: string, text: string, at: number): Known[string] {
    this.#mirror.set('prompt', file, text, at);
    return { at: this.#mirror.getItem('prompt', file)?.at ?? at, text };
  }

  async #write(file: string, at: number, text: string): Promise<Known[string]> {
    await this.#storage.replaceFile(file, encode(text));
    return { at, text };
  }

  /** Copies a file that is about to be replaced, unless there is a copy from before the disk refused to replace it. */
  async #keepBoth(file: string, text: string): Promise<void> {
    const base = file.slice(0, -PROMPT_EXTENSION.length);
    for (let suffix = 2; ; suffix++) {
      const copy = `${base} ${suffix}${PROMPT_EXTENSION}`;
      if (await this.#storage.createFile(copy, encode(text))) return;
      if ((await this.#read(copy)) === text) return;
    }
  }

  async #read(file: string): Promise<string | undefined> {
    const bytes = await this.#storage.readFile(file, 0, MAX_PROMPT_BYTES + 1);
    return bytes && bytes.length <= MAX_PROMPT_BYTES ? new TextDecoder().decode(bytes) : undefined;
  }

  async #readKnown(): Promise<Known> {
    const bytes = await this.#storage.readFile(KNOWN_FILE);
    try {
      return v.parse(knownSchema, JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      // As on a machine that never compared them.
      return {};
    }
  }
}

/** Returns whether a file is mirrored: the name may come from another machine, and must be one of a file on all systems. */
function isPromptName(file: string): boolean {
  const name = file.slice(0, -PROMPT_EXTENSION.length);
  return file.endsWith(PROMPT_EXTENSION) && name === toFileName(name, 'Prompt');
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
