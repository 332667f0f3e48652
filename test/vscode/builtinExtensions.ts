import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { installBrowserVSCode } from './browserInstall';

/** VS Code's own extensions that no end-to-end test needs: each start of a window would read them, and many run at once. */
const unused: readonly string[] = [
  'copilot',
  'css-language-features',
  'debug-auto-launch',
  'debug-server-ready',
  'emmet',
  'extension-editing',
  'git',
  'git-base',
  'github',
  'github-authentication',
  'grunt',
  'gulp',
  'html-language-features',
  'ipynb',
  'jake',
  'json-language-features',
  'markdown-math',
  'media-preview',
  'merge-conflict',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
  'notebook-renderers',
  'npm',
  'php-language-features',
  'references-view',
  'simple-browser',
  'terminal-suggest',
  'tunnel-forwarding',
  'typescript-language-features',
];

/** Makes a folder of VS Code's own extensions without the unused ones: a window opens in two thirds of the time. */
export async function linkBuiltinExtensions(folder: string): Promise<void> {
  const { server } = await installBrowserVSCode();
  const all = path.join(path.dirname(server), '../extensions');
  await mkdir(folder, { recursive: true });
  for (const entry of await readdir(all, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'node_modules' || unused.includes(entry.name)) continue;
    await symlink(path.join(all, entry.name), path.join(folder, entry.name), 'junction');
  }
}
