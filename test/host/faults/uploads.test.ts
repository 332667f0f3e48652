import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import * as vscode from 'vscode';
import { collectCandidates } from '../../../src/host/documents/uploadActions';
import { inspectFile } from '../../../src/host/files/candidate';
import { GitIgnore } from '../../../src/host/files/gitIgnore';
import type { DocumentTurn } from '../../../src/shared/view/viewModel';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { confirmed } from '../../chat/support/confirmed';
import { getShownDocument } from '../support/shown';

const CHANGED = 'The file was changed, moved, or deleted.';
const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

describe('A faulty upload', () => {
  let fixture: ChatFixture;
  let folder: string;
  beforeEach(async () => {
    fixture = await startChat();
    folder = await mkdtemp(path.join(workspace, 'faults-'));
  });
  afterEach(async () => {
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  });

  const file = (name = 'a.txt') => path.join(folder, name);
  const count = (method: string) =>
    fixture.service.requests.filter((request) => request.method === method).length;
  const stored = () => [...fixture.service.objects.values()].at(-1);

  /** Inspects the file and uploads it; `meanwhile` runs between the two. */
  async function upload(meanwhile: () => Promise<void> = async () => undefined) {
    const { file: candidate } = await inspectFile(vscode.Uri.file(file()), new GitIgnore());
    await meanwhile();
    const { id } = fixture.newConversation();
    const { turnId, finished } = fixture.uploads.add(id, confirmed(candidate));
    return { turnId, finished, document: () => getShownDocument(fixture, id) };
  }

  function assertFailed({ state, problem }: DocumentTurn, sentence: string): void {
    assert.equal(state, 'failed');
    assert.equal(problem?.text, sentence);
    assert.equal(problem?.actions[0], 'retry');
    assert.equal(fixture.service.documents.size, 0);
  }

  it('requests one new URL if the signed one has expired, and no second one [fault 41]', async () => {
    const bytes = randomBytes(1000);
    await writeFile(file(), bytes);
    fixture.service.inject({ name: 'url-expired', on: 'POST /uploads/signed-url' });
    const once = await upload();
    await once.finished;
    assert.equal(once.document().state, 'attached');
    assert.deepEqual(stored(), bytes);

    const before = count('PUT');
    fixture.service.inject({ name: 'url-expired', on: 'POST /uploads/signed-url', times: 2 });
    const twice = await upload();
    await twice.finished;
    assert.equal(twice.document().state, 'failed');
    assert.equal(count('PUT') - before, 2);
  });

  it('shows that the storage refused it halfway, and Retry sends the whole file [fault 42]', async () => {
    const bytes = randomBytes(400_000);
    await writeFile(file(), bytes);
    fixture.service.inject({ name: 'put-forbidden-halfway', times: 2 });
    const { turnId, finished, document } = await upload();
    await finished;
    assertFailed(document(), 'The storage server rejected the file.');
    assert.deepEqual(document().problem?.actions, ['retry']);
    assert.match(document().problem?.detail ?? '', /Request has expired/);
    await fixture.uploads.retry(turnId, async () => true);
    assert.deepEqual([document().state, document().problem], ['attached', undefined]);
    assert.deepEqual(stored(), bytes);
  });

  it('restarts from the beginning if the storage is busy or closes the connection [fault 43]', async () => {
    for (const name of ['put-503', 'put-reset'] as const) {
      const bytes = randomBytes(400_000);
      await writeFile(file(), bytes);
      const before = count('PUT');
      fixture.service.inject({ name });
      const { finished, document } = await upload();
      await finished;
      assert.equal(document().state, 'attached', name);
      assert.equal(count('PUT') - before, 2);
      assert.deepEqual(stored(), bytes);
    }
  });

  it('sends nothing if the file grew, shrank or was deleted after it was chosen [fault 44]', async () => {
    for (const change of [() => appendFile(file(), 'more'), () => truncate(file(), 1), () => rm(file())]) {
      await writeFile(file(), 'Moss has no roots.');
      const { finished, document } = await upload(change);
      await finished;
      assertFailed(document(), CHANGED);
    }
    assert.equal(count('PUT'), 0);
  });

  it('creates no document if the file shrinks while it is sent, and Retry sends the current file [fault 44]', async () => {
    await writeFile(file(), randomBytes(12_000_000));
    fixture.service.inject({ name: 'slow', on: 'PUT object', bytesPerSecond: 2_000_000 });
    const { turnId, finished, document } = await upload();
    const put = await fixture.service.waitForRequest(({ method }) => method === 'PUT');
    await truncate(file(), 1000);
    await finished;
    assertFailed(document(), CHANGED);
    await fixture.service.waitForRequest((request) => request === put && request.closed);
    await fixture.uploads.retry(turnId, async () => true);
    assert.deepEqual([document().state, document().size, stored()?.length], ['attached', 1000, 1000]);
  });

  it('is refused for an empty file or no regular file, and needs confirmation for a large one [fault 45]', async () => {
    await writeFile(file('empty.txt'), '');
    await mkdir(file('folder'));
    const socket = createServer().listen(file('socket'));
    await writeFile(file('huge.pdf'), '');
    await truncate(file('huge.pdf'), 101 * 1024 * 1024);
    const errors: string[] = [];
    const { showErrorMessage } = vscode.window;
    vscode.window.showErrorMessage = (async (text: string) =>
      void errors.push(text)) as typeof showErrorMessage;
    try {
      const names = ['empty.txt', 'folder', 'socket', 'gone.txt', 'huge.pdf'];
      const { candidates } = await collectCandidates(names.map((name) => vscode.Uri.file(file(name))));
      assert.deepEqual(
        candidates.map(({ file: { name }, concerns }) => [name, concerns]),
        [['huge.pdf', ['tooLarge']]],
      );
      await candidates[0]?.file.opened.close();
    } finally {
      vscode.window.showErrorMessage = showErrorMessage;
      await new Promise((resolve) => socket.close(resolve));
    }
    assert.match(errors.join('\n'), /^Couldn’t upload empty\.txt: it is empty\.$/m);
    assert.match(errors.join('\n'), /^Couldn’t upload folder: it has no files that can be uploaded\.$/m);
    assert.match(errors.join('\n'), /^Couldn’t upload socket: it is not a regular file\.$/m);
    assert.match(errors.join('\n'), /^Couldn’t upload gone\.txt: /m);
    assert.equal(fixture.service.requests.length, 0);
  });
});
