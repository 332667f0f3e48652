import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRunning } from '../vscode/processGroup';

/** The longest path of a Unix socket: 103 bytes on macOS, 107 on Linux. */
const MAX_SOCKET_PATH_BYTES = 103;
const LONGEST_FOLDER_NAME = 'parley-0000000-000000';
/** The longest name of a socket that VS Code creates in the temporary folder. */
const LONGEST_SOCKET_NAME = 'vscode-ipc-00000000-0000-0000-0000-000000000000.sock';

/**
 * Creates a temporary folder, and makes it the one of this process and of all processes started by it: VS Code
 * and Chromium leave hundreds of sockets and folders behind. The folder is removed when this process exits;
 * if it is killed, by the next run.
 */
export function useRunFolder(parent = findParent()): string {
  for (const name of readdirSync(parent)) {
    const pid = /^parley-(\d+)-\w{6}$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) removeFolder(path.join(parent, name));
  }
  const folder = mkdtempSync(path.join(parent, `parley-${process.pid}-`));
  process.once('exit', () => removeFolder(folder));
  const { WAYLAND_DISPLAY, XDG_RUNTIME_DIR } = process.env;
  // The name of a Wayland display is relative to the folder that is replaced here.
  if (WAYLAND_DISPLAY && XDG_RUNTIME_DIR) {
    process.env.WAYLAND_DISPLAY = path.resolve(XDG_RUNTIME_DIR, WAYLAND_DISPLAY);
  }
  // TEMP and TMP are Windows' names of TMPDIR; VS Code creates its sockets in XDG_RUNTIME_DIR.
  for (const name of ['TMPDIR', 'TEMP', 'TMP', 'XDG_RUNTIME_DIR']) process.env[name] = folder;
  return folder;
}

/** Returns the system's temporary folder, or `/tmp` if its path is too long for sockets. */
function findParent(): string {
  const longest = path.join(tmpdir(), LONGEST_FOLDER_NAME, LONGEST_SOCKET_NAME);
  return process.platform !== 'win32' && longest.length > MAX_SOCKET_PATH_BYTES ? '/tmp' : tmpdir();
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    // It may belong to another user, or a process that still ends writes to it: the next run removes it.
    console.error(`The temporary folder ${folder} is not removed: ${error}`);
  }
}
