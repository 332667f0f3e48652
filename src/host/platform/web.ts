import type { Platform } from './platform';
import { openWorkspaceFile } from './workspaceFile';

/** The web worker's extension host: `fetch` and VS Code's file systems. */
export const platform: Platform = {
  fetch: (url, init) => fetch(url, init),
  openFile: openWorkspaceFile,
};
