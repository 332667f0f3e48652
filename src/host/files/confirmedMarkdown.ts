import type { ConfirmedFile, FileToUpload } from '../../chat/documents/fileToUpload';
import { createUploadName } from '../../chat/documents/uploadName';
import { getTextUploadExtensions } from '../base/settings';
import { openBytes } from '../platform/openBytes';

/**
 * Creates a Markdown file of a text that Parley made: a long message, or the transcript of a fork. It needs no question: the
 * user sends or forks what they see, and files in it were confirmed when they became part of a message.
 */
export function createConfirmedMarkdown(name: string, text: string): ConfirmedFile {
  const open = () => openBytes(new TextEncoder().encode(text));
  const file: FileToUpload = {
    ...createUploadName(name, getTextUploadExtensions(), () => 'text/markdown'),
    opened: open(),
    reopen: async () => open(),
  };
  return file as ConfirmedFile;
}
