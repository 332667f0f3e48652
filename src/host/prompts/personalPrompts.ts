import * as vscode from 'vscode';
import { platform } from '#platform';
import type { Mirror } from '../../chat/mirror/mirror';
import { PromptMirror } from '../../chat/mirror/promptMirror';
import {
  formatPromptFile,
  MAX_PROMPT_BYTES,
  PROMPT_EXTENSION,
  parsePromptFile,
} from '../../chat/prompts/promptFile';
import type { Storage } from '../../chat/store/files/storage';
import { toFileName } from '../../chat/text/fileName';
import type { Prompt } from './storedPrompt';

const MAX_FILES = 1000;

/** Limit on the number that tells apart prompts with the same file name: `name 2.prompt.md`, and so on. */
const MAX_SUFFIX = 1000;

/**
 * The user's own prompts: one prompt file each, in the extension's global storage, which all windows share. Windows
 * don't overwrite each other's prompts: a new prompt gets a new file, and prompts are edited in VS Code's editors,
 * which notice when a file has changed.
 */
export class PersonalPrompts implements vscode.Disposable {
  readonly #folder: vscode.Uri;
  readonly #storage: Storage;
  readonly #mirror: PromptMirror;
  readonly #onError: (error: unknown) => void;
  readonly #subscription: vscode.Disposable;

  /** `mirror` has a copy of the prompts, from which they return; `onError` receives failures to keep it up to date. */
  constructor(folder: vscode.Uri, mirror: Mirror, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#storage = platform.openStorage(this.#folder);
    this.#mirror = new PromptMirror(this.#storage, mirror);
    this.#onError = onError;
    this.#subscription = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const folder = vscode.Uri.joinPath(uri, '..');
      if (folder.toString() === this.#folder.toString()) void this.#updateMirror();
    });
  }

  /** Returns the prompts in the order of their names. */
  async listPrompts(): Promise<readonly Prompt[]> {
    await this.#updateMirror();
    const files = (await this.#storage.listFiles())
      .filter(({ name, size }) => name.endsWith(PROMPT_EXTENSION) && size <= MAX_PROMPT_BYTES)
      .slice(0, MAX_FILES);
    const prompts = await Promise.all(files.map(({ name }) => this.#read(name)));
    return prompts
      .filter((prompt) => prompt !== undefined)
      .sort((a, b) => a.name.localeCompare(b.name, vscode.env.language));
  }

  /** Stores a new prompt, and returns it; undefined if it is too long. */
  async add(name: string, body: string): Promise<Prompt | undefined> {
    const bytes = new TextEncoder().encode(formatPromptFile({ name, body }));
    if (bytes.length > MAX_PROMPT_BYTES) return;
    const baseName = toFileName(name, 'Prompt');
    for (let suffix = 1; suffix < MAX_SUFFIX; suffix++) {
      const file = `${baseName}${suffix === 1 ? '' : ` ${suffix}`}${PROMPT_EXTENSION}`;
      if (!(await this.#storage.createFile(file, bytes))) continue;
      await this.#updateMirror();
      return this.#parse(file, bytes);
    }
    throw new Error('Too many prompts have the same name.');
  }

  /** Deletes a prompt, unless it has changed since it was read. Returns whether it is gone. */
  async delete({ id, name, body }: Prompt): Promise<boolean> {
    const file = id.slice(ID_PREFIX.length);
    const now = await this.#read(file);
    if (now && (now.name !== name || now.body !== body)) return false;
    await this.#mirror.delete(file);
    await this.#storage.removeFile(file);
    return true;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Without it, the prompts here can still be used. */
  async #updateMirror(): Promise<void> {
    await this.#mirror.update().catch(this.#onError);
  }

  async #read(file: string): Promise<Prompt | undefined> {
    const bytes = await this.#storage.readFile(file, 0, MAX_PROMPT_BYTES);
    return bytes && this.#parse(file, bytes);
  }

  #parse(file: string, bytes: Uint8Array): Prompt {
    return {
      ...parsePromptFile(file, new TextDecoder().decode(bytes)),
      ...{ id: `${ID_PREFIX}${file}`, source: 'personal', uri: vscode.Uri.joinPath(this.#folder, file) },
    };
  }
}

const ID_PREFIX = 'personal/';
