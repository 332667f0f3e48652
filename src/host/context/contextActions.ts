import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { ContextChip } from '../../shared/conversation/message';
import { pickOne, showInformation } from '../base/dialogs';
import { getPrompt, type Prompt } from '../base/settings';
import { confirmChosenText, confirmDiff } from '../files/contentGate';
import type { Panel } from '../panel/panel';
import { createExcerptChip, createProblemChip } from './chips';
import { type ContextItem, getContextItems } from './contextItems';

const { t } = vscode.l10n;

/** Proposes a file's bot for a new conversation; resolves to false if the user canceled. */
export type ProposeBot = (conversationId: string, uri: vscode.Uri) => Promise<boolean>;

/** Adds context to the composer, as chips. Nothing is sent yet. */
export class ContextActions {
  readonly #chat: Chat;
  readonly #panel: Panel;
  readonly #proposeBot: ProposeBot;

  constructor(services: { chat: Chat; panel: Panel; proposeBot: ProposeBot }) {
    this.#chat = services.chat;
    this.#panel = services.panel;
    this.#proposeBot = services.proposeBot;
  }

  /** Asks for context to add to the next message of a conversation. */
  async pick(conversationId: string): Promise<void> {
    const items = await getContextItems();
    if (items.length === 0) {
      void showInformation(
        t('There is nothing to add. Open a file or a terminal, or make changes in a Git repository.'),
      );
      return;
    }
    const picked = await pickOne(items, {
      title: t('Add Context'),
      placeHolder: t('Select context to add to your message'),
      matchOnDescription: true,
    });
    const chip = await picked?.resolve();
    if (typeof chip === 'string') void showInformation(chip);
    else if (picked && chip && (await confirmPicked(picked, chip)))
      this.#chat.composers.addContext(conversationId, [chip]);
  }

  /** Adds the selection to the composer, with the text of a prompt. */
  async askAboutSelection(which?: Prompt): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || editor.selection.isEmpty) {
      void showInformation(t('Select some text in an editor first.'));
      return;
    }
    const chip = createExcerptChip('selection', editor.document, editor.selection);
    if (await confirmChosenText(editor.document, chip.text))
      await this.#ask(editor.document.uri, chip, which && getPrompt(which));
  }

  /** Adds problems at one position to the composer, with the code around them. */
  async askAboutProblem(uri: unknown, problems: unknown): Promise<void> {
    if (!(uri instanceof vscode.Uri) || !isProblems(problems)) return;
    const document = await vscode.workspace.openTextDocument(uri);
    const chip = createProblemChip(document, problems);
    if (await confirmChosenText(document, chip.text))
      await this.#ask(uri, chip, t('What causes this problem, and how do I fix it?'));
  }

  /**
   * Resolves to the conversation in which to ask about a file: the current one, for which the file's bot is proposed if it
   * is new; undefined if the user canceled.
   */
  async findConversationToAskIn(uri: vscode.Uri): Promise<string | undefined> {
    const id = await this.#panel.getCurrentConversationId();
    return (await this.#proposeBot(id, uri)) ? id : undefined;
  }

  async #ask(uri: vscode.Uri, chip: ContextChip, question?: string): Promise<void> {
    const id = await this.findConversationToAskIn(uri);
    if (id === undefined) return;
    this.#chat.composers.addContext(id, [chip]);
    if (question) this.#chat.composers.appendToDraft(id, question);
    await this.#panel.focus();
  }
}

/** Asks before picked context is added to a message, if it looks like a secret. */
async function confirmPicked({ origin }: ContextItem, chip: ContextChip): Promise<boolean> {
  if (chip.kind === 'diff') return confirmDiff(chip);
  if (!(origin instanceof vscode.Uri)) return true;
  return confirmChosenText(await vscode.workspace.openTextDocument(origin), chip.text);
}

function isProblems(value: unknown): value is readonly vscode.Diagnostic[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item instanceof vscode.Diagnostic);
}
