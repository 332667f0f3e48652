import type { Uri } from 'vscode';
import type { ExpressionThread } from '../../chat/botTests/expressionMatcher';
import type { OpenedFile } from '../../chat/documents/fileToUpload';
import type { Storage } from '../../chat/store/files/storage';
import type { Fetch } from '../../client/fetch';
import type { LocalAccess } from './localAccess';

/** Length of a file's start that is inspected before an upload. */
export const HEAD_BYTES = 64 * 1024;

/** An opened file with what is needed to inspect it. */
export interface FoundFile extends OpenedFile {
  /** The URI after resolving symbolic links, as far as the file system supports it. */
  readonly realUri: Uri;
  /** The first bytes of the file, at most `HEAD_BYTES`. */
  readonly head: Uint8Array;
}

/** The differences between the Node.js and the web worker extension host. */
export interface Platform {
  readonly fetch: Fetch;
  /** The user's home folder, if there is one. */
  readonly home?: Uri;
  /** The folder of programs' settings in it (`XDG_CONFIG_HOME`). */
  readonly configHome?: Uri;
  /** Loads the access to other programs on this machine; missing in a web worker. */
  readonly loadLocalAccess?: () => Promise<LocalAccess>;
  /** Loads what starts a thread for regular expressions of a workspace. */
  readonly loadExpressionThreads: () => Promise<() => ExpressionThread>;
  /** Returns a storage for the files of a folder, which is created when needed. */
  openStorage(folder: Uri): Storage;
  /** Opens a file for upload. Throws the file system's error. */
  openFile(uri: Uri): Promise<FoundFile>;
  /** Resolves symbolic links. Throws the file system's error. */
  realUri(uri: Uri): Promise<Uri>;
}
