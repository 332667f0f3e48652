import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** A disk of one megabyte that can be enlarged. */
export interface SmallDisk {
  readonly path: string;
  /** The command prefix for a process that writes to it. */
  readonly command: readonly string[];
  makeRoom(pid: number): void;
  close(): void;
}

/** Mounts a tmpfs if permitted; otherwise, on Linux, limits the file size of the writing process. */
export async function createSmallDisk(folder: string): Promise<SmallDisk> {
  const disk = path.join(folder, 'disk');
  await mkdir(disk);
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' });
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk);
  } catch {
    // Not permitted to mount. A process that ignores SIGXFSZ gets short writes and errors, as on a full disk.
    return {
      path: disk,
      command: ['sh', '-c', `trap '' XFSZ; exec prlimit --fsize=1000000:unlimited "$@"`, 'sh'],
      makeRoom: (pid) => run('prlimit', '--pid', String(pid), '--fsize=unlimited'),
      close: () => undefined,
    };
  }
  return {
    path: disk,
    command: [],
    makeRoom: () => run('mount', '-o', 'remount,size=8m', disk),
    close: () => run('umount', disk),
  };
}
