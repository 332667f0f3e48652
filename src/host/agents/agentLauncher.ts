import * as vscode from 'vscode';
import type { LocalAccess, PrivateFolder } from '../platform/localAccess';
import type { Launch } from './agentConfigs';
import { createBatchFile, createShellScript, SERVER } from './launcherScripts';

/** The MCP server in the extension's folder, which an update replaces. */
export function getServerUri(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'mcp', 'server.js');
}

/**
 * Writes the launcher and its own copy of the server, unless they are up to date. Both stay where they are when the
 * extension or VS Code is updated: a window of the new version writes them again. Throws file system errors.
 */
export async function writeLauncher(
  access: Pick<LocalAccess, 'isWindows' | 'node'>,
  folder: PrivateFolder,
  extensionUri: vscode.Uri,
): Promise<Launch> {
  const server = await vscode.workspace.fs.readFile(getServerUri(extensionUri));
  await update(folder, SERVER, new TextDecoder().decode(server));
  if (access.isWindows) {
    await update(folder, 'parley-mcp.cmd', createBatchFile(access.node, folder.path));
    return { command: 'cmd', args: ['/c', `${folder.path}\\parley-mcp.cmd`] };
  }
  await update(folder, 'parley-mcp', createShellScript(access.node, folder.path), true);
  return { command: `${folder.path}/parley-mcp`, args: [] };
}

async function update(
  folder: PrivateFolder,
  name: string,
  text: string,
  executable?: boolean,
): Promise<void> {
  if ((await folder.readFile(name)) !== text) await folder.writeFile(name, text, executable);
}
