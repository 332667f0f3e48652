import * as vscode from 'vscode';
import { platform } from '#platform';
import type { Chat } from '../../chat/conversations/chat';
import type { DocumentSync, Recognition } from '../../chat/documentSync/documentSync';
import { planSync, type ScannedFile, type SyncPlan } from '../../chat/documentSync/syncPlan';
import { SyncState } from '../../chat/documentSync/syncState';
import { DocumentInspector, type DocumentScan, type LeftOut, scanDocuments } from './scanDocuments';
import { getJournalId, type SyncGroup, type SyncHome } from './syncGroups';

const MAX_CONCURRENT_READS = 16;

/** A group, and where its documents are or go. */
export interface PlacedGroup {
  readonly group: SyncGroup;
  readonly home: SyncHome;
}

/** What a sync of a workspace folder with one home would do. */
export interface TargetPlan {
  readonly journalId: string;
  /** With the sets of all groups that have this home. */
  readonly group: SyncGroup;
  /** The groups that have this home. */
  readonly groups: readonly SyncGroup[];
  readonly home: SyncHome;
  readonly plan: SyncPlan;
  /** The documents that the globs match now. */
  readonly files: readonly ScannedFile[];
  readonly leftOut: LeftOut;
  readonly tooMany?: DocumentScan['tooMany'];
  /** Whether anything was ever registered. */
  readonly isNew: boolean;
}

/** The groups with one home. */
interface PlacedTarget extends PlacedGroup {
  readonly groups: readonly SyncGroup[];
  readonly journalId: string;
  readonly conversationId: string;
  /** Of the groups with other homes. */
  readonly otherJournalIds: readonly string[];
}

/** Finds out which documents of these files the service already has. */
export type Recognize = (
  target: PlacedTarget,
  files: readonly ScannedFile[],
) => Promise<Recognition | undefined>;

/** Compares the workspace's documents with what was registered. */
export class SyncPlanner {
  readonly #sync: DocumentSync;
  readonly #chat: Pick<Chat, 'findConversation'>;
  readonly #inspector = new DocumentInspector();

  constructor(sync: DocumentSync, chat: Pick<Chat, 'findConversation'>) {
    this.#sync = sync;
    this.#chat = chat;
  }

  /** Plans the sync of all groups. Throws the file system's error, and ScanCanceledError. */
  async plan(
    placed: readonly PlacedGroup[],
    conversationId: string,
    signal: AbortSignal,
    recognize?: Recognize,
  ): Promise<readonly TargetPlan[]> {
    // Groups with the same home share a journal: what only one of them has isn't gone for the other.
    const targets = new Map<string, PlacedGroup[]>();
    for (const each of placed) {
      const id = await getJournalId(each.group, each.home, conversationId);
      targets.set(id, [...(targets.get(id) ?? []), each]);
    }
    const plans: TargetPlan[] = [];
    for (const [journalId, placedGroups] of targets) {
      const [first] = placedGroups;
      if (!first) continue;
      const groups = placedGroups.map(({ group }) => group);
      const sets = groups.flatMap((group) => group.sets);
      const target = {
        ...{ journalId, conversationId, groups, home: first.home, group: { ...first.group, sets } },
        otherJournalIds: [...targets.keys()].filter((id) => id !== journalId),
      };
      plans.push(await this.#planTarget(target, signal, recognize));
    }
    return plans;
  }

  async #planTarget(
    target: PlacedTarget,
    signal: AbortSignal,
    recognize: Recognize | undefined,
  ): Promise<TargetPlan> {
    const { journalId, group, groups, home } = target;
    const { folder } = group;
    let state = await this.#readState(target);
    const scan = await scanDocuments(folder, group.sets, signal);
    const realFolder = await platform.realUri(folder.uri);
    const leftOut = { ...scan.leftOut };
    const files = await filterConcurrently(scan.files, async (file) => {
      const current = state.findCurrent(file.path);
      // Was inspected when it was uploaded.
      if (current?.size === file.size && current.mtime === file.mtime) return true;
      const reason = await this.#inspector.findReason(folder, realFolder, file).catch(() => undefined);
      if (reason) leftOut[reason]++;
      return reason === undefined;
    });
    const recognized = scan.tooMany ? undefined : await recognize?.(target, files);
    if (recognized?.isFound) state = await this.#readState(target);
    const plan = scan.tooMany
      ? { files: [], unchanged: 0, seen: [] }
      : await planSync(state, files, (file) => this.#inspector.digest(folder, file), recognized?.failedIds);
    return {
      ...{ journalId, group, groups, home, plan, files, leftOut },
      isNew: state.registrations.length === 0,
      ...(scan.tooMany && { tooMany: scan.tooMany }),
    };
  }

  async #readState({ journalId, home, conversationId }: PlacedTarget): Promise<SyncState> {
    const state = await this.#sync.read(journalId);
    const { remote } = this.#chat.findConversation(conversationId) ?? {};
    const isElsewhere = state.carrier !== undefined && (remote?.gone || state.carrier !== remote?.id);
    // A conversation that is created again on the service has none of the documents.
    return home.kind === 'conversation' && isElsewhere ? new SyncState() : state;
  }
}

/** Returns the files that a test accepts, in their order. */
async function filterConcurrently(
  files: readonly ScannedFile[],
  test: (file: ScannedFile) => Promise<boolean>,
): Promise<readonly ScannedFile[]> {
  const accepted: boolean[] = [];
  const waiting = files.entries();
  const work = async () => {
    for (const [index, file] of waiting) accepted[index] = await test(file);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, work));
  return files.filter((_, index) => accepted[index]);
}

/** Returns the URI of a path in a workspace folder. */
export function toDocumentUri({ folder }: SyncGroup, path: string): vscode.Uri {
  return vscode.Uri.joinPath(folder.uri, path);
}
