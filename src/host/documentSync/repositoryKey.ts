import type * as vscode from 'vscode';
import type { GitConfig } from '../../chat/files/gitConfig';
import { findRepository, readGitConfig } from '../../chat/files/gitRepository';
import { createGitFiles } from '../files/gitIgnore';
import { hashBytes } from '../platform/openBytes';

/** Hexadecimal digits: no two repositories of an account have the same key by chance. */
const KEY_LENGTH = 16;

/**
 * Returns a key that a workspace folder has in all clones of its repository, on any machine, and no other folder: from the address
 * that it was cloned from. Undefined if there is none, or none that means the same everywhere.
 */
export async function readRepositoryKey({ uri }: vscode.WorkspaceFolder): Promise<string | undefined> {
  const files = createGitFiles(uri);
  const repository = await findRepository(files, uri.path);
  if (!repository) return undefined;
  const config = await readGitConfig(files, `${repository.shared}/config`);
  const address = normalizeAddress(findRemote(config) ?? '');
  if (address === undefined) return undefined;
  const place = JSON.stringify([address, uri.path.replace(/\/$/, '').slice(repository.root.length + 1)]);
  return (await hashBytes(new TextEncoder().encode(place))).slice(0, KEY_LENGTH);
}

/** Returns the address of `origin`, or of the only remote. */
function findRemote(config: GitConfig): string | undefined {
  const remotes = [...config].filter(([setting]) => /^remote\..*\.url$/s.test(setting));
  const [, [address] = []] =
    remotes.find(([setting]) => setting === 'remote.origin.url') ??
    (remotes.length === 1 ? remotes[0] : undefined) ??
    [];
  return address;
}

/**
 * Returns the host and path of a repository's address, whatever protocol and user it has. Undefined for a path or a host that
 * only this machine knows, such as a name in its SSH settings.
 */
export function normalizeAddress(address: string): string | undefined {
  const [, scpHost, scpPath] = /^(?:[^@/\s]+@)?([^:/@\s]+\.[^:/@\s]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  const text = scpHost === undefined ? address : `ssh://${scpHost}/${scpPath?.replace(/^\/+/, '')}`;
  if (!/^(?:https?|ssh|git|git\+ssh):\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, port, pathname } = new URL(text);
  const host = hostname.toLowerCase();
  const path = pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  if (!host.includes('.') || host.startsWith('127.') || path === '') return undefined;
  return `${host}${port === '' || port === '22' ? '' : `:${port}`}${path}`;
}
