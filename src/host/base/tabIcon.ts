import * as vscode from 'vscode';

/** Returns Parley's icon for an editor tab. VS Code draws it as an image, where `currentColor` is always black. */
export function getTabIcon(extensionUri: vscode.Uri): {
  readonly light: vscode.Uri;
  readonly dark: vscode.Uri;
} {
  return {
    light: vscode.Uri.joinPath(extensionUri, 'media', 'parley-light.svg'),
    dark: vscode.Uri.joinPath(extensionUri, 'media', 'parley-dark.svg'),
  };
}
