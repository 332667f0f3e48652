import type { FileToUpload } from '../../chat/documents/fileToUpload';
import { createUploadName } from '../../chat/documents/uploadName';
import { getTextUploadExtensions } from '../base/settings';
import { openBytes } from '../platform/openBytes';

/** Creates a Markdown file with a text, to be uploaded from memory. */
export function createTextFile(name: string, text: string): FileToUpload {
  const open = () => openBytes(new TextEncoder().encode(text));
  return {
    ...createUploadName(name, getTextUploadExtensions(), () => 'text/markdown'),
    opened: open(),
    reopen: async () => open(),
  };
}
