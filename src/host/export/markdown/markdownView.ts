import * as vscode from 'vscode';
import { CONVERSATION_LANGUAGE } from '../../base/names';

/**
 * Languages in which VS Code's Markdown extension makes `command:` links clickable: a click in a reply's text
 * would run the command.
 */
const MARKDOWN_LANGUAGES = new Set(['markdown', 'prompt', 'instructions', 'chatagent', 'chatmode', 'skill']);

/**
 * Returns the language to show a reply's text in: for Markdown, one that looks the same and has no such
 * links.
 */
export function toInertLanguage(languageId: string): string {
  return MARKDOWN_LANGUAGES.has(languageId) ? CONVERSATION_LANGUAGE : languageId;
}

/** Opens a file with replies in it, without clickable links. */
export async function showInert(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const language = toInertLanguage(document.languageId);
  const isInert = language === document.languageId;
  await vscode.window.showTextDocument(
    isInert ? document : await vscode.languages.setTextDocumentLanguage(document, language),
    { preview: false },
  );
}
