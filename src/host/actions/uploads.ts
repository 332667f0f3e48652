import * as vscode from 'vscode';
import { platform } from '#platform';
import type { Chat } from '../../chat/chat';
import { uploadName } from '../../chat/uploadName';
import type { FileToUpload, Uploads } from '../../chat/uploads';
import { bytes } from '../bytes';
import type { Panel } from '../panel';
import { uploadAsText } from '../settings';
import type { SetupGuide } from '../setup';

const { t } = vscode.l10n;

/** Bytes. Public fact about the hosted service, so a question and no refusal. */
const USUAL_LIMIT = 100 * 1024 * 1024;
/** What the hosted service converts; other kinds are asked about first. */
const USUAL_KINDS = new Set('txt md rtf pdf ppt pptx pptm doc docx docm'.split(' '));

/** Puts files into the conversation that is shown, from wherever a person names them. */
export class UploadActions {
  readonly #chat: Chat;
  readonly #uploads: Uploads;
  readonly #setup: SetupGuide;
  readonly #panel: Panel;

  constructor(services: { chat: Chat; uploads: Uploads; setup: SetupGuide; panel: Panel }) {
    this.#chat = services.chat;
    this.#uploads = services.uploads;
    this.#setup = services.setup;
    this.#panel = services.panel;
  }

  /** From the explorer (all that is selected), an editor's tab, or the palette (the active editor, else a file picker). */
  async uploadCommand(clicked?: unknown, selected?: unknown): Promise<void> {
    const uris = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
    const named = uris.filter((uri) => uri instanceof vscode.Uri);
    const active = vscode.window.activeTextEditor?.document.uri;
    if (named.length > 0) await this.#upload(named);
    else if (active) await this.#upload([active]);
    else await this.pick();
  }

  async pick(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const uris = await vscode.window.showOpenDialog({
      canSelectMany: true,
      openLabel: t('Upload'),
      title: t('Upload to Conversation'),
      ...(folder && { defaultUri: folder }),
    });
    if (uris) await this.#upload(uris);
  }

  async #upload(uris: readonly vscode.Uri[]): Promise<void> {
    const conversationId = this.#panel.currentConversationId();
    const setup = await this.#setup.refresh();
    await this.#panel.focus();
    if (setup.step !== 'done' || !this.#chat.find(conversationId)?.bot) {
      void vscode.window.showInformationMessage(
        t('Finish the set-up in the Parley panel first, then upload again.'),
      );
      return;
    }
    const files = (await Promise.all(uris.map(checked))).filter((file) => file !== undefined);
    const wanted = await withoutUnwanted(files);
    if (wanted.length > 0) await this.#run(conversationId, wanted);
  }

  async #run(conversationId: string, files: readonly FileToUpload[]): Promise<void> {
    const title =
      files.length === 1 ? t('Uploading {0}', files[0]?.name ?? '') : t('Uploading {0} files', files.length);
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, async (progress, cancelled) => {
      const added = files.map((file) => this.#uploads.add(conversationId, file));
      const total = files.reduce((sum, { size }) => sum + size, 0);
      let shown = 0;
      const listening = this.#chat.onEvent((event) => {
        if (event.type !== 'turn' || !added.some(({ turnId }) => turnId === event.turn.id)) return;
        const sent = added.reduce((sum, { turnId }) => sum + (this.#uploads.find(turnId)?.sent ?? 0), 0);
        const percent = Math.floor((sent / Math.max(1, total)) * 100);
        progress.report({ message: t('{0} of {1}', bytes(sent), bytes(total)), increment: percent - shown });
        shown = percent;
      });
      cancelled.onCancellationRequested(() => {
        for (const { turnId } of added) this.#uploads.cancel(turnId);
      });
      await Promise.all(added.map(({ finished }) => finished));
      listening.dispose();
    });
  }
}

/** The file as it will go up, or undefined after saying why it can't. */
async function checked(uri: vscode.Uri): Promise<(FileToUpload & { kind: string }) | undefined> {
  const base = uri.path.split('/').at(-1) ?? '';
  const refuse = (why: string) => {
    void vscode.window.showErrorMessage(t('{0} is not uploaded: {1}', base, why));
    return undefined;
  };
  let stat: vscode.FileStat;
  try {
    stat = await vscode.workspace.fs.stat(uri);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  if (stat.type & vscode.FileType.Directory) return refuse(t('it is a folder; select its files.'));
  if (!(stat.type & vscode.FileType.File)) return refuse(t('it is not a regular file.'));
  if (stat.size === 0) return refuse(t('it is empty.'));
  const { name, contentType } = uploadName(base, uploadAsText());
  const kind = name.split('.').at(-1)?.toLowerCase() ?? '';
  return {
    name,
    contentType,
    kind,
    size: stat.size,
    uri: uri.toString(),
    open: () => platform.openFile(uri),
  };
}

/** Asks once about files that the service will probably refuse. */
async function withoutUnwanted(
  files: readonly (FileToUpload & { kind: string })[],
): Promise<readonly FileToUpload[]> {
  const doubtful = files.filter(({ kind, size }) => size > USUAL_LIMIT || !USUAL_KINDS.has(kind));
  if (doubtful.length === 0) return files;
  const upload = t('Upload Anyway');
  const skip = t('Skip');
  const choice = await vscode.window.showWarningMessage(
    t('The service may refuse what you are about to upload.'),
    {
      modal: true,
      detail: doubtful
        .map(({ name, kind, size }) =>
          size > USUAL_LIMIT
            ? t('{0} is larger than {1}.', name, bytes(USUAL_LIMIT))
            : t('{0}: files of the kind “.{1}” may not be understood.', name, kind),
        )
        .join('\n'),
    },
    upload,
    ...(doubtful.length < files.length ? [skip] : []),
  );
  if (choice === upload) return files;
  return choice === skip ? files.filter((file) => !doubtful.includes(file)) : [];
}
