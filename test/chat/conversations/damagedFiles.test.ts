import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ChatFixture, startChat } from '../support/chatFixture';

describe('A conversation whose queue can’t be read', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat();
  });
  afterEach(() => fixture.close());

  it('a conversation with an unreadable queue opens with a notice, takes new messages, and keeps the file', async () => {
    const before = await fixture.otherWindow();
    const { id } = before.newConversation();
    assert.equal(await before.replies.send(id, 'Hello'), 'sent');
    await before.ended(id);
    await before.close();
    const file = path.join(fixture.folder, `${id}.queue`);
    await writeFile(file, '[{"id":"q"');
    const { chat, events } = fixture;
    assert.equal((await chat.openConversation(id))?.hasDamagedFile, true);
    assert.ok(events.some((event) => event.type === 'noticed' && event.conversationId === id));
    assert.ok(await chat.queues.change(id, () => [{ id: 'r', text: 'Next', context: [] }], 'stopped'));
    assert.equal(JSON.parse(await readFile(file, 'utf8')).length, 1);
    assert.equal(await readFile(`${file}.damaged`, 'utf8'), '[{"id":"q"');
    await chat.queues.whenSettled();
    const errors = fixture.takeErrors();
    assert.ok(errors.length > 0);
    for (const error of errors) assert.match(String(error), /is kept as .*\.queue\.damaged$/);
  });
});
