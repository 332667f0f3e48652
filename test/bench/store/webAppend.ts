import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileParts } from '../../../src/chat/store/files/fileParts';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';

const APPEND_BYTES = 1000;
const APPEND_COUNT = 200;

/**
 * Returns how many bytes an append to a transcript of this length reads and writes where only whole files can be
 * written, as in the web worker's host: the mean of many. `peer`: if the transcript were one file.
 */
export async function measureWebAppend(
  folder: string,
  bytes: number,
): Promise<{ readonly ours: number; readonly peer: number; readonly limit: number }> {
  const storage = new NodeStorage(folder);
  let transferred = 0;
  const parts = new FileParts({
    statFile: (name) => storage.statFile(name),
    async readFile(name) {
      const content = await storage.readFile(name);
      transferred += content?.length ?? 0;
      return content;
    },
    async writeFile(name, content, overwrite) {
      transferred += content.length;
      if (!overwrite) return storage.createFile(name, content);
      await storage.replaceFile(name, content);
      return true;
    },
    renameFile: (from, to) => storage.renameFile(from, to),
    removeFile: (name) => storage.removeFile(name),
    runExclusively: (_name, work) => work(),
  });
  await writeFile(path.join(folder, 'web.jsonl'), 'x'.repeat(bytes));
  const line = new TextEncoder().encode('y'.repeat(APPEND_BYTES));
  for (let count = 0; count < APPEND_COUNT; count++) {
    await parts.appendFile('web.jsonl', line, true);
  }
  return { ours: transferred / APPEND_COUNT, peer: 2 * bytes, limit: APPEND_BYTES };
}
