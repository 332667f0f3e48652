import assert from 'node:assert/strict';
import { ConversationChoice } from '../../../src/host/panel/conversationChoice';
import type { Bots } from '../../../src/host/service/bots';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { HeldStorage } from '../../chat/support/heldStorage';
import { RefusingStorage } from '../../chat/support/refusingStorage';
import { MemoryState } from '../support/memory';

describe('The conversation that the view shows', () => {
  let fixture: ChatFixture;
  let memory: MemoryState;
  let shown: Set<string>;
  const bots = { getDefault: () => ({ id: 'echo', name: 'Echo' }) } as Bots;

  const create = ({ chat }: ChatFixture) => new ConversationChoice({ chat, bots, memory }, () => shown);
  const draftOf = ({ chat }: ChatFixture, id: string) => chat.findConversation(id)?.draft;

  beforeEach(async () => {
    fixture = await startChat();
    memory = new MemoryState();
    shown = new Set();
  });
  afterEach(() => fixture.close());

  it('is the same after a reload, with its draft and that of a new conversation, which comes back as the next one', async () => {
    const { chat, replies } = fixture;
    const choice = create(fixture);
    const { id } = fixture.newConversation();
    await replies.send(id, 'Hello');
    await replies.whenDone(id);
    chat.composers.setDraft(id, 'a draft for this one');
    shown.add(id);
    choice.remember(id);
    const blank = choice.getBlank();
    chat.composers.setDraft(blank, 'a draft for a new one');
    choice.rememberDrafted();
    assert.equal(choice.getBlank(), blank);
    await fixture.store.flush(id);

    const reloaded = await fixture.otherWindow();
    const restored = create(reloaded);
    assert.equal(await restored.reopenRemembered(), id);
    assert.equal(draftOf(reloaded, id), 'a draft for this one');
    assert.equal(restored.getBlank(), blank);
    assert.equal(draftOf(reloaded, blank), 'a draft for a new one');
    // While a page shows the draft, a new conversation is another one.
    shown.add(blank);
    assert.notEqual(restored.getBlank(), blank);
    await reloaded.close();
  });

  it('keeps the chips it has without turns, and gets another, while a tab reopens it', async () => {
    const chip = (name: string) => ({ id: name, kind: 'selection', name, text: name }) as const;
    const { chat, store } = fixture;
    const { id } = fixture.newConversation();
    chat.composers.addContext(id, [chip('stored')]);
    create(fixture).remember(id);
    await store.flush(id);

    const disk = new HeldStorage(fixture.folder, `${id}.composing.draft`);
    const reloaded = await fixture.otherWindow({ createStorage: () => disk });
    const restored = create(reloaded);
    const inTab = restored.reopen(id);
    await disk.isReading;
    const added = restored
      .reopenRemembered()
      .then((shownId) => reloaded.chat.composers.addContext(shownId, [chip('added')]));
    disk.release();
    await Promise.all([inTab, added]);
    await reloaded.close();
    assert.deepEqual((await store.composers.get(id)).context, [chip('stored'), chip('added')]);
  });

  it('is a new one if another window has deleted it, which may be undone', async () => {
    const { chat, replies, store } = fixture;
    const { id } = fixture.newConversation();
    await replies.send(id, 'Hello');
    await replies.whenDone(id);
    chat.composers.setDraft(id, 'A draft');
    create(fixture).remember(id);
    await store.flush(id);
    await chat.deleteConversation(id);

    const reloaded = await fixture.otherWindow();
    const blank = await create(reloaded).reopenRemembered();
    assert.equal(draftOf(reloaded, blank), '');
    await chat.undelete(id);
    const opened = await reloaded.chat.openConversation(id);
    assert.deepEqual([opened?.turns.length, opened?.draft], [2, 'A draft']);
    await reloaded.close();
  });

  it('opens although a disk refuses a draft, which comes back once it can be read', async () => {
    const { chat, replies, store } = fixture;
    const choice = create(fixture);
    const { id } = fixture.newConversation();
    await replies.send(id, 'Hello');
    await replies.whenDone(id);
    choice.remember(id);
    const [refused, other] = ['refused draft', 'other draft'].map((text) => {
      const drafted = choice.getBlank();
      shown.add(drafted);
      chat.composers.setDraft(drafted, text);
      return drafted;
    });
    choice.rememberDrafted();
    await store.flush(id);

    const disk = new RefusingStorage(fixture.folder);
    disk.refuses = (step, name) => step === 'read' && name === `${refused}.draft`;
    const reloaded = await fixture.otherWindow({ createStorage: () => disk });
    shown = new Set();
    const restored = create(reloaded);
    assert.equal(await restored.reopenRemembered(), id);
    assert.equal(restored.getBlank(), other);
    assert.deepEqual(reloaded.takeErrors().map(String), [`Error: Refused to read ${refused}.draft`]);
    restored.rememberDrafted();
    disk.refuses = () => false;
    assert.equal(await restored.reopenRemembered(), id);
    assert.equal(draftOf(reloaded, refused ?? ''), 'refused draft');
    await reloaded.close();
  });

  it('opens although a disk refuses what was shown', async () => {
    const { chat, store } = fixture;
    const choice = create(fixture);
    const id = choice.getBlank();
    choice.remember(id);
    chat.composers.setDraft(id, 'A draft');
    choice.rememberDrafted();
    await store.flush(id);

    const disk = new RefusingStorage(fixture.folder);
    disk.refuses = (step, name) => step === 'read' && name === `${id}.draft`;
    const reloaded = await fixture.otherWindow({ createStorage: () => disk });
    const restored = create(reloaded);
    assert.equal(draftOf(reloaded, await restored.reopenRemembered()), '');
    reloaded.takeErrors();
    disk.refuses = () => false;
    await restored.reopenRemembered();
    assert.equal(draftOf(reloaded, id), 'A draft');
    await reloaded.close();
  });

  it('comes back as a draft with what was sent in it if the disk refused its turns', async () => {
    const disk = new RefusingStorage(fixture.folder);
    const window = await fixture.otherWindow({ createStorage: () => disk });
    const choice = create(window);
    const { chat, replies, store } = window;
    chat.onChatEvent(() => choice.rememberDrafted());
    const id = choice.getBlank();
    disk.refuses = (step, name) => step === 'append' && name === `${id}.jsonl`;
    chat.composers.setDraft(id, 'A question');
    await replies.send(id, 'A question');
    await replies.whenDone(id);
    chat.composers.setDraft(id, 'and the next one');
    await assert.rejects(store.flush(id));

    const restarted = await fixture.otherWindow();
    const restored = create(restarted);
    await restored.reopenRemembered();
    assert.equal(restored.getBlank(), id);
    assert.equal(draftOf(restarted, id), 'A question\n\nand the next one');
    await restarted.close();
    disk.refuses = () => false;
    await window.close();
  });

  it('is the same new one for a command that runs while the view opens', async () => {
    const choice = create(fixture);
    const [inView, current] = await Promise.all([choice.reopenRemembered(), choice.reopenRemembered()]);
    assert.equal(inView, current);
  });
});
