import * as vscode from 'vscode';
import { parseBaseUrl } from '../../client/baseUrl';
import type { ChatFont, Overflow } from '../../shared/viewModel';
import { Setting } from './names';

export interface BaseUrl {
  /** Version path included, no trailing slash. */
  readonly url: string;
  readonly origin: string;
  /** Host name and port, for people. */
  readonly host: string;
}

/** The service's base URL, or undefined where none is set or the setting is not usable. */
export function baseUrl(): BaseUrl | undefined {
  // From the user's own settings only, so that no workspace can point the key elsewhere.
  const value = configuration().inspect<string>(Setting.baseUrl)?.globalValue ?? '';
  const parsed = parseBaseUrl(value);
  return parsed.ok ? { url: parsed.url, origin: parsed.origin, host: new URL(parsed.url).host } : undefined;
}

export async function setBaseUrl(url: string): Promise<void> {
  await configuration().update(Setting.baseUrl, url, vscode.ConfigurationTarget.Global);
}

/** The id of the bot that a new conversation gets. */
export function defaultBotId(): string | undefined {
  return configuration().get<string>(Setting.botId)?.trim() || undefined;
}

export async function setDefaultBotId(id: string): Promise<void> {
  await configuration().update(Setting.botId, id, vscode.ConfigurationTarget.Global);
}

export function sendWith(): 'enter' | 'ctrlEnter' {
  return configuration().get(Setting.sendWith) === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
}

/** Extensions, lower case and without a dot, that go up as text. */
export function uploadAsText(): ReadonlySet<string> {
  const extensions = configuration().get<unknown[]>(Setting.uploadAsText) ?? [];
  return new Set(extensions.map((extension) => String(extension).replace(/^\./, '').toLowerCase()));
}

/** What is done with a text that is too long for one message; undefined where the person is asked. */
export function overflow(): Overflow | undefined {
  const value = configuration().get(Setting.overflow);
  return value === 'document' || value === 'split' ? value : undefined;
}

export async function setOverflow(value: Overflow | undefined): Promise<void> {
  await configuration().update(Setting.overflow, value ?? 'ask', vscode.ConfigurationTarget.Global);
}

/** Whether the person wants to be told of replies that end while the window isn't looked at. */
export function notifyWhenDone(): boolean {
  return configuration().get(Setting.notifyWhenDone) === true;
}

export type Prompt = 'explain' | 'findProblems' | 'writeTests';

/** The words of an action on a selection. */
export function prompt(which: Prompt): string {
  const prompts = configuration().inspect<Partial<Record<Prompt, unknown>>>(Setting.prompts)?.defaultValue;
  const words = configuration().get<Partial<Record<Prompt, unknown>>>(Setting.prompts)?.[which];
  return String(typeof words === 'string' && words.trim() !== '' ? words : (prompts?.[which] ?? ''));
}

/** px, of VS Code's own text. */
const FONT_SIZE = 13;

/** VS Code's own settings for text in chats, of which it tells webviews nothing. */
export function chatFont(): ChatFont {
  const chat = vscode.workspace.getConfiguration('chat');
  const family = chat.get('fontFamily');
  return {
    ...(typeof family === 'string' && family !== 'default' && { family }),
    size: Math.min(Math.max(Number(chat.get('fontSize')) || FONT_SIZE, 6), 100),
  };
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

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(Setting.section);
}
