import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A child and all that it starts, which end together. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Ends every process of the group: asks, waits `graceMs` (2,000 ms unless told), then insists. Resolves when the child is gone. */
  stop(graceMs?: number): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts a command as a process group of its own, which also ends when this process does. */
export function spawnGroup(command: string, args: readonly string[], options: SpawnOptions): ProcessGroup {
  endWithThisProcess();
  // On POSIX a detached child leads a group of its own; on Windows taskkill finds the tree by itself.
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  if (child.pid !== undefined) running.add(child);
  const closed = child.pid === undefined ? Promise.resolve() : once(child, 'exit').catch(() => undefined);
  child.once('exit', () => {
    // What the leader left behind goes with it.
    kill(child, 'SIGKILL');
    running.delete(child);
  });
  return {
    child,
    async stop(graceMs = 2_000) {
      if (!running.has(child)) return;
      kill(child, 'SIGTERM');
      const insist = setTimeout(() => kill(child, 'SIGKILL'), graceMs);
      await closed;
      clearTimeout(insist);
    },
  };
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
    for (const child of running) kill(child, 'SIGKILL');
  });
  // A signal ends Node without an 'exit' event, unless someone listens.
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const) {
    process.on(signal, () => {
      // Whoever else listens (npm start, mocha) decides when to leave.
      if (process.listenerCount(signal) === 1) process.exit(128 + number);
    });
  }
}
