import assert from 'node:assert/strict';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { HeldStorage } from '../support/heldStorage';
import { UnwatchedStorage } from '../support/unwatchedStorage';
import { acquire } from '../support/writing';

describe('A conversation that is being opened', () => {
  let fixture: ChatFixture;
  let id: string;
  const chip = (name: string) => ({ id: name, kind: 'selection', name, text: name }) as const;

  beforeEach(async () => {
    fixture = await startChat();
    const { chat, replies } = fixture;
    ({ id } = fixture.newConversation());
    await replies.send(id, 'Hello');
    await replies.whenDone(id);
    chat.composers.addContext(id, [chip('stored')]);
    chat.composers.setQueuedEdit(id, { messageId: 'q', text: 'Typed' });
    await chat.whenSaved(id);
  });
  afterEach(() => fixture.close());

  it('keeps its chips and the text typed in its queue if a second caller adds a chip', async () => {
    const disk = new HeldStorage(fixture.folder, `${id}.composing.draft`);
    const other = await fixture.otherWindow({ createStorage: () => disk });
    const opened = other.chat.openConversation(id);
    await disk.isReading;
    const added = other.chat
      .openConversation(id)
      .then(() => other.chat.composers.addContext(id, [chip('added')]));
    disk.release();
    await Promise.all([opened, added]);
    await other.close();
    const { context, queuedEdit } = await fixture.store.composers.get(id);
    assert.deepEqual([context, queuedEdit?.text], [[chip('stored'), chip('added')], 'Typed']);
  });

  it('gets its chips although the disk fails when it is checked which window writes it', async () => {
    const permission = await acquire(fixture.chat, id);
    let reads = 0;
    class FailingStorage extends UnwatchedStorage {
      override async readFile(...[name, ...range]: Parameters<UnwatchedStorage['readFile']>) {
        if (name === `${id}.lease` && ++reads === 2) throw new Error('The disk failed');
        return super.readFile(name, ...range);
      }
    }
    const other = await fixture.otherWindow({
      owner: 'other',
      createStorage: (folder) => new FailingStorage(folder),
    });
    const { heldByOtherWindow, composing } = (await other.chat.openConversation(id)) ?? assert.fail();
    assert.deepEqual([heldByOtherWindow, composing?.context], [true, [chip('stored')]]);
    assert.deepEqual(other.takeErrors().map(String), ['Error: The disk failed']);
    await permission.release();
    await other.close();
  });
});
