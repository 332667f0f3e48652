import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { MAX_PROMPT_NAME_LENGTH } from '../../chat/prompts/promptFile';
import { getVariableNames, splitPrompt } from '../../chat/prompts/promptParts';
import { countCodePoints } from '../../shared/conversation/message';
import { fillPrompt, getInputs, type PromptPart, type PromptSummary } from '../../shared/conversation/prompt';
import { confirm, pickOne, showInformation, showInputBox } from '../base/dialogs';
import { createExcerptChip } from '../context/chips';
import type { ContextActions } from '../context/contextActions';
import { inspectDocument } from '../files/candidate';
import { confirmChosenText, confirmMention, isMentionAsked } from '../files/contentGate';
import type { HostPage } from '../panel/page/hostPage';
import type { Panel } from '../panel/panel';
import { getBuiltInPrompts } from './builtInPrompts';
import { getEditorVariables, getPromptEditor } from './editorVariables';
import type { PersonalPrompts } from './personalPrompts';
import { type Prompt, SELECTION_VARIABLES, takesSelection } from './storedPrompt';
import { readWorkspacePrompts } from './workspacePrompts';

const { t } = vscode.l10n;

interface Services {
  readonly chat: Chat;
  readonly panel: Panel;
  readonly contextActions: ContextActions;
  readonly personalPrompts: PersonalPrompts;
}

/** Lists prompts, inserts them into messages, and lets the user save, edit and delete them. */
export class PromptActions {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Returns all prompts: the user's own, the workspace's, and those that come with Parley. */
  async listPrompts(): Promise<readonly Prompt[]> {
    const [personal, workspace] = await Promise.all([
      this.#services.personalPrompts.listPrompts(),
      readWorkspacePrompts(),
    ]);
    return [...personal, ...workspace, ...getBuiltInPrompts()];
  }

  /** Returns the prompts that take a selection. */
  async listForSelection(): Promise<readonly Prompt[]> {
    return (await this.listPrompts()).filter(takesSelection);
  }

  /** Returns what the page shows of all prompts. */
  async listSummaries(): Promise<readonly PromptSummary[]> {
    return (await this.listPrompts()).map(({ id, name, description, argumentHint, source }) => ({
      ...{ id, name, source },
      ...((description ?? argumentHint) && { description: description ?? argumentHint }),
    }));
  }

  /**
   * Returns the parts of a prompt for the composer of a conversation, which shows a form for its inputs. The selection
   * for a built-in prompt becomes a chip. Says why if the prompt can't be used; the result is then empty. Pages show
   * untrusted text, so the user is asked about the selection as about the text of a mention.
   */
  async use(conversationId: string, promptId: string, page: HostPage): Promise<readonly PromptPart[]> {
    const prompt = (await this.listPrompts()).find(({ id }) => id === promptId);
    if (!prompt) {
      void showInformation(t('This prompt no longer exists.'));
      return [];
    }
    // Before the question, so that the user is asked about the text that is added.
    const editor = getPromptEditor();
    const selected = takesSelection(prompt) && editor?.document.getText(editor.selection);
    const parts = prompt.builtIn ? [{ text: prompt.body }] : (expand(prompt, editor) ?? []);
    if (!editor || !selected || parts.length === 0) return parts;
    const chip = createExcerptChip('selection', editor.document, editor.selection);
    const origin = await inspectDocument(editor.document, selected);
    if (isMentionAsked(origin)) {
      const isConfirmed = await confirmMention(origin);
      await this.#services.panel.returnTo(page);
      if (!isConfirmed) return [];
    }
    if (prompt.builtIn) this.#services.chat.composers.addContext(conversationId, [chip]);
    return parts;
  }

