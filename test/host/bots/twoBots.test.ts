import assert from 'node:assert/strict';
import type { BotItem } from '../../../src/host/service/botPicker';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';

describe('Ask Two Bots', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let answers: { question?: string; first: string; second: string; confirm?: string };
  let enteredId: string | undefined;
  let opened: string[];
  let id: string;

  beforeEach(async () => {
    fixture = await startServices();
    answers = { first: 'echo', second: 'guide', confirm: 'Ask Both' };
    recorded = new RecordedWindow(answer);
    opened = [];
    const { chat, panel } = fixture.services;
    ({ id } = chat.createConversation({ id: 'echo', name: 'Echo' }));
    chat.composers.setDraft(id, 'Why?');
    Object.assign(panel, {
      getCurrentConversationId: async () => id,
      openSideBySide: (ids: readonly string[]) => opened.push(...ids),
    });
  });
  afterEach(async () => {
    recorded.dispose();
    await fixture.close();
  });

  function answer({ by, texts, items }: Shown): unknown {
    if (by === 'InputBox') return texts.includes('The bot’s ID') ? enteredId : answers.question;
    if (by === 'Warning') return answers.confirm;
    const botId = texts.includes('Select the first bot') ? answers.first : answers.second;
    return items.find((item: BotItem) => item.bot?.id === botId || item.action === botId);
  }
  const find = (conversationId = id) =>
    fixture.services.chat.findConversation(conversationId) ?? assert.fail();
  const ask = async () => {
    await (await fixture.services.getTwoBots()).ask();
    await Promise.all(opened.map((openedId) => fixture.services.replies.whenDone(openedId)));
  };
  const getSentTexts = () =>
    [...fixture.service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));

  it('asks each bot once, after a confirmation that both messages count, and takes the draft', async () => {
    const announced: string[] = [];
    fixture.services.chat.onChatEvent((event) => {
      if (event.type === 'draft' && event.conversationId === id && !event.page) announced.push(event.text);
    });
    await ask();
    assert.deepEqual(getSentTexts(), ['Why?', 'Why?']);
    assert.deepEqual(
      opened.map((openedId) => find(openedId).bot?.name),
      ['Echo', 'Guide'],
    );
    assert.deepEqual(recorded.shown.at(-1)?.texts, [
      'Ask Echo and Guide?',
      'Why?',
      'Two messages will be sent. Both count toward your limit.',
      'Ask Both',
    ]);
    assert.equal(find().draft, '');
    // The page didn't send the question itself, so it must be told.
    assert.deepEqual(announced, ['']);
  });

  it('asks for a question if the composer is empty', async () => {
    fixture.services.chat.composers.setDraft(id, '');
    answers.question = 'Why not?';
    await ask();
    assert.deepEqual(getSentTexts(), ['Why not?', 'Why not?']);
  });

  it('doesn’t list the first bot for the second, and refuses it by its id', async () => {
    const lists = () =>
      recorded.shown
        .filter(({ texts }) => texts.includes('Select the second bot'))
        .map(({ items }) => items.some((item: BotItem) => item.bot?.id === 'echo'));
    await ask();
    assert.deepEqual(new Set(lists()), new Set([false]));
    answers.second = 'enterId';
    fixture.services.chat.composers.setDraft(id, 'Again?');
    enteredId = 'echo';
    await ask();
    assert.ok(recorded.texts.includes('Select two different bots.'));
    assert.deepEqual([getSentTexts().length, find().draft], [2, 'Again?']);
  });

  it('sends nothing and keeps the draft if the confirmation is canceled', async () => {
    delete answers.confirm;
    await ask();
    assert.deepEqual([getSentTexts(), opened, find().draft], [[], [], 'Why?']);
  });

  it('sends nothing if the question is too long for a message', async () => {
    fixture.services.chat.composers.setDraft(id, 'x'.repeat(2001));
    await ask();
    assert.match(recorded.texts[0] ?? '', /^The question is 2,001 characters long; the limit is 2,000\./);
    assert.deepEqual([getSentTexts(), opened], [[], []]);
  });

  it('needs the setup to be complete', async () => {
    await fixture.services.setup.clearApiKey();
    await ask();
    assert.ok(recorded.texts.includes('Finish setting up Parley in its panel, then ask again.'));
    assert.deepEqual(opened, []);
  });
});
