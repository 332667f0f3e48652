import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { Uri } from 'vscode';
import { openLocalFile } from './localFile';
import { createNodeFetch } from './nodeFetch';
import { NodeStorage } from './nodeStorage';
import type { Platform } from './platform';
import { readWorkspaceFile } from './readWorkspaceFile';

/**
 * The platform of the Node.js extension host: `http(s).request`, and local files streamed from one
 * descriptor.
 */
export const platform: Platform = {
  fetch: createNodeFetch(),
  home: Uri.file(homedir()),
  configHome: Uri.file(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config')),
  loadLocalAccess: async () => (await import('./nodeLocalAccess')).localAccess,
  loadExpressionThreads: async () => (await import('./nodeExpressionThread')).startExpressionThread,
  // VS Code gives a Node.js host a folder on its own disk, whatever the scheme is (`vscode-userdata:` has the same paths).
  openStorage: (folder) => new NodeStorage(folder.fsPath),
  async openFile(uri) {
    if (uri.scheme !== 'file') return readWorkspaceFile(uri);
    const file = await openLocalFile(uri.fsPath);
    return { ...file, realUri: Uri.file(file.realPath) };
  },
  realUri: async (uri) => (uri.scheme === 'file' ? Uri.file(await realpath(uri.fsPath)) : uri),
};
