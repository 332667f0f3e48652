import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { chmod, mkdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { UploadQueue } from '../../../src/chat/documents/uploadQueue';
import { isReplaced } from '../../../src/chat/model/conversation';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { ChangedFiles } from '../../../src/host/documents/changedFiles';
import { DocumentFiles } from '../../../src/host/documents/documentFiles';
import { inspectBytes, inspectFile } from '../../../src/host/files/candidate';
import { GitIgnore } from '../../../src/host/files/gitIgnore';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { confirmed } from '../../chat/support/confirmed';
import { UnwatchedStorage } from '../../chat/support/unwatchedStorage';
import { RecordedWindow } from '../support/recordedWindow';
import { ReportedFiles } from '../support/reportedFiles';
import { SilentFileSystem } from '../support/silentFileSystem';
import { until } from '../support/until';

/** How often a change is repeated until the watcher reports it. */
const REWRITE_MS = 200;
const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

describe('A document’s file', () => {
  const reported = new ReportedFiles();
  let count = 0;
  let fixture: ChatFixture;
  let folder: string;
  /** Ignores the errors that are logged when a file is read while it is being written. */
  const log = { error: () => undefined } as unknown as vscode.LogOutputChannel;
  let files: DocumentFiles;
  let changed: ChangedFiles;
  let id: string;
  let turnId: string;
  /**
   * A document in another conversation: an event for its file comes after those for earlier changes to other
   * files.
   */
  let marker: { readonly conversationId: string; readonly turnId: string };

  const file = (name = 'a.txt') => path.join(folder, name);
  const turns = () =>
    fixture.chat
      .findConversation(id)
      ?.turns.filter((turn): turn is DocumentTurn => turn.kind === 'document') ?? [];
  const turn = (which = turnId) => turns().find(({ id }) => id === which);
  const stored = () => {
    const document = [...fixture.service.documents.values()].at(-1);
    return document && fixture.service.objects.get(document.key)?.toString();
  };
  const uploadUri = async (uri: vscode.Uri, conversationId = id) => {
    const { file: candidate } = await inspectFile(uri, new GitIgnore());
    const added = fixture.uploads.add(conversationId, confirmed(candidate));
    await added.finished;
    return added.turnId;
  };
  const upload = (name: string, conversationId?: string) =>
    uploadUri(vscode.Uri.file(file(name)), conversationId);
  /** Creates the uploads of another window. */
  const createUploads = () => new UploadQueue(fixture.chat, fixture.remote, fixture.folders, fixture.connect);
  /** Shows conversations, and waits until their files are watched. */
  const show = async (...ids: string[]) => {
    changed.show(new Set([...ids, marker.conversationId]));
    await untilChecked();
  };
  /**
   * Waits until all earlier changes have been reported and checked: changes the marker file and back until
   * that is seen. Events come in the order of the changes. A change that a starting watcher has missed is
   * repeated.
   */
  const untilChecked = async () => {
    for (const [text, state] of [
      ['changed', 'changed'],
      ['marker', undefined],
    ] as const) {
      let written = 0;
      await until(() => {
        const { chat } = fixture;
        const found = chat
          .findConversation(marker.conversationId)
          ?.turns.find(({ id }) => id === marker.turnId);
        if (found?.kind === 'document' && found.file === state) return true;
        if (performance.now() - written > REWRITE_MS) {
          written = performance.now();
          writeFileSync(file('marker.txt'), text);
        }
        return false;
      });
    }
  };

  beforeEach(async () => {
    fixture = await startChat();
    folder = path.join(workspace, `documents-${++count}`);
    await reported.create(folder, mkdir);
    writeFileSync(file(), 'before');
    id = fixture.newConversation().id;
    turnId = await upload('a.txt');
    writeFileSync(file('marker.txt'), 'marker');
    const { id: conversationId } = fixture.newConversation();
    marker = { conversationId, turnId: await upload('marker.txt', conversationId) };
    files = new DocumentFiles(fixture.chat, fixture.uploads);
    changed = new ChangedFiles(fixture.chat, async () => files, log);
  });
  after(() => reported.dispose());
  afterEach(async () => {
    changed.dispose();
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is marked as changed if it was saved before VS Code’s watcher had started', async () => {
    // Stands for a watcher that has not started. Restarting VS Code's own can end it for good: its start fails
    // if a folder is removed meanwhile.
    const unwatched = new SilentFileSystem();
    const registration = vscode.workspace.registerFileSystemProvider('parley-unwatched', unwatched);
    try {
      const uri = vscode.Uri.from({ scheme: 'parley-unwatched', path: '/b.txt' });
      unwatched.writeFile(uri, Buffer.from('before'));
      const uploaded = await uploadUri(uri);
      // It is saved just after the first check.
      unwatched.stat = () => {
        Reflect.deleteProperty(unwatched, 'stat');
        unwatched.writeFile(uri, Buffer.from('after!'));
        throw vscode.FileSystemError.FileNotFound(uri);
      };
      changed.show(new Set([id]));
      await until(() => turn(uploaded)?.file === 'changed');
      const states = fixture.events.flatMap((event) =>
        event.type === 'turn' && event.turn.kind === 'document' && event.turn.id === uploaded
          ? [event.turn.file]
          : [],
      );
      assert.deepEqual(states.slice(-2), ['gone', 'changed']);
    } finally {
      registration.dispose();
    }
  });

  it('is marked as changed when its content has changed, not when it was only touched', async () => {
    await show(id);
    await utimes(file(), new Date(), new Date());
    writeFileSync(file(), 'before');
    await untilChecked();
    assert.equal(turn()?.file, undefined);
    // The same length: only the hash differs.
    writeFileSync(file(), 'after!');
    await until(() => turn()?.file === 'changed');
    writeFileSync(file(), 'before');
    await until(() => turn()?.file === undefined);
    await rm(file());
    await until(() => turn()?.file === 'gone');
    writeFileSync(file(), 'longer than before');
    await until(() => turn()?.file === 'changed');
  });

  it('is checked only while its conversation is shown', async () => {
    await show();
    writeFileSync(file(), 'longer than before');
    await untilChecked();
    assert.equal(turn()?.file, undefined);
    await show(id);
    await until(() => turn()?.file === 'changed');
    await show();
    await rm(file());
    await untilChecked();
    assert.equal(turn()?.file, 'changed');
  });

  it('marks only its newest document, even if its name has glob characters', async () => {
    writeFileSync(file('[b] {c}.txt'), 'one');
    const first = await upload('[b] {c}.txt');
    const second = await upload('[b] {c}.txt');
    await show(id);
    writeFileSync(file('[b] {c}.txt'), 'two');
    await until(() => turn(second)?.file === 'changed');
    assert.equal(turn(first)?.file, undefined);
  });

  it('is uploaded again by Update, and replaces the old document', async () => {
    await show(id);
    writeFileSync(file(), 'after');
    await until(() => turn()?.file === 'changed');
    await files.updateDocument(id, turnId);
    assert.equal(stored(), 'after');
    const newest = turns().at(-1);
    assert.deepEqual([newest?.state, newest?.replaces], ['attached', turnId]);
    assert.equal(isReplaced({ turns: turns() }, turnId), true);
    await untilChecked();
    writeFileSync(file(), 'again');
    await until(() => turns().at(-1)?.file === 'changed');
  });

  it('is uploaded on every save while Update on Save is on', async () => {
    files.setUpdateOnSave(id, turnId, true);
    await show(id);
    for (const text of ['first save', 'second save, longer']) {
      writeFileSync(file(), text);
      await until(() => stored() === text && turns().at(-1)?.updateOnSave === true);
    }
    const newest = turns().at(-1)?.id ?? '';
    files.setUpdateOnSave(id, newest, false);
    writeFileSync(file(), 'third');
    await until(() => turn(newest)?.file === 'changed');
    await untilChecked();
    assert.equal(stored(), 'second save, longer');
  });

  it('is not uploaded if Update on Save is turned off while its file is read', async () => {
    files.setUpdateOnSave(id, turnId, true);
    writeFileSync(file(), 'longer than before');
    changed.show(new Set([id]));
    // The check has begun, and no file is read before the next task.
    await Promise.resolve();
    await Promise.resolve();
    files.setUpdateOnSave(id, turnId, false);
    await until(() => turn()?.file === 'changed');
    writeFileSync(file(), 'before');
    // The next check comes after an update.
    await until(() => turn()?.file === undefined || turns().at(-1)?.id !== turnId);
    assert.equal(turns().at(-1)?.id, turnId);
  });

  it('is uploaded once on a save that two windows see', async () => {
    await fixture.chat.whenSaved(id);
    const other = await fixture.otherWindow({ createStorage: (at) => new UnwatchedStorage(at) });
    await other.chat.openConversation(id);
    const before = fixture.service.documents.size;
    writeFileSync(file(), 'first save');
    const elsewhere = new DocumentFiles(other.chat, other.uploads);
    await Promise.all([files.updateSilently(id, turnId), elsewhere.updateSilently(id, turnId)]);
    assert.equal(fixture.service.documents.size, before + 1);
    await other.close();
  });

  it('is uploaded once on a save although it had been added twice', async () => {
    files.setUpdateOnSave(id, turnId, true);
    const again = await upload('a.txt');
    files.setUpdateOnSave(id, again, true);
    await show(id);
    const before = fixture.service.documents.size;
    writeFileSync(file(), 'first save');
    await until(() => stored() === 'first save' && turns().at(-1)?.updateOnSave === true);
    await untilChecked();
    assert.equal(fixture.service.documents.size, before + 1);
  });

  it('is not updated on save any more if that was turned off during an update', async () => {
    files.setUpdateOnSave(id, turnId, true);
    writeFileSync(file(), 'first save');
    const updating = files.updateSilently(id, turnId);
    files.setUpdateOnSave(id, turnId, false);
    await updating;
    assert.deepEqual([stored(), turns().at(-1)?.updateOnSave], ['first save', undefined]);
  });

  it('stays updated on save if the list has the update whose response was lost', async () => {
    files.setUpdateOnSave(id, turnId, true);
    fixture.service.inject({ name: 'answer-lost', on: 'POST /documents/file' });
    writeFileSync(file(), 'first save');
    await files.updateSilently(id, turnId);
    assert.equal(turns().at(-1)?.state, 'failed');
    fixture.documentStatus.setVisible(new Set([id]));
    await until(() => turns().at(-1)?.state === 'attached');
    assert.deepEqual([turns().length, turns().at(-1)?.updateOnSave], [2, true]);
  });

  it('stays updated on save if the update was refused, and is repeated', async () => {
    files.setUpdateOnSave(id, turnId, true);
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 422, times: 1 });
    writeFileSync(file(), 'first save');
    await files.updateSilently(id, turnId);
    const { id: refused, state } = turns().at(-1) ?? assert.fail();
    assert.equal(state, 'failed');
    await fixture.uploads.retry(refused, async () => false);
    await until(() => turns().at(-1)?.state === 'attached');
    assert.equal(turns().at(-1)?.updateOnSave, true);
  });

  it('is not uploaded on a save that adds a secret', async () => {
    files.setUpdateOnSave(id, turnId, true);
    await show(id);
    writeFileSync(file(), '-----BEGIN PRIVATE KEY-----\n');
    await until(() => turn()?.file === 'changed');
    await untilChecked();
    assert.equal(fixture.service.documents.size, 2);
  });

  it('is not uploaded again after a failure until the next save', async () => {
    files.setUpdateOnSave(id, turnId, true);
    await show(id);
    const signRequests = () =>
      fixture.service.requests.filter((request) => request.path.endsWith('/signed-url'));
    const before = signRequests().length;
    fixture.service.inject({ name: 'status', on: 'POST /uploads/signed-url', status: 500, times: 1 });
    writeFileSync(file(), 'first save');
    await until(() => turns().at(-1)?.state === 'failed');
    // Causes another event without another save.
    await chmod(file(), 0o600);
    await untilChecked();
    assert.equal(signRequests().length, before + 1);
    writeFileSync(file(), 'second save');
    await until(() => stored() === 'second save');
    // The failed attempt was removed.
    await until(() => turns().length === 2 && turns().at(-1)?.updateOnSave === true);
  });

  for (const update of ['updateDocument', 'updateSilently'] as const) {
    it(`is not uploaded again if the service has the update whose response was lost (${update})`, async () => {
      files.setUpdateOnSave(id, turnId, true);
      fixture.service.inject({ name: 'answer-lost', on: 'POST /documents/file' });
      writeFileSync(file(), 'after');
      await files[update](id, turnId);
      assert.equal(turns().at(-1)?.state, 'failed');
      const documents = fixture.service.documents.size;
      await files[update](id, turnId);
      const { state, replaces, updateOnSave } = turns().at(-1) ?? assert.fail();
      assert.deepEqual([state, replaces, updateOnSave], ['attached', turnId, true]);
      assert.deepEqual([fixture.service.documents.size, stored()], [documents, 'after']);
    });
  }

  it('is uploaded again only after a question if the service may have an update that it doesn’t list', async () => {
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 500 });
    writeFileSync(file(), 'after');
    await files.updateSilently(id, turnId);
    const lost = turns().at(-1)?.id ?? assert.fail();
    const documents = fixture.service.documents.size;
    let answer: string | undefined;
    const recorded = new RecordedWindow(() => answer);
    try {
      await files.updateSilently(id, turnId);
      assert.deepEqual(recorded.texts, []);
      await files.updateDocument(id, turnId);
      assert.equal(recorded.texts[0], 'Add “a.txt” again?');
      assert.deepEqual([turn(lost)?.state, fixture.service.documents.size], ['failed', documents]);
      answer = 'Add Again';
      await files.updateDocument(id, turnId);
    } finally {
      recorded.dispose();
    }
    assert.deepEqual([turn(lost), stored(), turns().length], [undefined, 'after', 2]);
  });

  it('is not uploaded by a window that missed that another window’s update may be on the service', async () => {
    await fixture.chat.whenSaved(id);
    const other = await fixture.otherWindow({ createStorage: (at) => new UnwatchedStorage(at) });
    await other.chat.openConversation(id);
    fixture.service.inject({ name: 'answer-lost', on: 'POST /documents/file' });
    writeFileSync(file(), 'after');
    await files.updateSilently(id, turnId);
    await fixture.chat.whenSaved(id);
    const documents = fixture.service.documents.size;
    await new DocumentFiles(other.chat, other.uploads).updateSilently(id, turnId);
    assert.equal(fixture.service.documents.size, documents);
    await other.close();
  });

  it('opens in an editor; an unknown turn opens nothing', async () => {
    await files.openDocument(id, 'none');
    await files.openDocument('none', turnId);
    const openFile = () => vscode.window.activeTextEditor?.document.uri.fsPath;
    assert.equal(openFile(), undefined);
    await files.openDocument(id, turnId);
    assert.equal(openFile(), file());
  });

  it('is uploaded again by Retry if the upload failed in a window that was closed', async () => {
    fixture.service.inject({ name: 'status', on: 'POST /uploads/signed-url', status: 500, times: 1 });
    writeFileSync(file('b.txt'), 'second');
    const failed = await upload('b.txt');
    assert.equal(turn(failed)?.state, 'failed');
    assert.equal(await files.retryOrphaned(id, failed), false);
    const afterRestart = new DocumentFiles(fixture.chat, createUploads());
    assert.equal(await afterRestart.retryOrphaned(id, failed), true);
    assert.equal(stored(), 'second');
    assert.deepEqual(
      turns().map(({ name, state }) => [name, state]),
      [
        ['a.txt', 'attached'],
        ['b.txt', 'attached'],
      ],
    );
    assert.equal(await afterRestart.retryOrphaned(id, turnId), false);
  });

  it('is not uploaded again by Retry in another window that missed that it was repeated', async () => {
    fixture.service.inject({ name: 'status', on: 'POST /uploads/signed-url', status: 500, times: 1 });
    const failed = await upload('a.txt');
    await fixture.chat.whenSaved(id);
    const other = await fixture.otherWindow({ createStorage: (at) => new UnwatchedStorage(at) });
    await other.chat.openConversation(id);
    await fixture.uploads.retry(failed, () => assert.fail('It asked.'));
    await fixture.chat.whenSaved(id);
    const documents = fixture.service.documents.size;
    assert.equal(await new DocumentFiles(other.chat, other.uploads).retryOrphaned(id, failed), false);
    assert.equal(fixture.service.documents.size, documents);
    await other.close();
  });

  it('is not uploaded again by Retry in another window when the list has it while the user is asked', async () => {
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 500 });
    const lost = await upload('a.txt');
    const recorded = new RecordedWindow(() => {
      const found = turn(lost) ?? assert.fail();
      fixture.chat.writer.putDocument(id, { ...found, state: 'attached', documentId: 'd1' });
      return 'Add Again';
    });
    const documents = fixture.service.documents.size;
    try {
      const uploads = createUploads();
      assert.equal(await new DocumentFiles(fixture.chat, uploads).retryOrphaned(id, lost), true);
    } finally {
      recorded.dispose();
    }
    assert.deepEqual([turns().length, fixture.service.documents.size], [2, documents]);
  });

  it('is kept for Upload Again if it was pasted; in another window the user is asked to add it again', async () => {
    const { file: pasted } = inspectBytes('pasted.txt', new TextEncoder().encode('pasted'));
    const added = fixture.uploads.add(id, confirmed(pasted));
    await added.finished;
    const documents = fixture.service.documents.size;
    await files.updateDocument(id, added.turnId);
    assert.equal(fixture.service.documents.size, documents);
    fixture.chat.writer.putDocument(id, { ...(turn(added.turnId) ?? assert.fail()), status: 'sync_failed' });
    await files.updateDocument(id, added.turnId);
    const again = turns().find(({ replaces }) => replaces === added.turnId) ?? assert.fail();
    assert.deepEqual([again.state, stored()], ['attached', 'pasted']);
    fixture.chat.writer.putDocument(id, { ...again, status: 'sync_failed' });
    const recorded = new RecordedWindow();
    try {
      const uploads = createUploads();
      await new DocumentFiles(fixture.chat, uploads).updateDocument(id, again.id);
      uploads.dispose();
      assert.deepEqual(recorded.texts, ['pasted.txt is no longer available. Add it again.']);
    } finally {
      recorded.dispose();
    }
  });

  it('can be removed only if its document was never attached', async () => {
    files.removeDocument(id, turnId);
    assert.ok(turn());
    fixture.service.inject({ name: 'status', on: 'POST /uploads/signed-url', status: 500 });
    const failed = await upload('a.txt');
    files.removeDocument(id, failed);
    assert.equal(turn(failed), undefined);
  });
});
