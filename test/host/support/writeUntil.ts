import { until } from './until';

/** How often a file is written again, in ms: each event delays the reading, by VS Code or by Parley, for up to a second. */
const REWRITE_MS = 5000;

/**
 * Writes a file, and again until that is seen: VS Code doesn't say when a watcher has started, and reports nothing from before.
 * Rejects when nothing has moved for a minute.
 */
export async function writeUntil(
  write: () => Promise<void>,
  isSeen: () => boolean | Promise<boolean>,
): Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY;
  await until(async () => {
    if (await isSeen()) return true;
    if (performance.now() - writtenAt < REWRITE_MS) return;
    await write();
    writtenAt = performance.now();
  });
}
