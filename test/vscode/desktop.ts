import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { spawnGroup, stopOnSignal } from './processGroup';

export interface DesktopVSCode {
  /** Settles when the user closes the window, or after `stop`. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export interface DesktopOptions {
  readonly userDataDir: string;
  readonly extensionsDir: string;
  readonly extensions: readonly string[];
  readonly folder: string;
}

/** Finds the `code` command, if it can open a window on this machine. */
export function findDesktopCommand(): string | undefined {
  const { DISPLAY, WAYLAND_DISPLAY, VSCODE_IPC_HOOK_CLI, WSL_DISTRO_NAME, PATH = '' } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return undefined;
  // In a remote window's terminal and in WSL, `code` connects to a VS Code on another machine.
  if (VSCODE_IPC_HOOK_CLI || WSL_DISTRO_NAME) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  return PATH.split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

/** Opens a folder in desktop VS Code with a separate profile and extensions. */
export async function openDesktopVSCode(command: string, options: DesktopOptions): Promise<DesktopVSCode> {
  const { userDataDir, extensionsDir, extensions, folder } = options;
  const shell = process.platform === 'win32';
  const quoted = (text: string) => (shell ? `"${text}"` : text);
  const profile = [`--user-data-dir=${userDataDir}`, `--extensions-dir=${extensionsDir}`];
  const install = extensions.map((vsix) => `--install-extension=${vsix}`);
  await promisify(execFile)(quoted(command), [...profile, ...install, '--force'].map(quoted), { shell });
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...profile, ...asRoot, '--new-window', '--wait', folder];
  const group = spawnGroup(quoted(command), args.map(quoted), { shell, stdio: 'ignore' });
  const stop = async () => {
    // The window outlives the command; its main process writes its id to this file.
    const lock = path.join(userDataDir, 'code.lock');
    if (existsSync(lock)) endProcess(Number(readFileSync(lock, 'utf8')));
    await group.stop();
  };
  void group.ended.then(stopOnSignal(stop));
  return { ended: group.ended, stop };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
