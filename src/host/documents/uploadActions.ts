import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import type { ConfirmedFile } from '../../chat/documents/fileToUpload';
import { baseName } from '../../chat/documents/uploadName';
import type { DocumentTurn } from '../../chat/model/turn';
import { confirmAddAgain } from '../base/confirmAgain';
import { showError, showInformation, showWarning } from '../base/dialogs';
import { getErrorMessage } from '../base/localizedText';
import { type Candidate, FileRefusal, inspectFile } from '../files/candidate';
import { type ConfirmedCandidate, confirmUpload, type Selection } from '../files/contentGate';
import { findUnsavedDocument, getActiveResource } from '../files/editorText';
import { GitIgnore } from '../files/gitIgnore';
import type { HostPage } from '../panel/page/hostPage';
import type { Panel } from '../panel/panel';
import type { SetupGuide } from '../service/setupGuide';
import { listFiles, MAX_FILES } from './folders';
import { uploadWithProgress } from './uploadProgress';

const { t } = vscode.l10n;

type UploadServices = Pick<ChatServices, 'chat' | 'uploads'> & {
  readonly setup: Pick<SetupGuide, 'checkSetup'>;
  readonly panel: Pick<Panel, 'getCurrentConversationId' | 'moveFocus' | 'returnTo'>;
};

/** Implements the commands and intents that upload files to a conversation. */
export class UploadActions {
  readonly #services: UploadServices;

  constructor(services: UploadServices) {
    this.#services = services;
  }

  /**
   * Runs the upload command: from the explorer (all selected files), an editor tab, or the palette (the
   * active tab, or else a file picker).
   */
  async uploadCommand(clicked?: unknown, selected?: unknown): Promise<void> {
    const uris = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
    const named = uris.filter((uri) => uri instanceof vscode.Uri);
    const active = getActiveResource();
    if (named.length > 0) await this.attach(named);
    else if (active) await this.attach([active]);
    else await this.pick();
  }

