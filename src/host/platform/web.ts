import type { Platform } from './platform';
import { readWorkspaceFile } from './readWorkspaceFile';
import { WebStorage } from './webStorage';

/** The platform of the web worker extension host: `fetch` and VS Code's file systems. */
export const platform: Platform = {
  fetch: (url, init) => fetch(url, init),
  loadExpressionThreads: async () => (await import('./webExpressionThread')).startExpressionThread,
  openStorage: (folder) => new WebStorage(folder),
  openFile: readWorkspaceFile,
  realUri: async (uri) => uri,
};
