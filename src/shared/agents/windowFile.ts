import * as v from 'valibot';

/** The file in which a window tells MCP servers how to reach it. Only this user can read it. */
export const windowFileSchema = v.object({
  /** Path of a Unix socket, or name of a Windows pipe. */
  address: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1000)),
  token: v.pipe(v.string(), v.minLength(32), v.maxLength(200)),
  /** What the window shows in its title. */
  name: v.string(),
  /** Paths of the workspace's folders. */
  folders: v.array(v.string()),
  /** ms since the epoch; missing if the window hasn't had the focus yet. */
  focusedAt: v.exactOptional(v.number()),
});

export type WindowFile = v.InferOutput<typeof windowFileSchema>;

const NAME = /^window-([\w-]{1,100})\.json$/;

export function getWindowFileName(id: string): string {
  return `window-${id}.json`;
}

/** Returns the ID of the window, or undefined if it isn't the name of such a file. */
export function parseWindowFileName(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/** The folder with the windows' files, in that of Parley's files for agents. */
export const WINDOWS_FOLDER = 'windows';
