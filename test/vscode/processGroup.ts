import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';

/** A child process and all processes started by it, which stop together. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Resolves to the child's exit code; undefined if a signal ended it or it never started. */
  readonly ended: Promise<number | undefined>;
  /**
   * Stops every process of the group: sends SIGTERM, waits up to 5,000 ms, then sends SIGKILL. Resolves when
   * the child has exited.
   */
  stop(): Promise<void>;
}

const runningGroups = new Set<ProcessGroup>();
const stopFunctions = new Set<() => Promise<void>>();

/**
 * Calls `stop` before a signal, such as Ctrl+C, ends this process. Returns a function that unregisters it.
 */
export function stopOnSignal(stop: () => Promise<void>): () => void {
  installExitHandlers();
  stopFunctions.add(stop);
  return () => stopFunctions.delete(stop);
}

/** Ends this process when its parent exits: npm sends a SIGTERM to its shell, which doesn't forward it. */
export function endWithParent(): void {
  installExitHandlers();
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

/**
 * Starts a command as a separate process group, which is stopped when this process exits or receives a
 * signal.
 */
export function spawnGroup(command: string, args: readonly string[], options: SpawnOptions): ProcessGroup {
  // On POSIX, a detached child leads a new group; on Windows, taskkill finds the process tree.
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  const ended = new Promise<number | undefined>((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', (code) => {
      // Kills what the group's leader left behind.
      kill(child, 'SIGKILL');
      resolve(code ?? undefined);
    });
  });
  const group: ProcessGroup = {
    child,
    ended,
    async stop() {
      if (!runningGroups.has(group)) return;
      kill(child, 'SIGTERM');
      const killTimer = setTimeout(() => kill(child, 'SIGKILL'), 5_000);
      await ended;
      clearTimeout(killTimer);
    },
  };
  runningGroups.add(group);
  const unregister = stopOnSignal(group.stop);
  void ended.then(() => {
    runningGroups.delete(group);
    unregister();
  });
  return group;
}

/** Whether a process with this id exists, of any user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function kill(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') {
      execFileSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    } else {
      process.kill(-child.pid, signal);
    }
  } catch {
    // The whole group has already exited.
  }
}

let hasExitHandlers = false;

function installExitHandlers(): void {
  if (hasExitHandlers) return;
  hasExitHandlers = true;
  process.on('exit', () => {
    for (const { child } of runningGroups) kill(child, 'SIGKILL');
  });
  let isExiting = false;
  const exit = async (code: number) => {
    // On a second signal, exits without waiting.
    if (!isExiting) {
      isExiting = true;
      await Promise.all([...stopFunctions].map((stop) => stop()));
    }
    process.exit(code);
  };
  // A group that receives a signal can stop the groups that it started itself.
  process.on('SIGINT', () => void exit(130));
  process.on('SIGTERM', () => void exit(143));
  process.on('SIGHUP', () => void exit(129));
}
