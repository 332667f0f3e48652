import * as vscode from 'vscode';
import { CONVERSATION_LANGUAGE } from '../base/names';

/** The languages whose `command:` links VS Code's Markdown extension makes live: a click in a reply's text would run them. */
const MARKDOWN_LANGUAGES = new Set(['markdown', 'prompt', 'instructions', 'chatagent', 'chatmode', 'skill']);

/** The language in which a reply's text is shown: what looks the same and has no such links in the place of Markdown. */
export function toInertLanguage(languageId: string): string {
  return MARKDOWN_LANGUAGES.has(languageId) ? CONVERSATION_LANGUAGE : languageId;
}

/** Shows a file with what bots said in it, without live links. */
export async function showInert(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const language = toInertLanguage(document.languageId);
  const isInert = language === document.languageId;
  await vscode.window.showTextDocument(
    isInert ? document : await vscode.languages.setTextDocumentLanguage(document, language),
    { preview: false },
  );
}
