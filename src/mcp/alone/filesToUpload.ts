import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import ignore from 'ignore';
import { createUploadNameByExtension } from '../../chat/documents/fileUploadName';
import { toTextUploadName, type UploadName } from '../../chat/documents/uploadName';
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
export async function inspectFile(folder: string, named: string): Promise<InspectedFile> {
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
    const slashed = (each: string) => each.replaceAll(path.sep, '/');
    const secret =
      detectSecret(slashed(file), opened.head) ?? detectSecret(slashed(opened.realPath), opened.head);
    const concerns = [
      !isInside && `it is outside the folder ${path.basename(realFolder)}`,
      isLink && 'it is reached through a link',
      secret && 'it looks like a secret',
      (await isIgnored(file)) && 'Git ignores it',
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

/** Returns whether a `.gitignore` between the root of its repository and the file, or `info/exclude`, names it. */
async function isIgnored(file: string): Promise<boolean> {
  const folders: string[] = [];
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    folders.push(folder);
    if ((await exists(path.join(folder, '.git'))) || folder === path.dirname(folder)) break;
  }
  const root = folders.at(-1) ?? '';
  const inRepository = await exists(path.join(root, '.git'));
  const sources = inRepository ? folders : folders.slice(0, 1);
  for (const folder of sources) {
    const patterns = await readText(path.join(folder, '.gitignore'));
    const excluded = folder === root ? await readText(path.join(root, '.git', 'info', 'exclude')) : '';
    const place = path.relative(folder, file).replaceAll(path.sep, '/');
    if (ignore().add(excluded).add(patterns).ignores(place)) return true;
  }
  return false;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
