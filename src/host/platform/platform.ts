import type { Uri } from 'vscode';
import type { Storage } from '../../chat/store/storage';
import type { OpenedFile } from '../../chat/uploads/fileToUpload';
import type { Fetch } from '../../client/fetch';

/** As much of a file as is looked at before it is uploaded. */
export const HEAD_BYTES = 64 * 1024;

/** A file that was opened, and what there is to know about it. */
export interface FoundFile extends OpenedFile {
  /** Where it really lies, links resolved, as far as its file system tells. */
  readonly realUri: Uri;
  /** Its beginning, at most `HEAD_BYTES`. */
  readonly head: Uint8Array;
}

/** What differs between the two extension hosts. */
export interface Platform {
  readonly fetch: Fetch;
  /** The person's own folder, where there is one. */
  readonly home?: Uri;
  /** The files of one folder, which is made when it is needed. */
  openStorage(folder: Uri): Storage;
  /** Opens a file for upload. Throws what the file system says. */
  openFile(uri: Uri): Promise<FoundFile>;
  /** Where a file or folder really lies. Throws what the file system says. */
  realUri(uri: Uri): Promise<Uri>;
}
