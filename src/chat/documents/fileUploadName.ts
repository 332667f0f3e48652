import mime from 'mime';
import { createUploadName, type UploadName } from './uploadName';

/** Returns a file's name and content type for its upload: see `createUploadName`. The table of types is large. */
export function createUploadNameByExtension(path: string, asText: ReadonlySet<string>): UploadName {
  return createUploadName(path, asText, (extension) => mime.getType(extension) ?? 'application/octet-stream');
}
