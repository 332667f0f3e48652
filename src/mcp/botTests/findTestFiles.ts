import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { BOT_TEST_EXTENSION, MAX_BOT_TEST_BYTES, MAX_BOT_TEST_FILES } from '../../chat/botTests/botTest';
import { matchesFolderOrFile, parseGitPattern } from '../../chat/files/gitPattern';

/** More files and folders than this aren't looked through. */
const MAX_ENTRIES = 200_000;
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * Finds files by paths and globs, relative to a folder and with `/`: a path names any file, a glob those with bot tests. Links
 * to folders aren't followed. Throws an Error with a sentence for the user.
 */
export async function findTestFiles(folder: string, globs: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  const patterns: string[] = [];
  for (const glob of globs) {
    const isFile = await stat(path.resolve(folder, glob)).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isFile) found.add(toSlashes(path.relative(folder, path.resolve(folder, glob))));
    else patterns.push(toSlashes(glob).replace(/^\.\//, ''));
  }
  if (patterns.length > 0) {
    // A `!` at the start would exclude.
    const parsed = patterns.flatMap(
      (pattern) => parseGitPattern(pattern.replace(/^[!#]/, '\\$&').toLowerCase()) ?? [],
    );
    for await (const file of walk(folder)) {
      const parts = file.split('/').map((name) => Array.from(name.toLowerCase()));
      if (parsed.some((pattern) => matchesFolderOrFile(pattern, parts))) found.add(file);
    }
  }
  if (found.size === 0)
    throw new Error(`There are no files with bot tests (*${BOT_TEST_EXTENSION}) at ${globs.join(', ')}.`);
  if (found.size > MAX_BOT_TEST_FILES) throw new Error(`There are more than ${MAX_BOT_TEST_FILES} files.`);
  return [...found].toSorted();
}

/** Reads a file of at most 256 KB, and of a larger one only as much as shows that it is too large. */
export async function readTestFile(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.alloc(MAX_BOT_TEST_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) break;
    }
    // A text with as many characters as it has bytes is refused as too large.
    return length > MAX_BOT_TEST_BYTES ? ' '.repeat(length) : bytes.toString('utf8', 0, length);
  } finally {
    await handle.close();
  }
}

async function* walk(folder: string): AsyncGenerator<string> {
  const waiting = [''];
  let entries = 0;
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    for (const entry of await readdir(path.join(folder, current), { withFileTypes: true }).catch(() => [])) {
      if (++entries > MAX_ENTRIES)
        throw new Error('There are too many files here. Name a folder in the glob, or start in it.');
      const name = current === '' ? entry.name : `${current}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) waiting.push(name);
      if (entry.isFile() && entry.name.endsWith(BOT_TEST_EXTENSION)) yield name;
    }
  }
}

function toSlashes(name: string): string {
  return name.replaceAll(path.sep, '/');
}
