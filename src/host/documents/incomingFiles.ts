import * as vscode from 'vscode';
import { canBeInPath } from '../../chat/text/fileName';
import type { RequestOf } from '../../shared/protocol/requests';
import { showError, showWarning } from '../base/dialogs';
import { formatBytes } from '../base/localizedText';
import { type Candidate, FileRefusal, inspectBytes } from '../files/candidate';
import type { HostPage } from '../panel/page/hostPage';
import { collectCandidates, type UploadActions } from './uploadActions';

const { t } = vscode.l10n;

/**
 * The limit of one transfer from a page, which is held in memory. The hosted service doesn't accept larger
 * files.
 */
export const MAX_INCOMING_BYTES = 100 * 1024 * 1024;

type Begin = RequestOf<'uploadBegin'>;

/** Converts a page's URIs to those of the host. */
type HostUris = Pick<HostPage, 'toHostUri'>;

interface Transfer {
  readonly begin: Begin;
  /** Files received so far; the last one may be incomplete. */
  readonly files: { readonly bytes: Uint8Array<ArrayBuffer>; filled: number }[];
}

/**
 * Receives files that are dropped on a page or pasted into it: from VS Code by URI, from the desktop by
 * content.
 */
export class IncomingFiles {
  readonly #uploadActions: Pick<UploadActions, 'attachTo'>;
  /** The current transfer of each page. A closed page's transfer is discarded. */
  readonly #transfers = new WeakMap<HostPage, Transfer>();

  constructor(uploadActions: Pick<UploadActions, 'attachTo'>) {
    this.#uploadActions = uploadActions;
  }

  /**
   * Uploads the files that a drag in VS Code named, after confirmation. The URIs are untrusted: those outside
   * the file systems of this window are refused.
   */
  async drop(conversationId: string, named: readonly string[], page: HostPage): Promise<void> {
    const uris = named.flatMap((name) => parseDroppedUri(name, page) ?? []);
    if (uris.length < named.length) {
      void showWarning(
        t('Only files from this window can be dropped: {0} skipped.', named.length - uris.length),
      );
    }
    if (uris.length === 0) return;
    const choose = async () => ({ ...(await collectCandidates(uris)), namedByPage: true as const });
    await this.#uploadActions.attachTo(conversationId, choose, page);
  }

  /** Starts a transfer. Returns whether its bytes are accepted. */
  begin(begin: Begin, page: HostPage): boolean {
    this.#transfers.delete(page);
    const size = begin.files.reduce((sum, file) => sum + file.size, 0);
    if (begin.folders) {
      void showWarning(t('Folders from outside VS Code can’t be dropped. Upload them from the Explorer.'));
    }
    const fits = size <= MAX_INCOMING_BYTES;
    if (!fits) {
      void showError(
        t(
          '{0} is more than you can drop or paste at once ({1}). Use Attach Files.',
          formatBytes(size),
          formatBytes(MAX_INCOMING_BYTES),
        ),
      );
    }
    const accepted = fits && begin.files.length > 0;
    if (accepted) this.#transfers.set(page, { begin, files: [] });
    return accepted;
  }

  /**
   * Appends a chunk to the files, in the order in which they were announced. More data than announced ends
   * the transfer. Returns whether the rest is accepted.
   */
  chunk(uploadId: string, bytes: Uint8Array<ArrayBuffer>, page: HostPage): boolean {
    const transfer = this.#findTransfer(uploadId, page);
    const accepted = transfer !== undefined && appendChunk(transfer, bytes);
    if (transfer && !accepted) this.#transfers.delete(page);
    return accepted;
  }

  async end(uploadId: string, page: HostPage): Promise<void> {
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
      await this.#uploadActions.attachTo(conversationId, async () => ({ candidates }), page);
    }
  }

  #findTransfer(uploadId: string, page: HostPage): Transfer | undefined {
    const transfer = this.#transfers.get(page);
    return transfer?.begin.uploadId === uploadId ? transfer : undefined;
  }
}

function appendChunk({ begin, files }: Transfer, chunk: Uint8Array<ArrayBuffer>): boolean {
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

/** Creates a candidate from a file's content, or shows why it can't be uploaded. */
function createCandidate(name: string, bytes: Uint8Array<ArrayBuffer> | undefined): Candidate | undefined {
  try {
    if (!bytes) throw new FileRefusal(t('it couldn’t be read.'));
    return inspectBytes(name, bytes);
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    void showError(t('Couldn’t upload {0}: {1}', name, error.message));
    return undefined;
  }
}

/**
 * A path that Windows may read as one of another machine, or of a device, although its URI has no authority: two slashes or
 * backslashes, `/??/`, or any backslash, which separates folders there.
 */
const FOREIGN_PATH = /^\/\/|^\/\?\?|\\/;

/**
 * Parses the URI of a file in one of the workspace's file systems, or on this machine. Files outside the
 * workspace need confirmation later.
 */
export function parseDroppedUri(named: string, page: HostUris): vscode.Uri | undefined {
  let uri: vscode.Uri;
  try {
    uri = page.toHostUri(vscode.Uri.parse(named, true));
  } catch {
    return undefined;
  }
  if (!canBeInPath(uri.path) || FOREIGN_PATH.test(uri.path)) return undefined;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const isOwn = folders.some(
    ({ uri: folder }) => folder.scheme === uri.scheme && folder.authority === uri.authority,
  );
  const isLocal = uri.scheme === 'file' && uri.authority === '';
  return (isOwn || isLocal) && uri.query === '' && uri.fragment === '' ? uri : undefined;
}