  /** Uploads the files that the user picks. `page`: the page that asked for it, by default the one shown last. */
  async pick(page?: HostPage): Promise<void> {
    // The page may show another conversation once the files are picked.
    const conversationId = await this.#findConversationId(page);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const uris = await vscode.window.showOpenDialog({
      canSelectMany: true,
      openLabel: t('Upload'),
      title: t('Upload to Conversation'),
      ...(folder && { defaultUri: folder }),
    });
    if (uris) await this.attachTo(conversationId, () => collectCandidates(uris), page);
  }

  /**
   * Uploads files, folders and unsaved editors to the current conversation, after confirmation where needed.
   */
  async attach(uris: readonly vscode.Uri[], page?: HostPage): Promise<void> {
    const conversationId = await this.#findConversationId(page);
    await this.attachTo(conversationId, () => collectCandidates(uris), page);
  }

  /**
   * Uploads the chosen files to a conversation, after confirmation where needed. The focus moves to the composer of the
   * page that asked for it, or else of the one shown last.
   */
  async attachTo(conversationId: string, choose: () => Promise<Selection>, page?: HostPage): Promise<void> {
    const { setup, panel, chat, uploads } = this.#services;
    const focus = () => (page ? panel.returnTo(page) : panel.moveFocus('focusComposer'));
    const { step } = await setup.checkSetup(chat.findConversation(conversationId));
    if (step !== 'done' || !chat.findConversation(conversationId)?.bot) {
      await focus();
      void showInformation(t('Finish setting up Parley in its panel, then upload again.'));
      return;
    }
    const selection = await choose();
    let agreed: readonly ConfirmedCandidate[] = [];
    try {
      agreed = await confirmUpload(selection);
    } finally {
      const refused = selection.candidates.filter((candidate) => !agreed.some((each) => each === candidate));
      await Promise.all(refused.map(({ file }) => file.opened.close()));
    }
    // After the questions: VS Code moves the focus to the editor when one closes.
    if (page || agreed.length > 0) await focus();
    if (agreed.length === 0) return;
    const files = agreed.map(({ file }) => file);
    await this.#offerAsText(await uploadWithProgress({ chat, uploads }, conversationId, files));
  }

  /**
   * Uploads a file that an agent named to a conversation, after the same questions. Resolves to the ID of its turn once the
   * upload has ended; undefined if it isn't a file, or the user declined. A file with the same content that is already there is
   * not uploaded again, and one that may be only if the user agrees. The signal cancels the upload.
   */
  async uploadForAgent(
    conversationId: string,
    uri: vscode.Uri,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { uploads } = this.#services;
    const selection = await collectCandidates([uri]);
    const isFile = selection.candidates.length === 1 && selection.leftOut === undefined;
    const [candidate] = selection.candidates;
    const earlier =
      isFile && candidate ? await uploads.findEarlier(conversationId, candidate.file) : undefined;
    if (candidate && earlier && !(await uploads.mayRepeat(conversationId, earlier, confirmAddAgain))) {
      await candidate.file.opened.close();
      return earlier.id;
    }
    const agreed = isFile ? await confirmUpload(selection) : [];
    const refused = selection.candidates.filter((candidate) => !agreed.some((each) => each === candidate));
    await Promise.all(refused.map(({ file }) => file.opened.close()));
    const [only] = agreed;
    if (!only) return;
    // The agent may have given up in the meantime.
    if (signal.aborted) {
      await only.file.opened.close();
      return;
    }
    const file: ConfirmedFile = { ...only.file, via: 'tool' };
    const { turnId, finished } = uploads.add(conversationId, file, earlier?.id);
    const cancel = () => uploads.cancel(turnId);
    signal.addEventListener('abort', cancel);
    await finished;
    signal.removeEventListener('abort', cancel);
    return turnId;
  }

  async #findConversationId(page: HostPage | undefined): Promise<string> {
    return page?.conversationId ?? this.#services.panel.getCurrentConversationId();
  }

  /** Offers to upload as plain text the files that the service refused because of their type. */
  async #offerAsText(turns: readonly DocumentTurn[]): Promise<void> {
    const refused = turns.filter(({ failure }) => failure?.reason === 'type');
    if (refused.length === 0) return;
    const upload = t('Upload as Text');
    const choice = await showWarning(
      t('The service doesn’t accept this type of file: {0}', refused.map(({ name }) => name).join(', ')),
      upload,
    );
    if (choice === upload) await Promise.all(refused.map(({ id }) => this.#services.uploads.retryAsText(id)));
  }
}

/** Opens the files, including those in folders, and shows which ones can't be uploaded. */
export async function collectCandidates(uris: readonly vscode.Uri[]): Promise<Selection> {
  const gitIgnore = new GitIgnore();
  const candidates = new Map<string, Candidate>();
  let leftOut: number | undefined;
  const add = async (uri: vscode.Uri): Promise<void> => {
    const key = uri.toString();
    if (!candidates.has(key)) candidates.set(key, await inspectFile(uri, gitIgnore));
  };
  for (const uri of uris) {
    try {
      const type = findUnsavedDocument(uri)
        ? vscode.FileType.File
        : (await vscode.workspace.fs.stat(uri)).type;
      if (type & vscode.FileType.Directory) {
        const folder = await listFiles(uri, gitIgnore);
        if (folder.tooMany)
          throw new FileRefusal(t('it has more than {0} files; choose a subfolder.', MAX_FILES));
        if (folder.files.length === 0) throw new FileRefusal(t('it has no files that can be uploaded.'));
        leftOut = (leftOut ?? 0) + folder.leftOut;
        for (const file of folder.files) await add(file);
      } else if (type & vscode.FileType.File) await add(uri);
      else throw new FileRefusal(t('it is not a regular file.'));
    } catch (error) {
      const name = baseName(uri.path);
      void showError(t('Couldn’t upload {0}: {1}', name, getErrorMessage(error)));
    }
  }
  return { candidates: [...candidates.values()], ...(leftOut !== undefined && { leftOut }) };
}
