import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { createUploadNameByExtension } from '../../chat/documents/fileUploadName';
import { toTextUploadName, type UploadName } from '../../chat/documents/uploadName';
import { GitIgnoreRules } from '../../chat/files/gitIgnoreRules';
import type { UserFolders } from '../../chat/files/globalGitIgnore';
import { detectSecret } from '../../host/files/detectSecret';
import { type LocalFile, openLocalFile } from '../../host/platform/localFile';
import { AgentError } from '../../shared/agents/agentRequests';

/** An opened file, and why the user has to agree before it is uploaded. */
export interface InspectedFile extends UploadName {
  readonly opened: LocalFile;
  readonly concerns: readonly string[];
}

/** As in the panel (`host/files/candidate.ts`). */
const LARGE_BYTES = 10 * 1000 * 1000;
const CONVERTED_EXTENSIONS = /\.(txt|md|rtf|pdf|pptx?|pptm|docx?|docm)$/i;

/**
 * Opens a file for upload and inspects it as the panel does. `folder` counts as the workspace. Throws AgentError for a path
 * that isn't a file.
 */
export async function inspectLocalFile(folder: string, named: string): Promise<InspectedFile> {
  const file = path.resolve(folder, named);
  const opened = await openLocalFile(file).catch(() => {
    throw new AgentError({ code: 'refused', message: `There is no file that can be read at ${named}.` });
  });
  try {
    const { size } = opened.body;
    if (size === 0) throw new AgentError({ code: 'refused', message: `${named} is empty.` });
    const realFolder = await realpath(folder);
    const isInside = isBelow(realFolder, opened.realPath);
    const isLink = isInside && opened.realPath !== path.join(realFolder, path.relative(folder, file));
    const secret =
      detectSecret(toUriPath(file), opened.head) ?? detectSecret(toUriPath(opened.realPath), opened.head);
    const concerns = [
      !isInside && `it is outside the folder ${path.basename(realFolder)}`,
      isLink && 'it is reached through a link',
      secret && 'it looks like a secret',
      (await createGitIgnoreRules(folder).ignores(toUriPath(file))) && 'Git ignores it',
      size > LARGE_BYTES && `it is large: ${Math.round(size / 1_000_000)} MB`,
    ].filter((concern) => concern !== false && concern !== undefined);
    const isText = !opened.head.includes(0) && !CONVERTED_EXTENSIONS.test(file);
    const names = isText ? toTextUploadName(file) : createUploadNameByExtension(file, new Set());
    return { ...names, opened, concerns };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function isBelow(folder: string, file: string): boolean {
  const place = path.relative(folder, file);
  return place !== '' && !place.startsWith('..') && !path.isAbsolute(place);
}

/** Creates the rules of what Git ignores on this machine's disk. */
export function createGitIgnoreRules(folder: string, userFolders = findUserFolders()): GitIgnoreRules {
  return new GitIgnoreRules({
    getType: async (place) => {
      const stats = await stat(toNative(place)).catch(() => undefined);
      if (stats?.isDirectory()) return 'folder';
      return stats?.isFile() ? 'file' : undefined;
    },
    readText: async (place, maxBytes) => {
      const native = toNative(place);
      if ((await stat(native)).size > maxBytes) throw new Error(`${native} is too large.`);
      return readFile(native, 'utf8');
    },
    userFolders,
    isWorkspace: (place) => place === toUriPath(folder),
  });
}

function findUserFolders(): UserFolders {
  const home = homedir();
  const config = process.env.XDG_CONFIG_HOME || path.join(home, '.config');
  return { home: toUriPath(home), config: toUriPath(config) };
}

/** Returns an absolute path as a URI has it: `C:\me` as `/C:/me`. */
export function toUriPath(native: string): string {
  const slashed = native.replaceAll(path.sep, '/');
  return slashed.startsWith('/') ? slashed : `/${slashed}`;
}

function toNative(uriPath: string): string {
  return uriPath.replace(/^\/(?=[a-z]:)/i, '');
}
