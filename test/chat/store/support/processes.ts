import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { build } from 'esbuild';
import { waitFor } from './folders';

/** A window in a process of its own (`child.ts`). */
export interface WindowProcess {
  readonly process: ChildProcess;
  /** The lines it has printed. */
  readonly lines: readonly string[];
  /** Waits for a line with this prefix; throws if the process ends without it. */
  waitForLine(start: string): Promise<string>;
  /** Tells it to continue. */
  go(): void;
  /** Its exit code once it has ended; null if it was killed. */
  readonly ended: Promise<number | null>;
}

/**
 * Starts processes from one bundle, because compiling TypeScript in each would take most of the test's time.
 */
export interface WindowProcesses {
  /** `command` is an optional prefix to run it with. */
  start(
    folder: string,
    work: string,
    id: string,
    args?: readonly string[],
    command?: readonly string[],
  ): WindowProcess;
  /** Kills all running processes. */
  close(): Promise<void>;
}

export async function createWindowProcesses(): Promise<WindowProcesses> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'parley-child-'));
  const outfile = path.join(dir, 'child.cjs');
  const entryPoints = [path.join(__dirname, 'child.ts')];
  await build({ entryPoints, bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'error' });
  const started: WindowProcess[] = [];
  return {
    start: (folder, work, id, args = [], command = []) => {
      const [file = '', ...rest] = [...command, process.execPath, outfile, folder, work, id, ...args];
      const child = spawn(file, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
      const lines: string[] = [];
      let hasEnded = false;
      readline.createInterface(child.stdout).on('line', (line) => lines.push(line));
      const ended = new Promise<number | null>((resolve) => {
        child.once('close', (code) => {
          hasEnded = true;
          resolve(code);
        });
      });
      const windowProcess: WindowProcess = {
        process: child,
        lines,
        ended,
        waitForLine: (start) =>
          waitFor(() => {
            const line = lines.find((text) => text.startsWith(start));
            if (line === undefined && hasEnded) throw new Error(`The process never said ${start}`);
            return line;
          }),
        go: () => child.stdin.write('go\n'),
      };
      started.push(windowProcess);
      return windowProcess;
    },
    close: async () => {
      for (const { process: child } of started) child.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      await rm(dir, { recursive: true, force: true });
    },
  };
}
