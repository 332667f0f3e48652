import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** A megabyte of disk, which can become more. */
export interface SmallDisk {
  readonly path: string;
  /** What a process that writes to it is started with. */
  readonly command: readonly string[];
  makeRoom(pid: number): void;
  close(): void;
}

/** A tmpfs where this process may mount one; else, on Linux, a limit to the files of the process that writes. */
export async function smallDisk(folder: string): Promise<SmallDisk> {
  const disk = path.join(folder, 'disk');
  await mkdir(disk);
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' });
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk);
  } catch {
    // No right to mount. A process that ignores SIGXFSZ gets short writes and errors, as on a full disk.
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
