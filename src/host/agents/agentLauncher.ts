import * as vscode from 'vscode';
import { WINDOWS_FOLDER } from '../../shared/agents/windowFile';
import type { LocalAccess, PrivateFolder } from '../platform/localAccess';

/** The command that starts the MCP server; agents keep it in their configuration. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** The MCP server in the extension's folder, which an update replaces. */
export function getServerUri(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'mcp', 'server.js');
}

const SERVER = 'server.js';

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

/** Returns the launcher for Unix. It takes another Node.js if VS Code's has moved since. */
export function createShellScript({ path, env }: LocalAccess['node'], folder: string): string {
  const server = `${quote(`${folder}/${SERVER}`)} --windows ${quote(`${folder}/${WINDOWS_FOLDER}`)} "$@"`;
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  return `#!/bin/sh
# Starts Parley's MCP server. Written by Parley; changes are lost.
if [ -x ${quote(path)} ]; then
${variables.join('')}exec ${quote(path)} ${server}
fi
exec node ${server}
`;
}

/** Returns the launcher for Windows. */
export function createBatchFile({ path, env }: LocalAccess['node'], folder: string): string {
  const escapePercent = (text: string) => text.replaceAll('%', '%%');
  const server = `"${escapePercent(folder)}\\${SERVER}" --windows "${escapePercent(folder)}\\${WINDOWS_FOLDER}" %*`;
  const variables = Object.entries(env).map(([name, value]) => `set "${name}=${escapePercent(value)}"`);
  return [
    '@echo off',
    "rem Starts Parley's MCP server. Written by Parley; changes are lost.",
    'chcp 65001 >nul',
    ...variables,
    `if exist "${escapePercent(path)}" ("${escapePercent(path)}" ${server}) else (node ${server})`,
    '',
  ].join('\r\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

async function update(
  folder: PrivateFolder,
  name: string,
  text: string,
  executable?: boolean,
): Promise<void> {
  if ((await folder.read(name)) !== text) await folder.write(name, text, executable);
}
