import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { cacheDir, repositoryRoot } from '../vscode/cacheDir';

type Collector = (folder: string) => Promise<void>;

const collectors = new Set<Collector>();

/** Has `collect` called after each test that fails, to write what explains it into a folder. Returns what ends that. */
export function onTestFailure(collect: Collector): () => void {
  collectors.add(collect);
  return () => collectors.delete(collect);
}

/** Keeps what explains a failure (screenshots, logs, requests) and names the folder. */
export async function collectFailure(fullTitle: string): Promise<void> {
  if (collectors.size === 0) return;
  const folder = cacheDir('failures', fullTitle.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120));
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
