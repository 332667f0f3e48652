import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { AgentError } from '../../shared/agents/agentRequests';
import { parseWindowFileName, type WindowFile, windowFileSchema } from '../../shared/agents/windowFile';

export interface OpenWindow extends WindowFile {
  readonly id: string;
}

/** Modes that let anyone but the owner in. */
const OTHERS = 0o077;

/** Reads how to reach the windows. Ignores files that others could have written or read. */
export async function readWindows(folder: string): Promise<OpenWindow[]> {
  const names = await readdir(folder).catch(() => []);
  const windows = await Promise.all(names.map((name) => readWindow(folder, name)));
  return windows.filter((window) => window !== undefined);
}

async function readWindow(folder: string, name: string): Promise<OpenWindow | undefined> {
  const id = parseWindowFileName(name);
  if (id === undefined) return undefined;
  try {
    const file = path.join(folder, name);
    if (!(await isPrivate(folder)) || !(await isPrivate(file))) return undefined;
    return { id, ...v.parse(windowFileSchema, JSON.parse(await readFile(file, 'utf8'))) };
  } catch {
    // The window closed just now.
    return undefined;
  }
}

async function isPrivate(file: string): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const { mode, uid } = await stat(file);
  return (mode & OTHERS) === 0 && uid === process.getuid?.();
}

/**
 * Sorts the windows by which of them answers: the one that started this server, then those whose workspace contains one of
 * the agent's folders, the innermost first, then the one that had the focus last.
 */
export async function sortWindows(
  windows: readonly OpenWindow[],
  folders: readonly string[],
  preferredId?: string,
): Promise<OpenWindow[]> {
  const places = await Promise.all(folders.map(resolve));
  const ranked = await Promise.all(
    windows.map(async (window) => {
      const roots = await Promise.all(window.folders.map(resolve));
      const depth = Math.max(
        0,
        ...roots.filter((root) => places.some((place) => contains(root, place))).map((root) => root.length),
      );
      return { window, depth };
    }),
  );
  return ranked
    .toSorted(
      (a, b) =>
        Number(b.window.id === preferredId) - Number(a.window.id === preferredId) ||
        b.depth - a.depth ||
        (b.window.focusedAt ?? 0) - (a.window.focusedAt ?? 0),
    )
    .map(({ window, depth }, index, all) => {
      const isAmbiguous =
        index === 0 &&
        all.length > 1 &&
        depth === 0 &&
        window.id !== preferredId &&
        window.focusedAt === undefined;
      if (!isAmbiguous) return window;
      const names = all.map((each) => `“${each.window.name}”`).join(', ');
      const message = `Several windows of VS Code are open (${names}), and none of them has this folder or had the focus. Ask the user to click into the one that should answer, then try again. Nothing was sent.`;
      throw new AgentError({ code: 'refused', message });
    });
}

function contains(root: string, place: string): boolean {
  const relative = path.relative(root, place);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}

function resolve(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}
