import * as vscode from 'vscode';
import type { OpenedFile } from '../../chat/documents/fileToUpload';
import { MESSAGE_LIMIT } from '../../shared/conversation/message';
import { findUnsavedDocument } from '../files/editorText';

/** A larger file has more code points than fit into a message. */
export const MAX_CHIP_BYTES = 4 * MESSAGE_LIMIT;
/** The lines of a symbol in a larger file are not read. */
export const MAX_SYMBOL_FILE_BYTES = 2_000_000;

/** Reads the text of a file with at most `maxBytes`; undefined if it is larger or not UTF-8 text. */
export async function readFileText(uri: vscode.Uri, maxBytes: number): Promise<string | undefined> {
  const unsaved = findUnsavedDocument(uri);
  if (unsaved) return unsaved.getText();
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    // Not a device, which may have no end.
    if (!(type & vscode.FileType.File) || size > maxBytes) return undefined;
    return decodeText(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

/** Like `readFileText`, for a file that was opened and inspected. */
export async function readOpenedText({ body }: OpenedFile, maxBytes: number): Promise<string | undefined> {
  if (body.size > maxBytes) return undefined;
  const opened = await body.open();
  const stream: ReadableStream<Uint8Array> = opened instanceof Blob ? opened.stream() : opened;
  const bytes = new Uint8Array(body.size);
  let filled = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    // The stream may reuse the memory of a chunk.
    bytes.set(part.value.subarray(0, bytes.length - filled), filled);
    filled += part.value.length;
  }
  return decodeText(bytes);
}

function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
