import * as vscode from 'vscode';
import type { CodeTheme } from '../../shared/view/codeTheme';
import { findActiveTheme } from './activeTheme';
import { createPlainTheme } from './plainTheme';
import { readThemeFile } from './themeFile';
import { parseCustomRules } from './tokenCustomizations';

/**
 * Returns the active theme's token colors with the user's customizations, or plain colors for the theme's
 * kind if its file can't be read.
 */
export async function resolveCodeTheme(log: vscode.LogOutputChannel): Promise<CodeTheme> {
  const theme = findActiveTheme();
  const custom = vscode.workspace.getConfiguration('editor').get('tokenColorCustomizations');
  return [...(await rules()), ...parseCustomRules(custom, theme?.name ?? '')];

  async function rules(): Promise<CodeTheme> {
    const { kind } = vscode.window.activeColorTheme;
    if (!theme) {
      log.warn(
        'Using plain colors for code: the active color theme is not in an extension that Parley can access',
      );
      return createPlainTheme(kind);
    }
    try {
      return await readThemeFile(theme.file);
    } catch (error) {
      log.warn(`Using plain colors for code: couldn't read the color theme ${theme.name}: ${error}`);
      return createPlainTheme(kind);
    }
  }
}
