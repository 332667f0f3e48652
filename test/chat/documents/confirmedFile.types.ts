import type { ConfirmedFile, FileToUpload } from '../../../src/chat/documents/fileToUpload';
import type { UploadQueue } from '../../../src/chat/documents/uploadQueue';
import type { Candidate } from '../../../src/host/files/candidate';
import { createConfirmedMarkdown } from '../../../src/host/files/confirmedMarkdown';
import { confirmUpdate, confirmUpload } from '../../../src/host/files/contentGate';

// Compiled with the lint, and never run: what nobody confirmed isn't uploaded.

export async function uploadConfirmed(uploads: UploadQueue, candidate: Candidate) {
  for (const { file } of await confirmUpload({ candidates: [candidate] })) uploads.add('c', file);
  const update = confirmUpdate(candidate);
  if (update) uploads.add('c', { ...update.file, replaces: 'd' });
  uploads.add('c', createConfirmedMarkdown('message.md', 'text'));
}

export async function uploadUnconfirmed(uploads: UploadQueue, candidate: Candidate, file: FileToUpload) {
  // @ts-expect-error
  uploads.add('c', file);
  // @ts-expect-error: inspected, but not confirmed.
  uploads.add('c', candidate.file);
  // @ts-expect-error: it may be refused.
  uploads.add('c', confirmUpdate(candidate)?.file);
  // @ts-expect-error: the user may have confirmed none.
  uploads.add('c', (await confirmUpload({ candidates: [candidate] }))[0]?.file);
  // @ts-expect-error: only the content gate and createConfirmedMarkdown make it.
  const forged: ConfirmedFile = { ...file };
  return forged;
}
