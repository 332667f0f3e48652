import assert from 'node:assert/strict';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Conversation } from '../../../src/chat/model/conversation';
import type { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { RefusingStorage } from '../support/refusingStorage';
import { UnwatchedStorage } from '../support/unwatchedStorage';

describe('A conversation whose file is missing', () => {
  let fixture: ChatFixture;
  let conversation: Conversation;
  let file: string;

  let refuses: (name: string) => boolean;

  class UnwatchedRefusingStorage extends UnwatchedStorage {
    override async appendFile(...[name, ...rest]: Parameters<NodeStorage['appendFile']>) {
      if (refuses(name)) throw new Error(`Refused to append to ${name}`);
      return super.appendFile(name, ...rest);
    }
  }

  beforeEach(async () => {
    refuses = () => false;
    fixture = await startChat({}, (folder) => new UnwatchedRefusingStorage(folder));
    conversation = fixture.newConversation();
    file = path.join(fixture.folder, `${conversation.id}.jsonl`);
    await say('First');
    await fixture.chat.whenSaved(conversation.id);
  });
  afterEach(() => fixture.close());

  async function say(text: string): Promise<void> {
    assert.equal(await fixture.replies.send(conversation.id, text), 'sent');
    await fixture.replies.whenDone(conversation.id);
  }

  /** Returns the texts that another window reads. */
  async function readTexts(): Promise<readonly string[] | undefined> {
    const other = await fixture.otherWindow();
    try {
      const found = await other.chat.openWhole(conversation.id);
      return found?.turns.map((turn) => (turn.kind === 'document' ? turn.name : turn.text));
    } finally {
      await other.close();
    }
  }

  it('is written again from memory with the next message', async () => {
    const { name, bot, remote } = conversation;
    await rm(file);
    await say('Second');
    await fixture.chat.whenSaved(conversation.id);
    assert.deepEqual(await readTexts(), ['First', 'First', 'Second', 'Second']);
    const [summary] = (await fixture.store.listConversations()).conversations;
    assert.equal(summary?.turns, 4);
    assert.deepEqual([summary?.name, summary?.bot, summary?.remote], [name, bot, remote]);
  });

  it('is not saved while the disk doesn’t tell whether it was deleted, and is written again once it does', async () => {
    const { chat } = fixture;
    const { id } = conversation;
    await rm(file);
    refuses = (name) => name.endsWith('.deleted');
    chat.setPinned(id, true);
    await assert.rejects(chat.whenSaved(id), /Refused/);
    assert.equal(chat.findConversation(id)?.unsaved, true);
    refuses = () => false;
    await chat.whenSaved(id);
    assert.equal(chat.findConversation(id)?.unsaved, false);
    assert.deepEqual(await readTexts(), ['First', 'First']);
    assert.equal((await fixture.store.listConversations()).conversations[0]?.pinned, true);
  });

  it('stays deleted if another window deleted it', async () => {
    await rename(file, file.replace('.jsonl', '.deleted'));
    await say('Second');
    await fixture.until(({ type }) => type === 'deleted');
    assert.equal(fixture.chat.findConversation(conversation.id), undefined);
    assert.equal(await readTexts(), undefined);
    assert.ok(!(await readdir(fixture.folder)).includes(path.basename(file)));
  });

  it('gets what a window writes that hasn’t heard of its deletion, so that Undo brings it back', async () => {
    const other = await fixture.otherWindow();
    await other.chat.deleteConversation(conversation.id);
    await say('Second');
    await other.chat.undelete(conversation.id);
    await other.close();
    assert.deepEqual((await readTexts())?.slice(0, 3), ['First', 'First', 'Second']);
  });
});

describe('A transcript that is missing', () => {
  it('doesn’t remove the queue of its conversation', async () => {
    const fixture = await startChat();
    const { chat, newConversation, replies, ended } = fixture;
    const { id } = newConversation();
    await replies.send(id, 'First');
    await ended(id);
    await replies.whenDone(id);
    await chat.load();
    await chat.queues.change(id, () => [{ id: 'q', text: 'Queued', context: [] }], 'stopped');
    await rm(path.join(fixture.folder, `${id}.jsonl`));
    await chat.readListChanges();
    await fixture.until(({ type }) => type === 'deleted');
    await chat.queues.whenSettled();
    await fixture.store.deletions.removeRemains(id);
    assert.ok((await readdir(fixture.folder)).includes(`${id}.queue`));
    await fixture.close();
  });
});

describe('A draft that can’t be written', () => {
  it('is not written later if another window has deleted its conversation', async () => {
    const fixture = await startChat();
    const { id } = fixture.newConversation();
    await fixture.replies.send(id, 'First');
    await fixture.ended(id);
    await fixture.replies.whenDone(id);
    const storage = new RefusingStorage(fixture.folder);
    const other = await fixture.otherWindow({ createStorage: () => storage });
    await other.chat.load();
    await other.chat.openConversation(id);
    storage.refuses = (step, name) => step === 'replace' && name.endsWith('.draft');
    other.chat.composers.setDraft(id, 'Draft');
    const { drafts } = other.store;
    await drafts.flush();
    other.takeErrors();
    await fixture.chat.deleteConversation(id);
    await other.until(({ type }) => type === 'deleted');
    assert.equal(await drafts.get(id), 'Draft');
    await fixture.chat.purge(id);
    await waitUntil('the draft is forgotten', async () => (await drafts.get(id)) === '');
    storage.refuses = () => false;
    // The disk may have refused the draft again in the meantime.
    other.takeErrors();
    await drafts.flush();
    assert.ok(!(await readdir(fixture.folder)).includes(`${id}.draft`));
    await other.close();
    await fixture.close();
  });
});
