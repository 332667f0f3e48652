import { AsyncLocalStorage } from 'node:async_hooks';
import fs, { type FileHandle } from 'node:fs/promises';
import { mock } from 'node:test';
import type { Gate } from './vscodeFiles';

const gates = new AsyncLocalStorage<Gate>();
/** The calls of each window that have passed its gate and are running, by the gate. */
const running = new Map<Gate | undefined, Set<Promise<unknown>>>();
/** The files that each window has opened, by its gate. */
const opened = new Map<Gate | undefined, FileHandle[]>();

/** Runs work whose calls of `node:fs/promises` each pass the gate before, while `interceptFileSystem` is in force. */
export const runWithGate = <T>(gate: Gate, work: () => Promise<T>): Promise<T> => gates.run(gate, work);

const OPERATIONS = ['mkdir', 'open', 'readdir', 'rename', 'rm', 'stat', 'utimes'] as const;
const HANDLE_OPERATIONS = ['write', 'writeFile', 'read', 'datasync', 'stat'] as const;

/** Makes the calls of `node:fs/promises` steps that can fail or never return; `mock.restoreAll` ends it. */
export async function interceptFileSystem(): Promise<void> {
  const intercept = (target: object, name: string) => {
    const original = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
    mock.method(
      target as Record<string, () => unknown>,
      name,
      async function (this: unknown, ...args: unknown[]) {
        const gate = gates.getStore();
        await gate?.(name, typeof args[0] === 'string' ? args[0] : '');
        return run(gate, async () => {
          const result = await Reflect.apply(original, this, args);
          if (name === 'open') opened.set(gate, [...(opened.get(gate) ?? []), result as FileHandle]);
          return result;
        });
      },
    );
  };
  const handle: FileHandle = await fs.open(process.execPath, 'r');
  const handles = Object.getPrototypeOf(handle) as object;
  await handle.close();
  for (const name of OPERATIONS) intercept(fs, name);
  for (const name of HANDLE_OPERATIONS) intercept(handles, name);
}

async function run<T>(gate: Gate | undefined, call: () => Promise<T>): Promise<T> {
  const calls = running.get(gate) ?? new Set();
  const result = call();
  running.set(gate, calls.add(result));
  try {
    return await result;
  } finally {
    calls.delete(result);
  }
}

/** Waits for the running calls of a window that ended, and closes what it left open, as its system does. */
export async function endCalls(gate: Gate): Promise<void> {
  await Promise.allSettled(running.get(gate) ?? []);
  running.delete(gate);
  for (const handle of opened.get(gate) ?? []) if (handle.fd >= 0) await handle.close();
  opened.delete(gate);
}
