import * as vscode from 'vscode';
import type { ToHost } from '../../shared/protocol';
import { showError, showWarning } from '../base/dialogs';
import { formatBytes } from '../base/formatBytes';
import type { Page } from '../panel/page';
import { type Candidate, inspectBytes, Refusal } from './candidate';
import { look, type UploadActions } from './uploadActions';

const { t } = vscode.l10n;

/** Bytes that one page may hand over at a time: all of it stays in memory. The hosted service takes no larger file. */
export const MAX_INCOMING_BYTES = 100 * 1024 * 1024;

type Begin = Extract<ToHost, { type: 'uploadBegin' }>;

/** What tells how a page's files are called in the host. */
type HostUris = Pick<Page, 'asHostUri'>;

interface Transfer {
  readonly begin: Begin;
  /** Those that are there, the last perhaps in part. */
  readonly files: { readonly bytes: Uint8Array<ArrayBuffer>; filled: number }[];
}

/** Files that are dropped on a page or pasted into it: VS Code's by their URIs, the desktop's by their bytes. */
export class IncomingFiles {
  readonly #uploading: UploadActions;
  /** A page hands over one after the other; what a closed page had begun goes with it. */
  readonly #transfers = new WeakMap<Page, Transfer>();

  constructor(uploading: UploadActions) {
    this.#uploading = uploading;
  }

  /**
   * Uploads what VS Code's own drag named, once the person agrees. Anyone may have named it: what lies in no file system of
   * this window is refused.
   */
  async drop(conversationId: string, named: readonly string[], page: HostUris): Promise<void> {
    const uris = named.flatMap((each) => ownUri(each, page) ?? []);
    if (uris.length < named.length) {
      void showWarning(
        t('Only files of this window can be dropped: {0} left out.', named.length - uris.length),
      );
    }
    if (uris.length === 0) return;
    await this.#uploading.attachTo(conversationId, async () => ({
      ...(await look(uris)),
      namedByPage: true,
    }));
  }

  begin(begin: Begin, page: Page): void {
    this.#transfers.delete(page);
    const size = begin.files.reduce((sum, file) => sum + file.size, 0);
    if (begin.folders) {
      void showWarning(t('Folders from outside VS Code can’t be dropped: upload them from the Explorer.'));
    }
    const fits = size <= MAX_INCOMING_BYTES;
    if (!fits) {
      void showError(
        t(
          '{0} is more than can be dropped or pasted at once ({1}): use Attach Files.',
          formatBytes(size),
          formatBytes(MAX_INCOMING_BYTES),
        ),
      );
    }
    const accepted = fits && begin.files.length > 0;
    if (accepted) this.#transfers.set(page, { begin, files: [] });
    page.uploadTaken(begin.uploadId, accepted);
  }

  /** Chunks fill the files in the order in which they were announced; more than was announced ends it. */
  chunk(uploadId: string, bytes: Uint8Array<ArrayBuffer>, page: Page): void {
    const transfer = this.#findTransfer(uploadId, page);
    const accepted = transfer !== undefined && take(transfer, bytes);
    if (transfer && !accepted) this.#transfers.delete(page);
    page.uploadTaken(uploadId, accepted);
  }

  async end(uploadId: string, page: Page): Promise<void> {
    const transfer = this.#findTransfer(uploadId, page);
    if (!transfer) return;
    this.#transfers.delete(page);
    const { conversationId, files } = transfer.begin;
    const candidates = files.flatMap(({ name, size }, index) => {
      const file = transfer.files[index];
      const isWhole = size === 0 || file?.filled === size;
      return createCandidate(name, isWhole ? (file?.bytes ?? new Uint8Array()) : undefined) ?? [];
    });
    if (candidates.length > 0) {
      await this.#uploading.attachTo(conversationId, async () => ({ candidates }));
    }
  }

  #findTransfer(uploadId: string, page: Page): Transfer | undefined {
    const transfer = this.#transfers.get(page);
    return transfer?.begin.uploadId === uploadId ? transfer : undefined;
  }
}

function take({ begin, files }: Transfer, chunk: Uint8Array<ArrayBuffer>): boolean {
  for (let rest = chunk; rest.length > 0; ) {
    const last = files.at(-1);
    if (!last || last.filled === last.bytes.length) {
      const next = begin.files[files.length];
      if (!next) return false;
      files.push({ bytes: new Uint8Array(next.size), filled: 0 });
    } else {
      const part = rest.subarray(0, last.bytes.length - last.filled);
      last.bytes.set(part, last.filled);
      last.filled += part.length;
      rest = rest.subarray(part.length);
    }
  }
  return true;
}

/** What came of a file, or a word about why it can't be uploaded. */
function createCandidate(name: string, bytes: Uint8Array<ArrayBuffer> | undefined): Candidate | undefined {
  try {
    if (!bytes) throw new Refusal(t('it could not be read.'));
    return inspectBytes(name, bytes);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    void showError(t('{0} is not uploaded: {1}', name, error.message));
    return undefined;
  }
}

/** The URI of a file in one of the workspace's file systems, or on this machine; a file elsewhere is asked about later. */
export function ownUri(named: string, page: HostUris): vscode.Uri | undefined {
  let uri: vscode.Uri;
  try {
    uri = page.asHostUri(vscode.Uri.parse(named, true));
  } catch {
    return undefined;
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  const isOwn = folders.some(
    ({ uri: folder }) => folder.scheme === uri.scheme && folder.authority === uri.authority,
  );
  const isLocal = uri.scheme === 'file' && uri.authority === '';
  return (isOwn || isLocal) && uri.query === '' && uri.fragment === '' ? uri : undefined;
}