  /** Puts a prompt about the selection into the composer: the one with this ID, or else one that the user picks. */
  async askWithPrompt(promptId?: unknown): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || editor.selection.isEmpty) {
      void showInformation(t('Select some text in an editor first.'));
      return;
    }
    const prompts = await this.listForSelection();
    const prompt = prompts.find(({ id }) => id === promptId) ?? (await pickForSelection(prompts));
    if (!prompt) return;
    const { chat, contextActions, panel } = this.#services;
    if (prompt.builtIn) return contextActions.askAboutSelection(prompt.builtIn);
    const parts = expand(prompt, editor);
    const selected = editor.document.getText(editor.selection);
    if (!parts || !(await confirmChosenText(editor.document, selected))) return;
    const text = await askInputs(prompt, parts);
    if (text === undefined) return;
    const id = await contextActions.findConversationToAskIn(editor.document.uri);
    if (id === undefined) return;
    chat.composers.appendToDraft(id, text);
    await panel.focus();
  }

  /** Saves a message as a prompt: a turn's, or else the composer's draft or the last message sent. */
  async save(conversationId: string, turnId?: string): Promise<void> {
    const conversation = this.#services.chat.findConversation(conversationId);
    const messages = (conversation?.turns ?? []).filter((turn) => turn.kind === 'message');
    const draft = turnId === undefined ? (conversation?.draft ?? '') : '';
    const turn = turnId === undefined ? messages.at(-1) : messages.find(({ id }) => id === turnId);
    const body = draft.trim() === '' ? (turn?.text ?? '') : draft;
    if (body.trim() === '') {
      void showInformation(t('Write or send a message first.'));
      return;
    }
    const name = await showInputBox(
      {
        title: t('Save as Prompt'),
        prompt: t('Enter a name for the prompt. Type / and the name in a message to use it.'),
        value: createName(body),
      },
      validateName,
    );
    if (name === undefined) return;
    const prompt = await this.#services.personalPrompts.add(name.trim(), body);
    if (!prompt) {
      void showInformation(t('The message is too long for a prompt.'));
      return;
    }
    const edit = t('Edit');
    const button = await showInformation(t('Saved the prompt “{0}”.', prompt.name), edit);
    if (button === edit) await openFile(prompt);
  }

  /** Lets the user pick a prompt to edit in an editor, or to delete. */
  async manage(): Promise<void> {
    const prompts = (await this.listPrompts()).filter(({ uri }) => uri);
    if (prompts.length === 0) {
      void showInformation(
        t('There are no prompts to edit. Save a message as a prompt, or add files to .github/prompts.'),
      );
      return;
    }
    const picked = await pickOne(prompts.map(createItem), {
      title: t('Manage Prompts'),
      placeHolder: t('Select a prompt to edit or delete'),
      matchOnDescription: true,
    });
    if (!picked) return;
    const { prompt } = picked;
    if (prompt.source === 'workspace') return openFile(prompt);
    const action = await pickOne([{ label: t('Edit') }, { label: t('Delete') }], { title: prompt.name });
    if (action?.label === t('Edit')) await openFile(prompt);
    if (action?.label === t('Delete')) await this.#delete(prompt);
  }

  async #delete(prompt: Prompt): Promise<void> {
    const confirmed = t('Delete');
    const question = t('Delete the prompt “{0}”?', prompt.name);
    if ((await confirm(question, [t('You can’t undo this.')], confirmed)) !== confirmed) return;
    if (await this.#services.personalPrompts.delete(prompt)) return;
    void showInformation(t('The prompt “{0}” changed in the meantime, so it wasn’t deleted.', prompt.name));
  }
}

async function pickForSelection(prompts: readonly Prompt[]): Promise<Prompt | undefined> {
  const picked = await pickOne(prompts.map(createItem), {
    title: t('Ask with Prompt'),
    placeHolder: t('Select a prompt to use with the selection'),
    matchOnDescription: true,
  });
  return picked?.prompt;
}

/** Expands a prompt's variables with an editor's values, or says why that isn't possible. */
function expand(prompt: Prompt, editor?: vscode.TextEditor): readonly PromptPart[] | undefined {
  const variables = getEditorVariables(editor);
  const names = getVariableNames(prompt.body);
  if (SELECTION_VARIABLES.some((name) => names.has(name)) && variables.selection === undefined) {
    void showInformation(t('Select some text in an editor first.'));
    return;
  }
  if ([...names].some((name) => name.startsWith('file')) && variables.file === undefined) {
    void showInformation(t('Open a file in an editor first.'));
    return;
  }
  const parts = splitPrompt(prompt.body, variables);
  if (!parts) void showInformation(t('The prompt is too long with this selection.'));
  return parts;
}

/** Asks for the inputs of a prompt, one after the other; undefined if the user cancels. */
async function askInputs({ name }: Prompt, parts: readonly PromptPart[]): Promise<string | undefined> {
  const values = new Map<string, string>();
  for (const { name: input, hint } of getInputs(parts)) {
    const value = await showInputBox({ title: name, prompt: input, placeHolder: hint, ignoreFocusOut: true });
    if (value === undefined) return;
    values.set(input, value);
  }
  return fillPrompt(parts, values);
}

function createItem(prompt: Prompt) {
  const icons = { personal: 'account', workspace: 'folder', builtIn: 'comment-discussion' };
  const description = prompt.description ?? prompt.argumentHint;
  return {
    label: prompt.name,
    ...(description !== undefined && { description }),
    iconPath: new vscode.ThemeIcon(icons[prompt.source]),
    prompt,
  };
}

async function openFile({ uri }: Prompt): Promise<void> {
  if (uri) await vscode.window.showTextDocument(uri);
}

/** Suggests a name: the first words of the first line. */
function createName(body: string): string {
  const line = body.trimStart().split('\n', 1)[0] ?? '';
  const words = line.slice(0, MAX_PROMPT_NAME_LENGTH);
  return (line.length > words.length ? words.replace(/\s+\S*$/, '') : words).trim();
}

function validateName(name: string): string | undefined {
  if (name.trim() === '') return t('Enter a name for the prompt.');
  if (countCodePoints(name.trim()) > MAX_PROMPT_NAME_LENGTH) {
    return t('The name is too long. The limit is {0} characters.', MAX_PROMPT_NAME_LENGTH);
  }
  return;
}
