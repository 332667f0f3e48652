import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import type { CarrierPlace } from '../../chat/documentSync/carrierDocuments';
import type { DocumentSync, Recognition } from '../../chat/documentSync/documentSync';
import type { PlannedFile, ScannedFile } from '../../chat/documentSync/syncPlan';
import type { SyncItem, SyncTarget } from '../../chat/documentSync/syncRun';
import type { Registration } from '../../chat/documentSync/syncState';
import { MAX_VERSION_BYTES } from '../../chat/documents/documentVersions';
import { createUploadNameByExtension } from '../../chat/documents/fileUploadName';
import { readDocumentIds } from '../../chat/documents/focusSync';
import { PENDING } from '../../chat/documents/matchDocuments';
import { baseName } from '../../chat/documents/uploadName';
import { findBaseUrl, findDocument, findNewestVersion } from '../../chat/model/conversation';
import { toFailure } from '../../chat/model/failure';
import type { Connect, Service } from '../../chat/remote/service';
import type { Folder } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import { pickSome, showError, showInformation, showWarning, withProgress } from '../base/dialogs';
import { formatCount, getErrorMessage, joinSentences, plural } from '../base/localizedText';
import { getTextUploadExtensions } from '../base/settings';
import { inspectSavedFile } from '../files/candidate';
import { confirmListed } from '../files/contentGate';
import { GitIgnore } from '../files/gitIgnore';
import type { HostPage } from '../panel/page/hostPage';
import type { Panel } from '../panel/panel';
import type { WorkspaceProposal } from '../parleyJson/workspaceProposal';
import type { Bots } from '../service/bots';
import { formatFailure } from '../service/failureText';
import type { FolderPicker } from '../service/folderPicker';
import type { SetupGuide } from '../service/setupGuide';
import type { UploadFolders } from '../service/uploadFolders';
import { readBranch } from './readBranch';
import { readRepositoryKey } from './repositoryKey';
import { ScanCanceledError } from './scanDocuments';
import { getJournalId, type SyncGroup, type SyncGroups, type SyncHome } from './syncGroups';
import {
  formatFound,
  formatLeftOut,
  formatTitle,
  formatTooMany,
  type SyncListItem,
  toListItems,
} from './syncList';
import {
  type PlacedGroup,
  type Recognize,
  type SyncPlanner,
  type TargetPlan,
  toDocumentUri,
} from './syncPlanner';
import { type SyncOutcome, showSyncResults } from './syncResults';

const { t } = vscode.l10n;

/** Of a larger sync only the texts of these many documents are kept, to show what has changed since a reply. */
const MAX_KEPT = 200;
/** Begins the ID that stands for a folder that doesn't exist yet. */
const NEW_FOLDER = 'new ';

interface Parts extends Pick<ChatServices, 'chat' | 'remote'> {
  readonly sync: DocumentSync;
  readonly planner: SyncPlanner;
  readonly groups: SyncGroups;
  readonly connect: Connect;
  readonly bots: Pick<Bots, 'getDefault'>;
  readonly setup: Pick<SetupGuide, 'checkSetup'>;
  readonly panel: Pick<Panel, 'getCurrentConversationId' | 'moveFocus' | 'returnTo'>;
  readonly uploadFolders: Pick<UploadFolders, 'getInUse' | 'listFolders'>;
  readonly workspaceProposal: Pick<WorkspaceProposal, 'readFiles'>;
  readonly getFolderPicker: () => Promise<Pick<FolderPicker, 'chooseFolder'>>;
  readonly keepVersion: (uri: vscode.Uri, sha256: string) => Promise<void>;
  readonly openParleyJson: () => Promise<unknown>;
}

/** A group's home, or the folder that is created for it once the user agrees. */
interface Placement extends PlacedGroup {
  readonly newFolder?: string;
  /** The service has no folders; whether it has a focus is asked once the user agrees. */
  readonly isOpen?: true;
}

