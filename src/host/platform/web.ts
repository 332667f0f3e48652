import type { Platform } from './platform';
import { WebStorage } from './webStorage';
import { openWorkspaceFile } from './workspaceFile';

/** The platform of the web worker extension host: `fetch` and VS Code's file systems. */
export const platform: Platform = {
  fetch: (url, init) => fetch(url, init),
  openStorage: (folder) => new WebStorage(folder),
  openFile: openWorkspaceFile,
  realUri: async (uri) => uri,
};
