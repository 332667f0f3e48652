import type * as vscode from 'vscode';
import { type InertText, toInertLabel, toInertText } from '../../../src/host/base/inertText';
import {
  type InertChatResponse,
  type InertWindow,
  setStatusItem,
  setTabTitle,
  setViewTitle,
} from '../../../src/host/base/inertUi';

// Compiled with the lint, and never run: foreign text that wasn't made inert doesn't compile.

export function showInert(window: InertWindow, tab: vscode.WebviewPanel, name: string) {
  void window.showErrorMessage(toInertText(name));
  void window.showErrorMessage(toInertLabel(name));
  setTabTitle(tab, toInertText(name));
}

export function showForeign(
  window: InertWindow,
  response: InertChatResponse,
  { tab, view, item }: { tab: vscode.WebviewPanel; view: vscode.WebviewView; item: vscode.StatusBarItem },
  name: string,
) {
  // @ts-expect-error
  void window.showInformationMessage(name);
  // @ts-expect-error
  void window.showWarningMessage(name);
  // @ts-expect-error
  void window.showWarningMessage(toInertText('Sure?'), { modal: true, detail: name });
  // @ts-expect-error
  void window.showErrorMessage(`Not saved: ${toInertText(name)}`);
  // @ts-expect-error: an icon
  window.setStatusBarMessage(toInertText(name), 1);
  // @ts-expect-error
  void window.showQuickPick([{ label: name }], { title: toInertText('Title') });
  // @ts-expect-error
  void window.showInputBox({ prompt: name });
  // @ts-expect-error
  void window.withProgress({ location: 1, title: name }, async () => undefined);
  // @ts-expect-error
  response.progress(name);
  // @ts-expect-error
  setTabTitle(tab, name);
  // @ts-expect-error
  setViewTitle(view, name, undefined);
  // @ts-expect-error: an icon
  setStatusItem(item, 'record', toInertText(name), toInertText(name));
  // @ts-expect-error: only toInertText makes it.
  const forged: InertText = name;
  return forged;
}
