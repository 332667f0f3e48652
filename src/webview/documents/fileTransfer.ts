import { MAX_CHUNK_BYTES, MAX_UPLOADED_FILES } from '../../shared/protocol/limits';
import type { Turn } from '../../shared/view/viewModel';
import type { HostConnection } from '../page/hostConnection';
import type { Services } from '../page/pageServices';

type PageServices = Pick<Services, 'host' | 'page'>;

/** A drag over the page: files from VS Code's explorer or from the desktop. */
export interface DroppedFiles {
  readonly uris: readonly string[];
  readonly files: readonly File[];
  /** Whether there were folders from the desktop, which a page can't read. */
  readonly folders: boolean;
}

/** VS Code's own type for dragged files; other programs can't put a file's path into it. */
const VSCODE_URI_LIST = 'application/vnd.code.uri-list';
const URI_LIST = 'text/uri-list';

/** Returns whether a drag carries files; what they are is only known on drop. */
export function carriesFiles({ types }: DataTransfer): boolean {
  return types.some((type) => type === 'Files' || type === VSCODE_URI_LIST || type === URI_LIST);
}

/** Returns what was dropped; must be called during the event's dispatch. */
export function getDroppedFiles(transfer: DataTransfer): DroppedFiles {
  const entries = [...transfer.items].filter(({ kind }) => kind === 'file');
  const files = entries.flatMap((item) => {
    const file = item.webkitGetAsEntry()?.isDirectory ? null : item.getAsFile();
    return file ? [file] : [];
  });
  const uris = transfer.getData(VSCODE_URI_LIST) || (entries.length === 0 ? transfer.getData(URI_LIST) : '');
  return {
    uris: uris.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#')),
    files,
    folders: files.length < entries.length,
  };
}

/** Uploads dropped files to the conversation, if the host accepts them. */
export function uploadDropped(
  services: PageServices,
  conversationId: string,
  { uris, files, folders }: DroppedFiles,
): void {
  if (uris.length > 0) services.host.post({ type: 'dropUris', conversationId, uris });
  else if (files.length > 0 || folders) enqueueTransfer(services, conversationId, files, folders);
}

/** Uploads files pasted anywhere on the page; pasted text is left alone. Returns a function that removes the listener. */
export function addPasteListener(
  services: PageServices,
  conversationId: string,
  turns: readonly Turn[],
): () => void {
  const onPaste = (event: ClipboardEvent) => {
    const { clipboardData } = event;
    if (!clipboardData || !hasOnlyFiles(clipboardData)) return;
    event.preventDefault();
    let number = 1 + Math.max(0, ...turns.map(parsePastedNumber));
    const files = [...clipboardData.files].map((file) =>
      // Browsers give this name to a picture without a file.
      file.name === 'image.png' || file.name === ''
        ? new File([file], `pasted-${number++}.${file.type.split('/')[1]?.replace(/\W.*/, '') || 'bin'}`)
        : file,
    );
    enqueueTransfer(services, conversationId, files, false);
  };
  document.addEventListener('paste', onPaste);
  return () => document.removeEventListener('paste', onPaste);
}

/** Returns whether a paste contains files only: office applications add a picture of the text, file managers the names. */
function hasOnlyFiles(data: DataTransfer): boolean {
  if (data.files.length === 0) return false;
  return data.getData('text/plain') === '' || !data.types.some((type) => /^text\/(html|rtf)$/.test(type));
}

function parsePastedNumber(turn: Turn): number {
  return turn.kind === 'document' ? Number(/^pasted-(\d+)\./.exec(turn.name)?.[1] ?? 0) : 0;
}

/** The host handles one transfer of a page at a time. */
let lastTransfer = Promise.resolve();

function enqueueTransfer(
  services: PageServices,
  conversationId: string,
  files: readonly File[],
  folders: boolean,
): void {
  const { host, page } = services;
  for (let at = 0; at < files.length || at === 0; at += MAX_UPLOADED_FILES) {
    const some = files.slice(at, at + MAX_UPLOADED_FILES);
    lastTransfer = lastTransfer.then(() =>
      page.showFailureOf(transferFiles(host, conversationId, some, folders && at === 0)),
    );
  }
}

/** Sends the bytes in chunks, each after the host has received the previous one, so that neither side buffers more. */
async function transferFiles(
  host: HostConnection,
  conversationId: string,
  files: readonly File[],
  folders: boolean,
): Promise<void> {
  const uploadId = crypto.randomUUID();
  let accepted = await host.request('uploadBegin', {
    conversationId,
    uploadId,
    folders,
    files: files.map(({ name, size }) => ({ name, size })),
  });
  for (const file of files) {
    for (let at = 0; accepted && at < file.size; at += MAX_CHUNK_BYTES) {
      const bytes = await readBytes(file.slice(at, at + MAX_CHUNK_BYTES));
      if (!bytes) {
        // The host notices the missing bytes and reports them.
        host.post({ type: 'uploadEnd', uploadId });
        return;
      }
      accepted = await host.request('uploadChunk', { uploadId, bytes });
    }
  }
  if (accepted) host.post({ type: 'uploadEnd', uploadId });
}

/** Reads a blob; returns undefined if the file can't be read any more. */
async function readBytes(blob: Blob): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
