import assert from 'node:assert/strict';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { RefusingStorage } from '../support/refusingStorage';
import { acquire } from '../support/writing';

/** A disk that takes transcripts but no leases. */
class StorageWithoutLeases extends NodeStorage {
  override async createFile(name: string, bytes: Uint8Array): Promise<boolean> {
    if (name.endsWith('.lease')) throw new Error('No leases');
    return super.createFile(name, bytes);
  }
}

/** A disk that removes no leases. */
class StorageThatKeepsLeases extends NodeStorage {
  override async removeFile(name: string): Promise<boolean> {
    if (name.endsWith('.lease')) throw new Error('Kept');
    return super.removeFile(name);
  }
}

describe('WritePermissions', () => {
  let fixture: ChatFixture;

  afterEach(() => fixture.close());

  it('are leases, which keep other windows out until they are released', async () => {
    fixture = await startChat();
    const { chat, newConversation } = fixture;
    const { id } = newConversation();
    const other = await fixture.otherWindow();
    try {
      const permission = await chat.acquirePermission(id);
      assert.equal(permission?.kind, 'leased');
      assert.equal(await other.chat.acquirePermission(id), undefined);
      await permission?.release();
      const next = await other.chat.acquirePermission(id);
      assert.equal(next?.kind, 'leased');
      await next?.release();
    } finally {
      await other.close();
    }
  });

  it('keep other windows out although a disk refuses to read whose they are again', async () => {
    fixture = await startChat();
    const { id } = fixture.newConversation();
    const permission = await acquire(fixture.chat, id);
    const storage = new RefusingStorage(fixture.folder);
    const other = await fixture.otherWindow({ createStorage: () => storage });
    let reads = 0;
    storage.refuses = (step, name) => step === 'read' && name === `${id}.lease` && ++reads > 1;
    assert.equal(await other.chat.acquirePermission(id), undefined);
    assert.equal(other.takeErrors().length, 1);
    await permission.release();
    await other.close();
  });

  it('are released even if their file can’t be removed, which is reported', async () => {
    fixture = await startChat({}, (folder) => new StorageThatKeepsLeases(folder));
    const { replies, newConversation, ended, takeErrors } = fixture;
    const { id } = newConversation();
    assert.equal(await replies.send(id, 'Hello'), 'sent');
    assert.equal((await ended(id)).ending, 'complete');
    await replies.whenDone(id);
    // The one for the reply, and the one for the conversation's creation on the service.
    assert.deepEqual(takeErrors().map(String), ['Error: Kept', 'Error: Kept']);
  });

  it('are unprotected when the disk refuses leases, and messages are sent all the same', async () => {
    fixture = await startChat({}, (folder) => new StorageWithoutLeases(folder));
    const { chat, replies, newConversation, ended, takeErrors } = fixture;
    const { id } = newConversation();
    const permission = await chat.acquirePermission(id);
    assert.equal(permission?.kind, 'unprotected');
    await permission?.release();
    assert.equal(await replies.send(id, 'Hello'), 'sent');
    assert.equal((await ended(id)).ending, 'complete');
    assert.deepEqual(takeErrors().map(String), Array(3).fill('Error: No leases'));
  });

  const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: '', at: 1 } as const;

  it('write nothing once they are released', async () => {
    fixture = await startChat();
    const { chat, newConversation } = fixture;
    const { id } = newConversation();
    const permission = await acquire(chat, id);
    chat.writer.putTurn(permission, reply);
    await permission.release();
    chat.writer.appendText(permission, 'r', 'late');
    chat.writer.putTurn(permission, { kind: 'message', id: 'n', text: 'Late', at: 2 });
    chat.writer.removeTurn(permission, 'r');
    chat.writer.endReply(permission, { ...reply, ending: 'complete' });
    assert.deepEqual(chat.findConversation(id)?.turns, [reply]);
  });

  it('end an open reply, and write nothing else, once they are lost to another window', async () => {
    fixture = await startChat();
    const { chat, newConversation } = fixture;
    const { id } = newConversation();
    const permission = await acquire(chat, id);
    chat.writer.putTurn(permission, reply);
    chat.writer.appendText(permission, 'r', 'in time');
    const other = await fixture.otherWindow();
    try {
      const taken = (await other.chat.acquirePermission(id, { force: true })) ?? assert.fail();
      await permission.check();
      assert.equal(permission.lost.aborted, true);
      chat.writer.appendText(permission, 'r', ', late');
      chat.writer.putTurn(permission, { kind: 'message', id: 'n', text: 'Late', at: 2 });
      chat.writer.removeTurn(permission, 'r');
      assert.deepEqual(chat.findConversation(id)?.turns, [{ ...reply, text: 'in time' }]);
      const ended = { ...reply, text: 'in time', ending: 'interrupted' } as const;
      chat.writer.endReply(permission, ended);
      assert.deepEqual(chat.findConversation(id)?.turns, [ended]);
      await Promise.all([permission.release(), taken.release()]);
    } finally {
      await other.close();
    }
  });
});
