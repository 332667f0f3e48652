import type { Uri } from 'vscode';
import type { OpenedFile } from '../../chat/uploads';
import type { Fetch } from '../../client/fetch';

/** What differs between the two extension hosts. */
export interface Platform {
  readonly fetch: Fetch;
  /** Opens a file for upload. Throws what the file system says. */
  openFile(uri: Uri): Promise<OpenedFile>;
}
