import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { installBrowserVSCode } from './browserInstall';

/**
 * Built-in extensions that no end-to-end test needs: each window reads them at its start and runs many of
 * them.
 */
const UNUSED_EXTENSIONS: readonly string[] = [
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

/**
 * Creates a folder of built-in extensions without the unused ones, except for those in `kept`; windows open in two
 * thirds of the time.
 */
export async function linkBuiltinExtensions(folder: string, kept: readonly string[] = []): Promise<void> {
  const { server } = await installBrowserVSCode();
  const all = path.join(path.dirname(server), '../extensions');
  await mkdir(folder, { recursive: true });
  for (const entry of await readdir(all, { withFileTypes: true })) {
    const isUnused = UNUSED_EXTENSIONS.includes(entry.name) && !kept.includes(entry.name);
    if (!entry.isDirectory() || entry.name === 'node_modules' || isUnused) continue;
    await symlink(path.join(all, entry.name), path.join(folder, entry.name), 'junction');
  }
}
