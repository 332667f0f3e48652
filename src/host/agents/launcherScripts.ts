import { WINDOWS_FOLDER } from '../../shared/agents/windowFile';
import type { LocalAccess } from '../platform/localAccess';

/** The launcher's own copy of the server, in its folder. */
export const SERVER = 'server.js';

/** Returns the launcher for Unix. It takes another Node.js if VS Code's has moved since. */
export function createShellScript({ path, env }: LocalAccess['node'], folder: string): string {
  const server = `${quote(`${folder}/${SERVER}`)} --windows ${quote(`${folder}/${WINDOWS_FOLDER}`)} "$@"`;
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  return `#!/bin/sh
# Written by Parley: changes are lost.
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
    'rem written by Parley',
    'chcp 65001 >nul',
    ...variables,
    `if exist "${escapePercent(path)}" ("${escapePercent(path)}" ${server}) else (node ${server})`,
    '',
  ].join('\r\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
