import type { ConfirmedFile, FileToUpload } from '../../../src/chat/documents/fileToUpload';

/** Returns a file as confirmed, without a question. */
export function confirmed<T extends FileToUpload>(file: T): T & ConfirmedFile {
  return file as T & ConfirmedFile;
}