/** Implements Sync Documents…: one list of what is new, changed and gone, one yes, and the sync. */
export class SyncActions {
  readonly #parts: Parts;
  #isRunning = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `page`: the one that asked for it, by default the one shown last. */
  async sync(page?: HostPage): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      void showWarning(t('Trust this workspace to sync its documents.'));
      return;
    }
    if (this.#isRunning) {
      void showInformation(t('The documents of this workspace are already being synced.'));
      return;
    }
    this.#isRunning = true;
    try {
      await this.#sync(page);
    } catch (error) {
      if (error instanceof ScanCanceledError) return;
      const reason =
        error instanceof ServiceError ? formatFailure(toFailure(error, Date.now())) : getErrorMessage(error);
      void showError(joinSentences(t('Couldn’t sync the documents.'), reason));
    } finally {
      this.#isRunning = false;
      if (page) await this.#parts.panel.returnTo(page);
    }
  }

  async #sync(page: HostPage | undefined): Promise<void> {
    const { chat, setup, panel, groups, workspaceProposal } = this.#parts;
    const files = await workspaceProposal.readFiles();
    const found = groups.list(files);
    if (found.length === 0) return this.#explainNone(files.some(({ documents }) => documents.length > 0));
    const conversationId = page?.conversationId ?? (await panel.getCurrentConversationId());
    const { step } = await setup.checkSetup(chat.findConversation(conversationId));
    if (step !== 'done') {
      await panel.moveFocus('focusComposer');
      void showInformation(t('Finish setting up Parley in its panel, then sync again.'));
      return;
    }
    const placements = await this.#place(found, conversationId);
    if (!placements) return;
    const plans = await this.#plan(placements, conversationId);
    const tooMany = plans.find((plan) => plan.tooMany !== undefined)?.tooMany;
    if (tooMany) {
      void showError(formatTooMany(tooMany));
      return;
    }
    const items = toListItems(plans);
    const leftOut = formatLeftOut(plans);
    if (items.length === 0) {
      const total = plans.reduce((sum, plan) => sum + plan.files.length, 0);
      const text =
        total === 0
          ? t('No files match the documents in parley.json.')
          : plural(total, '{0} document is up to date.', 'All {0} documents are up to date.');
      void showInformation(joinSentences(text, leftOut));
      // parley.json may name the folder that they are in only since then.
      for (const plan of plans) if (!plan.isNew) await groups.rememberHome(plan.groups, plan.home);
      await this.#noteSeen(plans);
      return;
    }
    const agreed = await pickSome(items, {
      title: formatTitle(plans),
      placeHolder: joinSentences(
        t('Press Enter to upload and remove what is selected.'),
        formatFound(plans),
        leftOut,
      ),
      ignoreFocusOut: true,
      matchOnDescription: true,
    });
    if (!agreed || agreed.length === 0) return;
    await this.#run(placements, plans, agreed, conversationId);
  }

  async #explainNone(hasDocuments: boolean): Promise<void> {
    if (hasDocuments) {
      void showInformation(t('Connect to the service of this workspace first.'));
      return;
    }
    const open = t('Open parley.json');
    const choice = await showInformation(
      t('Add “documents” to .vscode/parley.json to choose the files that the bots should know.'),
      open,
    );
    if (choice === open) await this.#parts.openParleyJson();
  }

  /** Finds out where each group's documents go; undefined if the user chose no folder. */
  async #place(
    found: readonly SyncGroup[],
    conversationId: string,
  ): Promise<readonly Placement[] | undefined> {
    const placements: Placement[] = [];
    for (const group of found) {
      const placement = await this.#placeGroup(group, conversationId);
      if (!placement) return undefined;
      placements.push(placement);
    }
    return placements;
  }

  async #placeGroup(group: SyncGroup, conversationId: string): Promise<Placement | undefined> {
    const { groups, connect, uploadFolders, getFolderPicker } = this.#parts;
    const service = connect(group.baseUrl);
    const known = groups.getHome(group);
    const inUse = uploadFolders.getInUse(group.baseUrl)?.id;
    if (group.folderName === undefined && inUse !== undefined)
      return { group, home: { kind: 'workspace', folderId: inUse } };
    const folders = await uploadFolders.listFolders(service);
    const named = findFolder(folders, group.folderName);
    if (named) return { group, home: { kind: 'workspace', folderId: named.id } };
    if (group.folderName !== undefined && folders && service.capabilities.has('POST /folders'))
      return { group, home: { kind: 'workspace' }, newFolder: group.folderName };
    if (folders && folders.length > 0) {
      const { signal } = new AbortController();
      const folderId = await (await getFolderPicker()).chooseFolder(service, undefined, signal);
      return folderId === undefined ? undefined : { group, home: { kind: 'workspace', folderId } };
    }
    if (known && known.folderId === undefined) return { group, home: known };
    return { group, home: await this.#guessHome(group, service, conversationId), isOpen: true };
  }

  /** Returns where documents go on a service without folders, as far as that can be found out by reading. */
  async #guessHome(group: SyncGroup, service: Service, conversationId: string): Promise<SyncHome> {
    const conversation = this.#parts.chat.findConversation(conversationId);
    const { remote } = conversation ?? {};
    if (!remote || remote.gone || remote.baseUrl !== group.baseUrl) return { kind: 'workspace' };
    const hasFocus = (await readDocumentIds(service, remote.id)) !== undefined;
    return { kind: hasFocus ? 'workspace' : 'conversation' };
  }

  async #plan(placements: readonly Placement[], conversationId: string): Promise<readonly TargetPlan[]> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: t('Looking for documents'),
      cancellable: true,
    };
    return withProgress(options, (_, token) => {
      const canceling = new AbortController();
      token.onCancellationRequested(() => canceling.abort());
      // A folder that doesn't exist yet has nothing in it.
      const placed = placements.map(({ group, home, newFolder }) => ({
        group,
        home: newFolder === undefined ? home : { ...home, folderId: NEW_FOLDER + newFolder },
      }));
      const recognize: Recognize = (target, files) =>
        this.#recognize(target, files, conversationId, canceling.signal);
      return this.#parts.planner.plan(placed, conversationId, canceling.signal, recognize);
    });
  }

  /** Looks for documents that another machine synced, or that were synced before this one's storage was lost, if it can. */
  async #recognize(
    { group, groups, home, journalId, otherJournalIds }: Parameters<Recognize>[0],
    files: readonly ScannedFile[],
    conversationId: string,
    signal: AbortSignal,
  ): Promise<Recognition | undefined> {
    const carrier = await this.#placeCarrier(group, conversationId);
    const isNewFolder = home.folderId?.startsWith(NEW_FOLDER) === true;
    if (home.kind === 'conversation' || isNewFolder || !carrier) return undefined;
    const { folderId } = home;
    const target: SyncTarget = {
      ...{ journalId, otherJournalIds, baseUrl: group.baseUrl, carrier, toName },
      ...(folderId !== undefined && { folderId }),
    };
    const recognized = await this.#parts.sync.recognize(target, files, signal);
    if (recognized.isFound) await this.#parts.groups.rememberHome(groups, home);
    return recognized;
  }

  async #run(
    placements: readonly Placement[],
    plans: readonly TargetPlan[],
    agreed: readonly SyncListItem[],
    conversationId: string,
  ): Promise<void> {
    const chosen = agreed.flatMap(({ files }) => files);
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: t('Syncing documents'),
      cancellable: true,
    };
    const results = await withProgress(options, async (progress, token) => {
      const canceling = new AbortController();
      token.onCancellationRequested(() => canceling.abort());
      let kept = 0;
      let doneBefore = 0;
      let shown = 0;
      const all: SyncOutcome[] = [];
      const folders = new Map<string, Folder>();
      const journalIds = new Set(plans.map(({ journalId }) => journalId));
      for (const target of plans) {
        const items = chosen.filter((each) => each.target === target).map(({ file }) => toSyncItem(file));
        if (items.length === 0) continue;
        if (canceling.signal.aborted) {
          all.push('canceled');
          break;
        }
        const placement = placements.find(({ group }) => isSameGroup(group, target.group));
        const targeting =
          placement &&
          this.#createTarget(placement, {
            ...{ groups: target.groups, folders, conversationId, signal: canceling.signal },
          });
        const syncTarget = await targeting?.catch((error: unknown) => {
          if (canceling.signal.aborted) return 'canceled' as const;
          throw error;
        });
        if (syncTarget === 'canceled') {
          all.push('canceled');
          break;
        }
        if (!syncTarget) {
          all.push('otherService');
          continue;
        }
        const branch = await readBranch(target.group.folder);
        const gitIgnore = new GitIgnore();
        const { journalId } = syncTarget;
        const otherJournalIds = [...journalIds].filter((id) => id !== journalId);
        journalIds.add(journalId);
        const result = await this.#parts.sync.run({ ...syncTarget, otherJournalIds }, items, {
          signal: canceling.signal,
          files: target.files,
          ...(branch !== undefined && { branch }),
          open: (path) => openListed(toDocumentUri(target.group, path), gitIgnore),
          onRegistered: (registration, replaces) => {
            const uri = toDocumentUri(target.group, registration.path);
            const { size, sha256 } = registration;
            if (sha256 !== undefined && size <= MAX_VERSION_BYTES && kept++ < MAX_KEPT)
              void this.#parts.keepVersion(uri, sha256);
            if ('ensure' in syncTarget.carrier)
              this.#addTurn(target.group, conversationId, registration, replaces);
          },
          onProgress: ({ done, path, waitsUntil }) => {
            const percent = Math.floor(((doneBefore + done) / chosen.length) * 100);
            progress.report({
              message:
                waitsUntil === undefined
                  ? t('{0} of {1}: {2}', formatCount(doneBefore + done), formatCount(chosen.length), path)
                  : t(
                      'the service asked Parley to wait until {0}',
                      new Date(waitsUntil).toLocaleTimeString(vscode.env.language),
                    ),
              increment: percent - shown,
            });
            shown = percent;
          },
        });
        doneBefore += items.length;
        all.push(result);
      }
      return all;
    });
    showSyncResults(results);
  }

  /** Returns where a sync goes, now that the user agreed: creates the folder, and asks whether the service has a focus. */
  async #createTarget(
    { group, home, newFolder, isOpen }: Placement,
    {
      groups: withThisHome,
      folders,
      conversationId,
      signal,
    }: {
      /** All groups with this home. */
      readonly groups: readonly SyncGroup[];
      /** The folders of new names in this run, by service and name. */
      readonly folders: Map<string, Folder>;
      readonly conversationId: string;
      readonly signal: AbortSignal;
    },
  ): Promise<SyncTarget | undefined> {
    const { chat, remote, connect, groups } = this.#parts;
    const service = connect(group.baseUrl);
    const conversation = chat.findConversation(conversationId);
    const isOfService = (findBaseUrl(conversation) ?? group.baseUrl) === group.baseUrl;
    let place: SyncHome = home;
    if (newFolder !== undefined) {
      const key = `${group.baseUrl} ${newFolder}`;
      const folder = folders.get(key) ?? (await this.#createFolder(service, newFolder));
      folders.set(key, folder);
      place = { kind: 'workspace', folderId: folder.id };
    } else if (isOpen) {
      if (!isOfService || !conversation?.bot) return undefined;
      const remoteId = await remote.ensureCreated(conversationId, service, signal);
      const hasFocus = (await readDocumentIds(service, remoteId, signal)) !== undefined;
      place = { kind: hasFocus ? 'workspace' : 'conversation' };
    }
    await groups.rememberHome(withThisHome, place);
    const journalId = await getJournalId(group, place, conversationId);
    const { folderId } = place;
    if (place.kind === 'conversation') {
      if (!isOfService || !conversation?.bot) return undefined;
      const ensure = (aborting: AbortSignal) => remote.ensureCreated(conversationId, service, aborting);
      return { journalId, baseUrl: group.baseUrl, carrier: { ensure }, toName };
    }
    const carrier = await this.#placeCarrier(group, conversationId);
    if (!carrier) return undefined;
    return {
      ...{ journalId, baseUrl: group.baseUrl, carrier, toName },
      ...(folderId !== undefined && { folderId }),
    };
  }

  /** Returns which conversation documents are registered with; undefined if there is no bot for it. */
  async #placeCarrier(group: SyncGroup, conversationId: string): Promise<CarrierPlace | undefined> {
    const conversation = this.#parts.chat.findConversation(conversationId);
    const isOfService = (findBaseUrl(conversation) ?? group.baseUrl) === group.baseUrl;
    const botId =
      group.sets.find((set) => set.botId !== undefined)?.botId ??
      (isOfService ? conversation?.bot?.id : undefined) ??
      this.#parts.bots.getDefault(group.baseUrl)?.id;
    if (botId === undefined) return undefined;
    // Not translated, because it is stored on the service.
    return { label: `Documents of ${group.folder.name}`, botId, key: await readRepositoryKey(group.folder) };
  }

  /** Creates a folder, unless it was created since the list was shown; finds it if its ID isn't told. Throws ServiceError. */
  async #createFolder(service: Service, name: string): Promise<Folder> {
    const { client, capabilities } = service;
    const find = async () => findFolder(await this.#parts.uploadFolders.listFolders(service), name);
    const folder =
      (await find()) ??
      (await capabilities.use('POST /folders', () => client.createFolder({ name }))) ??
      (await find());
    if (!folder) throw new Error(t('The service doesn’t support creating folders.'));
    return folder;
  }

  /** Shows a document among those of its conversation. */
  #addTurn(
    group: SyncGroup,
    conversationId: string,
    { key, name, size, sha256, path, id, at }: Registration,
    replaces: string | undefined,
  ): void {
    const { chat } = this.#parts;
    const conversation = chat.findConversation(conversationId);
    if (!conversation || findDocument(conversation, key)) return;
    // It may have been updated on save since the last sync.
    const newest = replaces && findNewestVersion(conversation.turns, replaces);
    const replaced = findDocument(conversation, newest);
    chat.addDocument(conversationId, {
      ...{ kind: 'document', id: key, name, size, sent: size, at: Date.now(), state: 'attached' },
      ...{ uri: toDocumentUri(group, path).toString(), acceptedAt: at, status: PENDING },
      ...(sha256 !== undefined && { sha256 }),
      ...(id !== undefined && { documentId: id }),
      ...(replaced && { replaces: replaced.id }),
      ...(replaced?.updateOnSave && { updateOnSave: true }),
    });
  }

  /** Notes the new times of files that were only written again, so that they aren't read again. */
  async #noteSeen(plans: readonly TargetPlan[]): Promise<void> {
    for (const { journalId, plan } of plans) await this.#parts.sync.noteSeen(journalId, plan.seen);
  }
}

/** Opens a file that the user agreed to, unless it may not be uploaded any more. */
async function openListed(uri: vscode.Uri, gitIgnore: GitIgnore) {
  const candidate = await inspectSavedFile(uri, gitIgnore);
  const agreed = confirmListed(candidate);
  if (!agreed) await candidate.file.opened.close();
  return agreed?.file;
}

function toName(path: string): string {
  return createUploadNameByExtension(baseName(path), getTextUploadExtensions()).name;
}

function toSyncItem({ path, size, mtime, change }: PlannedFile): SyncItem {
  return change === 'gone' ? { action: 'remove', path } : { action: 'upload', path, size, mtime };
}

function isSameGroup(one: SyncGroup, other: SyncGroup): boolean {
  return (
    one.folder.uri.toString() === other.folder.uri.toString() &&
    one.baseUrl === other.baseUrl &&
    one.folderName === other.folderName
  );
}

function findFolder(
  folders: readonly Folder[] | undefined,
  nameOrId: string | undefined,
): Folder | undefined {
  return folders?.find(({ id }) => id === nameOrId) ?? folders?.find(({ name }) => name === nameOrId);
}
