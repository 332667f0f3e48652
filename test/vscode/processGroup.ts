import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';

/** A child and all that it starts, which end together. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Resolves to the child's exit code (undefined where a signal ended it, or it never started). */
  readonly ended: Promise<number | undefined>;
  /** Ends every process of the group: asks, waits up to 5,000 ms, then insists. Resolves when the child is gone. */
  stop(): Promise<void>;
}

const running = new Set<ProcessGroup>();
const stops = new Set<() => Promise<void>>();

/** Has `stop` called before a signal (Ctrl+C, say) ends this process. Returns what takes that back. */
export function stopOnSignal(stop: () => Promise<void>): () => void {
  endWithThisProcess();
  stops.add(stop);
  return () => stops.delete(stop);
}

/** Ends this process when the one that started it is gone: npm hands a SIGTERM to its shell, which keeps it for itself. */
export function endWithParent(): void {
  endWithThisProcess();
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

/** Starts a command as a process group of its own, which ends when this process does: by itself or by a signal. */
export function spawnGroup(command: string, args: readonly string[], options: SpawnOptions): ProcessGroup {
  // On POSIX a detached child leads a group of its own; on Windows taskkill finds the tree by itself.
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  const ended = new Promise<number | undefined>((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', (code) => {
      // What the leader left behind goes with it.
      kill(child, 'SIGKILL');
      resolve(code ?? undefined);
    });
  });
  const group: ProcessGroup = {
    child,
    ended,
    async stop() {
      if (!running.has(group)) return;
      kill(child, 'SIGTERM');
      const insist = setTimeout(() => kill(child, 'SIGKILL'), 5_000);
      await ended;
      clearTimeout(insist);
    },
  };
  running.add(group);
  const forget = stopOnSignal(group.stop);
  void ended.then(() => {
    running.delete(group);
    forget();
  });
  return group;
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
    // The whole group has ended already, which is what was asked for.
  }
}

let watching = false;

function endWithThisProcess(): void {
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const { child } of running) kill(child, 'SIGKILL');
  });
  let leaving = false;
  const leave = async (code: number) => {
    // Asked twice, there is no more waiting.
    if (!leaving) {
      leaving = true;
      await Promise.all([...stops].map((stop) => stop()));
    }
    process.exit(code);
  };
  // A group that is asked to end can end what it started itself in groups of its own.
  process.on('SIGINT', () => void leave(130));
  process.on('SIGTERM', () => void leave(143));
  process.on('SIGHUP', () => void leave(129));
}
