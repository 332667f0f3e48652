import assert from 'node:assert/strict';
import { describePanel } from '../support/panel';
import { document, message, panelState, reply, streaming, summary } from '../support/states';

const origin = { id: 'origin', name: 'Moss', turnId: '7' };
const fork = { id: 'fork', name: 'Moss.md', turnId: '2' };
const turns = [message('1', 'What is moss?'), reply('2', 'A plant.'), message('3', 'And lichen?')];

describePanel('forks', { width: 400 }, (panel) => {
  const link = (name: string) => panel.page.getByRole('link', { name, exact: true });
  const fork1 = () => panel.button('Fork from Here');

  it('are requested at a message and at a reply that has ended', async () => {
    const { conversation } = panelState();
    await panel.snapshot(panelState({ id: conversation.id, turns: [...turns, streaming('4', 'A')] }));
    assert.equal(await fork1().count(), 3);
    await fork1().nth(1).press('Enter');
    const { requestId: _, ...request } = await panel.intent('forkConversation');
    assert.deepEqual(request, { type: 'forkConversation', conversationId: conversation.id, turnId: '2' });
  });

  it('are linked above the first turn and at the turn of the fork, by their current names', async () => {
    const conversations = [summary('origin', 'Moss, renamed'), summary('fork', 'Of lichens')];
    await panel.showLoaded(panelState({ turns, forkedFrom: origin, forks: [fork] }, { conversations }));
    const from = link('Forked from Moss, renamed');
    await from.waitFor();
    const [above, first] = await Promise.all([
      from.boundingBox(),
      panel.page.locator('.turn').first().boundingBox(),
    ]);
    assert.ok((above?.y ?? 0) < (first?.y ?? 0));
    await from.press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'openTurn', conversationId: 'origin', turnId: '7' }]);
    await panel.page
      .locator('[data-turn="2"].turn')
      .getByRole('link', { name: 'Forked to Of lichens' })
      .press('Enter');
    assert.deepEqual(await panel.intents(), [{ type: 'openConversation', conversationId: 'fork' }]);
  });

  it('follow a rename, and are plain text with the stored name after a deletion', async () => {
    const conversations = [summary('origin', 'Moss'), summary('fork', 'Lichens')];
    await panel.showLoaded(panelState({ turns, forkedFrom: origin, forks: [fork] }, { conversations }));
    await link('Forked from Moss').waitFor();
    await panel.change({ type: 'summary', summary: summary('origin', 'Mosses') });
    assert.equal(await link('Forked from Mosses').count(), 1);
    await panel.change(
      { type: 'conversationGone', conversationId: 'origin' },
      { type: 'conversationGone', conversationId: 'fork' },
    );
    assert.deepEqual(
      [await link('Forked from Mosses').count(), await panel.page.getByRole('link').count()],
      [0, 0],
    );
    assert.deepEqual(await panel.page.locator('.fork-link').allTextContents(), [
      'Forked from Moss',
      'Forked to Moss.md',
    ]);
  });

  it('appear when the conversation is forked, and show hidden characters of a name', async () => {
    await panel.showLoaded(panelState({ turns }));
    await panel.change({ type: 'forks', forks: { forks: [{ ...fork, name: '\u202egnp.exe' }] } });
    await panel.page.locator('.fork-link').waitFor();
    assert.match(await panel.page.locator('.fork-link').innerText(), /^Forked to .*202E.*gnp\.exe$/i);
  });

  it('are linked above a conversation that has only the transcript’s document, and not before earlier turns are there', async () => {
    const conversations = [summary('origin', 'Moss')];
    const document1 = document('d', { state: 'attached' });
    await panel.showLoaded(panelState({ turns: [document1], forkedFrom: origin }, { conversations }));
    await link('Forked from Moss').waitFor();
    await panel.page.getByText('Ask a question or add a document.').waitFor();
    await panel.showLoaded(panelState({ turns, earlier: true, forkedFrom: origin }, { conversations }));
    assert.equal(await link('Forked from Moss').count(), 0);
    await panel.change({ type: 'earlierTurns', turns: [message('0', 'Hi')], more: false });
    await link('Forked from Moss').waitFor();
  });

  describe('of an edited message', () => {
    const askInFork = () => panel.button('In a New Conversation');
    const edit = async () => {
      const id = await panel.showLoaded(panelState({ turns, draft: 'My draft' }));
      await panel.button('Edit and Ask Again').last().press('Enter');
      await panel.page.keyboard.type('!');
      await askInFork().press('Enter');
      const request = await panel.intent('forkConversation');
      const { requestId: _, ...rest } = request;
      const draft = 'And lichen?!';
      assert.deepEqual(rest, { type: 'forkConversation', conversationId: id, turnId: '3', draft });
      return { id, request };
    };

    it('take the text along, so that the conversation’s own draft is back in it', async () => {
      const { id, request } = await edit();
      await panel.change({ type: 'conversation', conversation: panelState().conversation });
      await panel.respond(request, true);
      const { conversation } = panelState({ id, turns, draft: 'My draft' });
      await panel.change({ type: 'conversation', conversation });
      assert.equal(await panel.composerText, 'My draft');
    });

    it('end the editing if the page still shows the conversation', async () => {
      const { request } = await edit();
      await panel.respond(request, true);
      assert.deepEqual([await panel.composerText, await askInFork().count()], ['My draft', 0]);
    });

    it('end the editing however long the fork takes', async () => {
      await panel.page.clock.install();
      const { request } = await edit();
      await panel.page.clock.runFor(3_600_000);
      await panel.respond(request, true);
      assert.deepEqual([await panel.composerText, await askInFork().count()], ['My draft', 0]);
    });

    it('leave the text in the composer if there is no fork, and what was typed since', async () => {
      const { request } = await edit();
      await panel.respond(request, false);
      assert.equal(await panel.composerText, 'And lichen?!');
      await askInFork().press('Enter');
      const again = await panel.intent('forkConversation');
      await panel.message.press('End');
      await panel.page.keyboard.type('!!');
      await panel.respond(again, true);
      assert.deepEqual([await panel.composerText, await askInFork().count()], ['And lichen?!!!', 1]);
    });
  });
});
