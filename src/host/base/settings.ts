import * as vscode from 'vscode';
import { parseBaseUrl } from '../../client/baseUrl';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { ChatFont, Overflow } from '../../shared/view/viewModel';
import { Setting } from './names';

export interface BaseUrl {
  /** Includes the version path, has no trailing slash. */
  readonly url: string;
  readonly origin: string;
  /** Host name and port, for display. */
  readonly host: string;
}

/** Returns the first service's base URL, or undefined if it is not set or invalid. */
export function getBaseUrl(): BaseUrl | undefined {
  // From the user settings only, so that no workspace can send the key elsewhere.
  const value = toText(getConfiguration().inspect(Setting.baseUrl)?.globalValue) ?? '';
  const parsed = parseBaseUrl(value);
  return parsed.ok ? { url: parsed.url, origin: parsed.origin, host: new URL(parsed.url).host } : undefined;
}

export async function setBaseUrl(url: string | undefined): Promise<void> {
  await getConfiguration().update(Setting.baseUrl, url, vscode.ConfigurationTarget.Global);
}

/** An entry of `parley.services`; `baseUrl` is not checked yet. */
export interface ServiceSetting {
  readonly name: string;
  readonly baseUrl: string;
  readonly botId?: string;
}

/** Returns the entries of `parley.services` that have a URL. */
export function getServicesSetting(): ServiceSetting[] {
  // From the user settings only, as the base URL.
  const value = getConfiguration().inspect<unknown>(Setting.services)?.globalValue;
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: Readonly<Record<string, unknown>> | null) => {
    const baseUrl = toText(entry?.baseUrl);
    const botId = toText(entry?.botId)?.trim();
    return baseUrl === undefined
      ? []
      : [{ name: toText(entry?.name) ?? '', baseUrl, ...(botId && { botId }) }];
  });
}

export async function setServicesSetting(services: readonly ServiceSetting[] | undefined): Promise<void> {
  if (services === undefined && getServicesSetting().length === 0) return;
  await getConfiguration().update(Setting.services, services, vscode.ConfigurationTarget.Global);
}

/** Returns the ID of the bot for new conversations. */
export function getDefaultBotId(): string | undefined {
  return toText(getConfiguration().get(Setting.botId))?.trim() || undefined;
}

/** Location of a saved setting: the user's settings, or the workspace's, which override them. */
export type SettingScope = 'user' | 'workspace';

/** Returns the IDs of the default bot by where they are set; a workspace's counts only if it is trusted. */
export function getDefaultBotIds(): { readonly [K in SettingScope]: string | undefined } {
  const { globalValue, workspaceValue } = getConfiguration().inspect(Setting.botId) ?? {};
  const workspace = vscode.workspace.isTrusted ? toText(workspaceValue) : undefined;
  return { user: toText(globalValue), workspace };
}

/** Saves the bot for new conversations. In the user's settings, it replaces the workspace's. */
export async function setDefaultBotId(id: string | undefined, scope: SettingScope = 'user'): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await getConfiguration().update(Setting.botId, id, scope === 'user' ? Global : Workspace);
  if (scope === 'user' && getDefaultBotIds().workspace !== undefined)
    await getConfiguration().update(Setting.botId, undefined, Workspace);
}

/** Returns the ID of the folder for uploads and where it is set; undefined if none is set. */
export function getUploadFolderSetting(): { readonly id: string; readonly scope: SettingScope } | undefined {
  const id = toText(getConfiguration().get(Setting.folderId))?.trim();
  if (!id) return undefined;
  const { workspaceValue } = getConfiguration().inspect(Setting.folderId) ?? {};
  const isWorkspace = vscode.workspace.isTrusted && workspaceValue !== undefined;
  return { id, scope: isWorkspace ? 'workspace' : 'user' };
}

/** Saves the folder for uploads where it is already set. */
export async function setUploadFolderId(id: string, scope: SettingScope): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await getConfiguration().update(Setting.folderId, id, scope === 'user' ? Global : Workspace);
}

export function getSendWith(): 'enter' | 'ctrlEnter' {
  return getConfiguration().get(Setting.sendWith) === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
}

