import { allTurns, type StoreFolder } from './folders';
import type { WindowProcesses } from './processes';

/** Kills a window at a random moment of a streaming reply: what is missing on the disk, and how old it was on the screen. */
export async function killed(
  processes: WindowProcesses,
  folder: StoreFolder,
  id: string,
): Promise<{ readonly missing: readonly string[]; readonly behind: number }> {
  const child = processes.start(folder.path, 'stream', id);
  await child.said('shown r0 0');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 1500));
  const at = performance.now();
  child.process.kill('SIGKILL');
  await child.ended;
  const { store } = folder.window();
  const turns = new Map((await allTurns(store, id)).map((turn) => [turn.id, turn]));
  await store.dispose();
  const missing: string[] = [];
  let behind = 0;
  for (const line of child.lines) {
    const [kind, turnId = '', index = ''] = line.text.split(' ');
    const turn = turns.get(turnId);
    if (kind === 'durable' && !turn) missing.push(turnId);
    if (kind !== 'shown') continue;
    const saved = turn?.kind === 'reply' && ` ${turn.text}`.includes(` ${index} `);
    if (!saved) behind = Math.max(behind, at - line.at);
  }
  return { missing, behind };
}
