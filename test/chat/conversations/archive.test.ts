import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Chat } from '../../../src/chat/conversations/chat';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import type { Workspace } from '../../../src/shared/view/viewModel';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { conversationOf } from '../support/conversations';
import { RefusingStorage } from '../support/refusingStorage';
import { putTurn } from '../support/writing';

describe('Archived conversations', () => {
  let fixture: ChatFixture;
  let id: string;
  beforeEach(async () => {
    fixture = await startChat();
    ({ id } = fixture.newConversation());
    await fixture.replies.send(id, 'Hello');
    await fixture.ended(id);
    await fixture.chat.whenSaved(id);
  });
  afterEach(() => fixture.close());

  it('are archived and listed again in another window where they aren’t open, without being opened', async () => {
    const other = await fixture.otherWindow();
    await other.chat.load();
    await other.chat.setArchived(id, true);
    assert.deepEqual(
      [other.chat.getSummary(id)?.archived, other.chat.findConversation(id)],
      [true, undefined],
    );
    await fixture.chat.readChanges(id);
    assert.equal(fixture.chat.getSummary(id)?.archived, true);
    await other.chat.setArchived(id, false);
    assert.equal(other.chat.getSummary(id)?.archived, undefined);
    await other.close();
  });

  it('are still archived in a new window, and searched there', async () => {
    await fixture.chat.setArchived(id, true);
    await fixture.chat.whenSaved(id);
    const other = await fixture.otherWindow();
    await other.chat.load();
    assert.equal(other.chat.getSummary(id)?.archived, true);
    for await (const conversation of other.chat.scan()) assert.equal(conversation.archived, true);
    await other.close();
  });

  it('are listed again when a message is sent', async () => {
    await fixture.chat.setArchived(id, true);
    await fixture.replies.send(id, 'And again');
    assert.equal(fixture.chat.getSummary(id)?.archived, undefined);
    await fixture.ended(id);
  });

  it('are archived only if that isn’t reported as failed, however often the disk refuses', async () => {
    for (let refusals = 1; refusals <= 4; refusals++) {
      const storage = new RefusingStorage(fixture.folder);
      let left = refusals;
      storage.refuses = (step, name) => step === 'append' && name === `${id}.jsonl` && left-- > 0;
      const other = await fixture.otherWindow({ createStorage: () => storage });
      await other.chat.load();
      const isDone = await other.chat.setArchived(id, true).then(
        () => true,
        () => false,
      );
      await other.close();
      const next = await fixture.otherWindow();
      await next.chat.load();
      assert.equal(next.chat.getSummary(id)?.archived ?? false, isDone, `${refusals} refusals`);
      await next.chat.setArchived(id, false);
      await next.close();
    }
  });

  it('ignores an id that doesn’t exist', async () => {
    await fixture.chat.setArchived('nobody', true);
    assert.equal(fixture.chat.getSummary('nobody'), undefined);
  });

  it('reads a conversation with all its turns without opening it', async () => {
    const many = conversationOf(
      Array.from({ length: 50 }, (_, at) => ({ kind: 'message' as const, id: `m${at}`, text: 'x', at })),
    );
    fixture.chat.importConversation(many);
    await fixture.chat.whenSaved(many.id);
    const other = await fixture.otherWindow();
    const read = await other.chat.readConversation(many.id);
    assert.deepEqual(
      [read?.turns, read?.name, other.chat.findConversation(many.id)],
      [many.turns, many.name, undefined],
    );
    assert.equal(await other.chat.readConversation('nobody'), undefined);
    await other.close();
  });
});

describe('The workspace of a conversation', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-workspace-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const openChat = (workspace?: Workspace) => {
    const store = new ConversationStore(new NodeStorage(folder), 'test', assert.ifError);
    return { store, chat: new Chat(store, () => workspace) };
  };

  it('is the one of the window in which its first turn was added', async () => {
    const workspace = { id: 'file:///app', name: 'app' };
    const one = openChat(workspace);
    const { id } = one.chat.createConversation({ id: 'b', name: 'B' });
    await putTurn(one.chat, id, { kind: 'message', id: 'm', text: 'Hi', at: 1 });
    assert.deepEqual(one.chat.getSummary(id)?.workspace, workspace);
    await one.store.dispose();
    const other = openChat({ id: 'file:///other', name: 'other' });
    await other.chat.openConversation(id);
    await putTurn(other.chat, id, { kind: 'message', id: 'n', text: 'Ho', at: 2 });
    assert.deepEqual(other.chat.getSummary(id)?.workspace, workspace);
    await other.store.dispose();
  });

  it('is unknown in files from before, which load as they are', async () => {
    const lines = [
      { parley: 1, id: 'old', createdAt: 1 },
      { type: 'about', name: 'Old', unread: false, pinned: true },
      { type: 'turn', turn: { kind: 'message', id: 'm', text: 'Hi', at: 1 } },
    ];
    const file = path.join(folder, 'old.jsonl');
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await writeFile(file, text);
    const { store, chat } = openChat({ id: 'file:///app', name: 'app' });
    await chat.load();
    const { name, pinned, archived, workspace } = chat.getSummary('old') ?? {};
    assert.deepEqual(
      { name, pinned, archived, workspace },
      {
        ...{ name: 'Old', pinned: true },
        ...{ archived: undefined, workspace: undefined },
      },
    );
    assert.equal((await chat.openConversation('old'))?.turns.length, 1);
    await store.dispose();
    assert.equal(await readFile(file, 'utf8'), text);
  });
});