/** Returns the extensions of files to upload as text: lower case, without a dot. */
export function getTextUploadExtensions(): ReadonlySet<string> {
  const setting = getConfiguration().get<unknown>(Setting.uploadAsText);
  const extensions = Array.isArray(setting)
    ? setting.filter((extension) => typeof extension === 'string')
    : [];
  return new Set(extensions.map((extension) => extension.replace(/^\./, '').toLowerCase()));
}

/** Returns what to do with text that is too long for one message; undefined means to ask. */
export function getOverflow(): Overflow | undefined {
  const value = getConfiguration().get(Setting.overflow);
  return value === 'document' || value === 'split' ? value : undefined;
}

export async function setOverflow(value: Overflow | undefined): Promise<void> {
  await getConfiguration().update(Setting.overflow, value ?? 'ask', vscode.ConfigurationTarget.Global);
}

/** Returns whether to notify of replies that end while the window isn't focused. */
export function shouldNotifyWhenDone(): boolean {
  return getConfiguration().get(Setting.notifyWhenDone) === true;
}

/** Returns when to ask before a question of an agent is sent. From the user's settings only, as all about agents. */
export function getAgentAsk(): 'always' | 'conversation' | 'never' {
  const value = getConfiguration().inspect(Setting.agentsAsk)?.globalValue;
  return value === 'always' || value === 'never' ? value : 'conversation';
}

/** Returns the setting with what the user says that bots know, unchecked. */
export function getBotDescriptionsSetting(): unknown {
  return getConfiguration().inspect<unknown>(Setting.agentsBots)?.globalValue;
}

const DEFAULT_DAILY_AGENT_MESSAGES = 20;

/** Returns how many questions agents can ask in a day. */
export function getDailyAgentMessages(): number {
  const value = getConfiguration().inspect(Setting.agentsDailyMessages)?.globalValue;
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : DEFAULT_DAILY_AGENT_MESSAGES;
}

/** Returns whether to look for earlier answers. From the user's settings only, so that no workspace makes Parley read them. */
export function isSuggestingEarlierAnswers(): boolean {
  return getConfiguration().inspect(Setting.suggestEarlierAnswers)?.globalValue !== false;
}

export type Prompt = 'explain' | 'findProblems' | 'writeTests';

/** Returns the text of the prompt for an action on a selection. */
export function getPrompt(which: Prompt): string {
  const prompts = getConfiguration().inspect<Partial<Record<Prompt, unknown>>>(Setting.prompts)?.defaultValue;
  const text = getConfiguration().get<Partial<Record<Prompt, unknown>>>(Setting.prompts)?.[which];
  // A workspace can set it.
  return escapeInvisible(
    String(typeof text === 'string' && text.trim() !== '' ? text : (prompts?.[which] ?? '')),
  );
}

/** The font size of VS Code's own UI. */
const DEFAULT_FONT_SIZE_PX = 13;

/** Returns VS Code's settings for the font of chats, which webviews can't read. */
export function getChatFont(): ChatFont {
  const chat = vscode.workspace.getConfiguration('chat');
  const family = chat.get('fontFamily');
  return {
    ...(typeof family === 'string' && family !== 'default' && { family }),
    size: Math.min(Math.max(Number(chat.get('fontSize')) || DEFAULT_FONT_SIZE_PX, 6), 100),
  };
}

/**
 * Returns whether the workspace's settings turn off VS Code's question before several lines are pasted into a terminal. If
 * the user did, no question is expected.
 */
export function isPasteWarningOff(): boolean {
  const terminal = vscode.workspace.getConfiguration('terminal.integrated');
  const name = 'enableMultiLinePasteWarning';
  return terminal.get(name) === 'never' && terminal.inspect(name)?.globalValue !== 'never';
}

export function onDidChangeChatFont(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('chat.fontFamily') || event.affectsConfiguration('chat.fontSize'))
      listener();
  });
}

export function onDidChangeSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(Setting.section)) listener();
  });
}

/** Returns a setting's value if it is a string: `settings.json` can have a value of any type. */
function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function getConfiguration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(Setting.section);
}
