import * as vscode from 'vscode';
import type { Chat } from '../chat/conversations/chat';
import { createSourceChanges, type SourceChanges } from './documents/createSourceChanges';
import { JournaledVersions, type JournalParts } from './journaledVersions';

/** Lazy entry point for what has changed in the sources of replies. */
export function openSourceChanges(
  chat: Chat,
  globalStorage: vscode.Uri,
  parts: JournalParts,
  onError: (error: unknown) => void,
): SourceChanges {
  const folder = vscode.Uri.joinPath(globalStorage, 'documentVersions');
  return createSourceChanges(chat, folder, new JournaledVersions(globalStorage, parts), onError);
}
