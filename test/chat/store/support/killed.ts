import { readAllTurns, type StoreFolder, waitFor } from './folders';
import type { WindowProcesses } from './processes';

/** Interval between two heartbeats of a streaming window. */
export const HEARTBEAT_MS = 50;

/**
 * Kills a window after a number of chunks. Returns what is missing on disk, and for how many ms, on that
 * window's clock, it had been on screen.
 */
export async function killWhileStreaming(
  processes: WindowProcesses,
  folder: StoreFolder,
  id: string,
  chunks: number,
): Promise<{ readonly missing: readonly string[]; readonly behind: number }> {
  const child = processes.start(folder.path, 'stream', id);
  await waitFor(() => child.lines.filter((line) => line.startsWith('shown')).length > chunks);
  child.process.kill('SIGKILL');
  await child.ended;
  const { store } = folder.window();
  const turns = new Map((await readAllTurns(store, id)).map((turn) => [turn.id, turn]));
  await store.dispose();
  const missing: string[] = [];
  let behind = 0;
  for (const [at, line] of child.lines.entries()) {
    const [kind, turnId = '', index = ''] = line.split(' ');
    const turn = turns.get(turnId);
    if (kind === 'durable' && !turn) missing.push(turnId);
    if (kind !== 'shown') continue;
    const saved = turn?.kind === 'reply' && ` ${turn.text}`.includes(` ${index} `);
    if (saved) continue;
    behind = Math.max(behind, countBeats(child.lines, at) * HEARTBEAT_MS);
  }
  return { missing, behind };
}

/** Counts the heartbeats from a line on while nothing is being written: how long that takes is up to the disk. */
function countBeats(lines: readonly string[], from: number): number {
  let isWriting = false;
  let count = 0;
  for (const [at, line] of lines.entries()) {
    if (line === 'writing' || line === 'written') isWriting = line === 'writing';
    else if (line === 'beat' && !isWriting && at >= from) count++;
  }
  return count;
}
