import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { getCacheDir, repositoryRoot } from '../vscode/cacheDir';

type Collector = (folder: string) => Promise<void>;

const collectors = new Set<Collector>();

/**
 * Calls `collect` after each failed test, to write diagnostics into a folder. Returns a function that stops
 * it.
 */
export function onTestFailure(collect: Collector): () => void {
  collectors.add(collect);
  return () => collectors.delete(collect);
}

let failedHook: string | undefined;

/** Remembers a hook that failed: mocha has no hook that runs after one. */
export function setFailedHook(fullTitle: string): void {
  failedHook = fullTitle;
}

/** Collects diagnostics if a hook has failed since the last call. For a suite's last hook, before it closes anything. */
export async function collectFailedHook(): Promise<void> {
  const title = failedHook;
  failedHook = undefined;
  if (title !== undefined) await collectFailure(title);
}

/** Collects diagnostics of a failure (screenshots, logs, requests) and prints the folder. */
export async function collectFailure(fullTitle: string): Promise<void> {
  if (collectors.size === 0) return;
  const folder = getCacheDir('failures', fullTitle.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120));
  await mkdir(folder, { recursive: true });
  for (const collect of collectors) {
    try {
      await collect(folder);
    } catch (error) {
      console.error(`Something about the failure could not be kept: ${error}`);
    }
  }
  console.error(`Kept: ${path.relative(repositoryRoot, folder)}`);
}
