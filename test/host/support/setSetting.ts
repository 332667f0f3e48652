import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';

const { Global } = vscode.ConfigurationTarget;

/**
 * Changes a setting of the user, or of the workspace, unless it has the value already: VS Code does much work for a
 * change. `undefined` removes it.
 */
export async function setSetting(
  name: string,
  value: unknown,
  target: vscode.ConfigurationTarget = Global,
): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  const { globalValue, workspaceValue } = settings.inspect(name) ?? {};
  if (isDeepStrictEqual(target === Global ? globalValue : workspaceValue, value)) return;
  await settings.update(name, value, target);
}
