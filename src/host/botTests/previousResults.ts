import * as v from 'valibot';
import * as vscode from 'vscode';
import { Mutex } from '../../chat/base/mutex';
import type { ComparedResult } from '../../chat/botTests/compareResults';

/** Results that are kept, the newest. */
const MAX_RESULTS = 1000;
/** In UTF-16 code units, of a kept reply. */
const MAX_REPLY_LENGTH = 10_000;
const MAX_BYTES = 20 * 1024 * 1024;

const resultSchema = v.object({
  outcome: v.picklist(['passed', 'failed', 'errored', 'skipped']),
  mismatches: v.pipe(v.number(), v.minValue(0)),
  reasons: v.array(v.string()),
  reply: v.string(),
  at: v.number(),
});
const fileSchema = v.object({ results: v.array(v.tuple([v.string(), resultSchema])) });

/** A result as it is kept. */
export interface StoredResult extends ComparedResult {
  /** Why it didn't pass, in the language of then. */
  readonly reasons: readonly string[];
  /** The last reply. */
  readonly reply: string;
  /** In ms since the epoch. */
  readonly at: number;
}

/** Keeps the last result of each question and bot, for Compare with Previous Run: in the workspace's storage, if it has one. */
export class PreviousResults {
  readonly #uri: vscode.Uri | undefined;
  readonly #mutex = new Mutex();
  #results: Map<string, StoredResult> | undefined;

  constructor(folder: vscode.Uri | undefined) {
    this.#uri = folder && vscode.Uri.joinPath(folder, 'botTests.json');
  }

  async getResult(key: string): Promise<StoredResult | undefined> {
    return (await this.#mutex.run(() => this.#read())).get(key);
  }

  /** Rejects with the file system's error. */
  saveResults(results: ReadonlyMap<string, StoredResult>): Promise<void> {
    return this.#mutex.run(async () => {
      const all = await this.#read();
      for (const [key, result] of results) {
        // The newest come last.
        all.delete(key);
        all.set(key, { ...result, reply: result.reply.slice(0, MAX_REPLY_LENGTH) });
      }
      this.#results = new Map([...all].slice(-MAX_RESULTS));
      if (!this.#uri) return;
      const text = JSON.stringify({ results: [...this.#results] });
      await vscode.workspace.fs.writeFile(this.#uri, new TextEncoder().encode(text));
    });
  }

  async #read(): Promise<Map<string, StoredResult>> {
    this.#results ??= new Map(this.#uri ? await readResults(this.#uri) : []);
    return this.#results;
  }
}

async function readResults(uri: vscode.Uri): Promise<readonly [string, StoredResult][]> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (bytes.length > MAX_BYTES) return [];
    const { success, output } = v.safeParse(fileSchema, JSON.parse(new TextDecoder().decode(bytes)));
    return success ? output.results : [];
  } catch {
    // There is none yet, or it was cut off: then there is nothing to compare with.
    return [];
  }
}
