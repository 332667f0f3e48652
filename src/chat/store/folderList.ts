import {
  type ConversationIndex,
  getTranscriptName,
  parseTranscriptName,
  type Summary,
} from './conversationIndex';
import { getLeaseName, isClaim, type LeaseTimes, parseLeaseName } from './files/lease';
import type { Storage } from './files/storage';
import type { FolderSync } from './folderSync';
import type { Listing } from './storeEvents';
import type { TranscriptFile } from './transcript/transcriptFile';
import { mayContainWords } from './transcript/transcriptReader';

/** Conversations that are compared with their files before they are listed. */
const MAX_RECENT = 200;
/** Conversations that are read ahead while others are searched. */
const MAX_READS_AHEAD = 8;
/** Age at which a file that a crash left behind is removed. */
const MAX_LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000;

interface Parts {
  readonly storage: Storage;
  readonly index: ConversationIndex;
  /** The transcripts that are read and written in this window, by their conversations' IDs. */
  readonly files: ReadonlyMap<string, TranscriptFile>;
  readonly folderSync: FolderSync;
  readonly leaseTimes: LeaseTimes;
  readonly onError: (error: unknown) => void;
}

/** Lists the conversations of the folder, and finds those with certain words. */
export class FolderList {
  readonly #parts: Parts;
  #isListed = false;

  /** `onError` receives failures that concern single files, such as a leftover that can't be removed. */
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Lists all conversations. Trusts the index about those that haven't changed recently, because asking for the
   * state of thousands of files takes a second; what has changed in them is reported by events. Throws file system errors
   * of the folder.
   */
  async list(): Promise<Listing> {
    const { storage, index, files, folderSync, onError } = this.#parts;
    const [names] = await Promise.all([storage.listNames(), index.load()]);
    const ids = new Set(names.flatMap((name) => parseTranscriptName(name) ?? []));
    const known = [...index.ids, ...files.keys()];
    await folderSync.refreshFiles(known.filter((id) => !ids.has(id)));
    const recent = index.getSummaries().slice(0, MAX_RECENT);
    const unlisted = [...ids].filter((id) => !index.getSummary(id));
    const checked = new Set([...recent.map(({ id }) => id), ...unlisted, ...files.keys()]);
    await folderSync.refreshFiles(await index.updateSummaries([...checked].filter((id) => ids.has(id))));
    const alive = new Set(await this.#findAlive(names.filter((name) => parseLeaseName(name) !== undefined)));
    for (const name of names)
      if (name.endsWith('.tmp') || isClaim(name)) await this.#removeLeftover(name).catch(onError);
    if (recent.length === MAX_RECENT) void folderSync.refreshAll().catch(onError);
    this.#isListed = true;
    return {
      conversations: index.getSummaries().map((summary) => ({
        ...summary,
        streaming: summary.openReply !== undefined && alive.has(getLeaseName(summary.id)),
      })),
      newerVersions: index.ids.flatMap((id) =>
        index.getSummary(id) ? [] : [{ kind: 'newerVersion', name: getTranscriptName(id) }],
      ),
    };
  }

  /**
   * Yields the conversations that may have a turn with all the words, newest first, and undefined for each of the
   * others. Reads some ahead. The words are folded; without words, every conversation is yielded.
   */
  async *findCandidates(words: readonly string[]): AsyncGenerator<Summary | undefined> {
    if (!this.#isListed) await this.list();
    const { storage, index } = this.#parts;
    const check = async (summary: Summary) => {
      const [name, size] = [getTranscriptName(summary.id), index.getSize(summary.id)];
      if (words.length === 0 || (await mayContainWords(storage, name, size, words))) return summary;
    };
    const checks: Promise<Summary | undefined>[] = [];
    for (const summary of index.getSummaries()) {
      const result = check(summary);
      // A failure is thrown when the conversation's turn comes, unless no one waits for it any more.
      result.catch(() => undefined);
      if (checks.push(result) > MAX_READS_AHEAD) yield await checks.shift();
    }
    for (const result of checks) yield await result;
  }

  /** Returns whether some window is writing the reply that hasn't ended. */
  async isStreaming({ id, openReply }: Summary): Promise<boolean> {
    return openReply !== undefined && (await this.#findAlive([getLeaseName(id)])).length > 0;
  }

  /** Returns the leases that seem to have had a heartbeat recently: good enough for what is only shown. */
  async #findAlive(leaseNames: readonly string[]): Promise<string[]> {
    const { storage, leaseTimes, onError } = this.#parts;
    const infos = await Promise.all(leaseNames.map((name) => storage.statFile(name).catch(onError)));
    return infos.flatMap((info) =>
      info && Math.abs(Date.now() - info.mtime) < leaseTimes.staleMs ? [info.name] : [],
    );
  }

  /** Removes a file that a crash left behind, once it is old. */
  async #removeLeftover(name: string): Promise<void> {
    const { storage } = this.#parts;
    const info = await storage.statFile(name);
    // Over the browser's database the time may be unknown, which is 0.
    if (info && info.mtime > 0 && Date.now() - info.mtime > MAX_LEFTOVER_AGE_MS)
      await storage.removeFile(name);
  }
}
