import assert from 'node:assert/strict';
import { getBotName } from '../../../src/chat/model/conversation';
import type { Bot } from '../../../src/shared/view/viewModel';
import { type ChatFixture, startChat } from '../support/chatFixture';

describe('Name of a bot known by its id', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat();
  });
  afterEach(() => fixture.close());

  const rename = (bot: Bot): Bot => (bot.id === 'echo' ? { ...bot, name: 'Echo' } : bot);

  it('is shown in open conversations and their replies once it is loaded', async () => {
    const { chat, replies } = fixture;
    const { id } = chat.createConversation({ id: 'echo', name: 'echo' });
    const other = chat.createConversation({ id: 'unheard-of', name: 'unheard-of' });
    await replies.send(id, 'Hi');
    const reply = await fixture.ended(id);
    assert.equal(reply.bot, 'echo');
    chat.setBotNames(rename);
    const conversation = chat.findConversation(id);
    assert.ok(conversation);
    assert.deepEqual(conversation.bot, { id: 'echo', name: 'Echo', baseUrl: fixture.service.baseUrl });
    assert.equal(getBotName(conversation, reply), 'Echo');
    assert.deepEqual(chat.findConversation(other.id)?.bot, { id: 'unheard-of', name: 'unheard-of' });
    assert.ok(fixture.events.some((event) => event.type === 'changed' && event.conversationId === id));
    assert.equal(fixture.service.conversations.size, 1);
  });

  it('is used for a bot that was found before its name was known', () => {
    const { chat } = fixture;
    chat.setBotNames(rename);
    const { id } = chat.createConversation({ id: 'echo', name: 'echo' });
    assert.equal(chat.findConversation(id)?.bot?.name, 'Echo');
    chat.update(id, { bot: { id: 'other', name: 'Other' } });
    chat.update(id, { bot: { id: 'echo', name: 'echo' } });
    assert.equal(chat.findConversation(id)?.bot?.name, 'Echo');
  });

  it('is shown in the list and in search results for conversations from an earlier session', async () => {
    const { id } = fixture.chat.createConversation({ id: 'echo', name: 'echo' });
    await fixture.replies.send(id, 'Hi');
    await fixture.ended(id);
    await fixture.chat.whenSaved(id);
    const next = await fixture.otherWindow();
    await next.chat.load();
    assert.equal(next.chat.getSummary(id)?.bot.name, 'echo');
    const before = next.events.length;
    next.chat.setBotNames(rename);
    assert.deepEqual(next.events.slice(before), [{ type: 'changed', conversationId: id }]);
    assert.equal(next.chat.getSummary(id)?.bot.name, 'Echo');
    assert.equal(next.chat.listConversations()[0]?.bot.name, 'Echo');
    for await (const conversation of next.chat.scan()) assert.equal(conversation.bot?.name, 'Echo');
    assert.equal((await next.chat.openConversation(id))?.bot?.name, 'Echo');
    await next.close();
  });
});
