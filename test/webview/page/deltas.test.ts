import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import type { ToPage } from '../../../src/shared/protocol/toPage';
import type { PanelState, QueueView } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { document, message, panelState, reply, streaming } from '../support/states';

function withDraft(state: PanelState, draft: string): PanelState {
  return { ...state, conversation: { ...state.conversation, draft } };
}

describePanel('state of the page', {}, (panel) => {
  beforeEach(() => panel.renew());

  it('shows nothing before the snapshot, then its content', async () => {
    assert.equal(await panel.page.locator('#app').innerText(), '');
    await panel.snapshot(panelState({ name: 'Plans', turns: [message('1', 'Hi'), reply('2', 'Hello')] }));
    await panel.page.getByRole('heading', { name: 'Plans' }).waitFor();
    const texts = await panel.page.getByRole('article').locator('.bubble, .markdown').allInnerTexts();
    assert.deepEqual(texts, ['Hi', 'Hello']);
  });

  it('requests a snapshot before its script is loaded, and loses no message in the meantime', async () => {
    const scripts: Route[] = [];
    await panel.page.route('**/main.js', (route) => void scripts.push(route));
    const asked = panel.page.waitForRequest('**/main.js');
    await panel.page.reload({ waitUntil: 'commit' });
    await panel.ready();
    await asked;
    const said: ToPage[] = [
      { type: 'snapshot', seq: 1, state: panelState({ turns: [streaming('1', 'Hel')] }) },
      { type: 'delta', seq: 2, changes: [{ type: 'chunk', turnId: '1', text: 'lo' }] },
    ];
    await panel.page.evaluate((all) => {
      for (const each of all) window.postMessage(each, '*');
    }, said);
    await Promise.all(scripts.map((route) => route.continue()));
    await panel.page.unroute('**/main.js');
    await panel.page.getByText('Hello').waitFor();
    assert.deepEqual(await panel.intents(), []);
    assert.equal(await panel.page.evaluate(() => 'parleyBootstrap' in globalThis), false);
  });

  it('applies numbered deltas', async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi'), streaming('2', 'Hel')] }), 7);
    await panel.change(
      { type: 'chunk', turnId: '2', text: 'lo ' },
      { type: 'chunk', turnId: '2', text: '**you**' },
    );
    await panel.change(
      { type: 'ended', turnId: '2', ending: 'complete' },
      { type: 'title', name: 'Greeting' },
    );
    assert.equal(await panel.page.locator('.markdown').innerText(), 'Hello you');
    assert.equal(await panel.page.locator('.markdown strong').innerText(), 'you');
    await panel.page.getByRole('heading', { name: 'Greeting' }).waitFor();
    assert.deepEqual(await panel.intents(), []);
  });

  it('requests one snapshot when a delta is missing, and applies no delta until it arrives', async () => {
    const state = panelState({ turns: [streaming('1', 'One')] });
    await panel.snapshot(state, 3);
    await panel.post({ type: 'delta', seq: 5, changes: [{ type: 'chunk', turnId: '1', text: ' three' }] });
    await panel.post({ type: 'delta', seq: 6, changes: [{ type: 'chunk', turnId: '1', text: ' four' }] });
    assert.deepEqual(await panel.intents(), [{ type: 'ready' }]);
    assert.equal(await panel.page.locator('.markdown').innerText(), 'One');
    await panel.snapshot(
      { ...state, conversation: { ...state.conversation, turns: [streaming('1', 'One two three four')] } },
      6,
    );
    await panel.change({ type: 'chunk', turnId: '1', text: ' five' });
    assert.equal(await panel.page.locator('.markdown').innerText(), 'One two three four five');
  });

  it('ignores a repeated delta', async () => {
    await panel.snapshot(panelState({ turns: [streaming('1', 'One')] }), 3);
    await panel.post({ type: 'delta', seq: 3, changes: [{ type: 'chunk', turnId: '1', text: ' again' }] });
    assert.equal(await panel.page.locator('.markdown').innerText(), 'One');
    assert.deepEqual(await panel.intents(), []);
  });

  it('shows a reply from its middle after a reload, and continues it', async () => {
    await panel.snapshot(panelState({ turns: [streaming('1', 'One')] }));
    await panel.reload();
    await panel.snapshot(panelState({ turns: [streaming('1', 'One *two')] }), 4);
    await panel.change({ type: 'chunk', turnId: '1', text: '* three' });
    assert.equal(await panel.page.locator('.markdown').innerText(), 'One two three');
    assert.equal(await panel.page.locator('.markdown em').innerText(), 'two');
  });

  it('posts the draft to the host when typing pauses', async () => {
    const state = panelState();
    await panel.snapshot(state);
    // At once: a machine may take longer between two keys than a pause is.
    await panel.message.focus();
    await panel.page.keyboard.insertText('Hello');
    const draft = await panel.intent('draft');
    assert.deepEqual(draft, { type: 'draft', conversationId: state.conversation.id, text: 'Hello' });
  });

  it("keeps a draft that the host hasn't received when the window reloads", async () => {
    const state = panelState({ draft: 'Hel' });
    await panel.snapshot(state);
    await panel.message.press('End');
    await panel.page.keyboard.insertText('lo');
    await panel.reload();
    await panel.snapshot(state);
    assert.equal(await panel.composerText, 'Hello');
    assert.equal((await panel.intent('draft')).text, 'Hello');
  });

  it('keeps such a draft if the page first gets only turns after the last message', async () => {
    const state = panelState({ draft: 'Hel', turns: [message('1', 'Hi'), document('2')] });
    const last = { ...state.conversation, turns: [document('2')], earlier: true };
    for (const [before, after] of [
      [state.conversation, last],
      [last, state.conversation],
    ] as const) {
      await panel.renew();
      await panel.snapshot({ ...state, conversation: before });
      await panel.message.press('End');
      await panel.page.keyboard.insertText('lo');
      await panel.reload();
      await panel.snapshot({ ...state, conversation: after });
      assert.equal(await panel.composerText, 'Hello');
    }
  });

  it('keeps a draft of which the host had stored only an earlier one when it ended', async () => {
    const state = panelState({ draft: 'H' });
    const post = (draft: string, session: string) =>
      panel.post({ type: 'snapshot', seq: 0, session, state: withDraft(state, draft) });
    await post('H', 'one');
    await panel.message.press('End');
    for (const text of ['e', 'l', 'l']) {
      await panel.page.keyboard.insertText(text);
      await panel.intent('draft');
    }
    await panel.page.keyboard.insertText('o');
    for (const [index, stored] of ['H', 'He', 'Hel', 'Hell'].entries()) {
      await panel.reload();
      await post(stored, `another ${index}`);
      assert.equal(await panel.composerText, 'Hello');
    }
  });

  it('keeps a draft that was posted, and a message being sent, if the host ended without them', async () => {
    const state = panelState();
    const post = (session: string) => panel.post({ type: 'snapshot', seq: 0, session, state });
    await post('one');
    await panel.message.focus();
    await panel.page.keyboard.insertText('Hello');
    await panel.intent('draft');
    // Typed and removed again: the text is the one that was posted.
    await panel.page.keyboard.insertText('!');
    await panel.page.keyboard.press('Backspace');
    await panel.reload();
    await post('two');
    assert.equal(await panel.composerText, 'Hello');
    await panel.page.keyboard.press('Enter');
    await panel.intent('send');
    await panel.reload();
    await post('three');
    assert.equal(await panel.composerText, 'Hello');
  });

  for (const [title, posted, typed] of [
    ['and more was typed', ['Hel', 'l'], 'o'],
    ['and nothing else was typed', ['Hello'], ''],
  ] as const) {
    it(`shows the draft of a host that went on if it is an earlier one again, ${title}`, async () => {
      const state = panelState();
      const post = () => panel.post({ type: 'snapshot', seq: 0, session: 'one', state });
      await post();
      await panel.message.focus();
      for (const part of posted) {
        await panel.page.keyboard.insertText(part);
        await panel.intent('draft');
      }
      await panel.page.keyboard.insertText(typed);
      await panel.reload();
      await post();
      assert.equal(await panel.composerText, '');
    });
  }

  it('keeps no copy of a draft that the host has on the disk: it may be removed in another page', async () => {
    const state = panelState();
    const post = (session: string) => panel.post({ type: 'snapshot', seq: 0, session, state });
    const confirm = (text: string) =>
      panel.post({ type: 'delta', seq: 1, changes: [{ type: 'draftSaved', text }] });
    await post('one');
    await panel.message.focus();
    for (const text of ['Hel', 'lo']) {
      await panel.page.keyboard.insertText(text);
      await panel.intent('draft');
    }
    await confirm('Hel');
    await panel.reload();
    await post('two');
    assert.equal(await panel.composerText, 'Hello');
    await panel.intent('draft');
    await confirm('Hello');
    await panel.reload();
    await post('three');
    assert.equal(await panel.composerText, '');
  });

  for (const session of ['one', 'another'] as const) {
    it(`doesn't bring back a draft that was sent past a queue that is paused, or waits (${session} session)`, async () => {
      const queue: QueueView = { messages: [{ id: 'q', text: 'Queued', context: [] }] };
      const turns = [message('1', 'Hi'), reply('2', 'Hello')];
      const state = panelState({ turns, queue });
      await panel.post({ type: 'snapshot', seq: 0, session: 'one', state });
      await panel.message.focus();
      await panel.page.keyboard.insertText('Send me once');
      await panel.intent('draft');
      await panel.reload();
      const conversation = { ...state.conversation, turns: [...turns, message('3', 'Send me once')] };
      await panel.post({ type: 'snapshot', seq: 0, session, state: { ...state, conversation } });
      assert.equal(await panel.composerText, '');
    });
  }

  it('keeps a draft while the queue goes on', async () => {
    const turns = [message('1', 'Hi'), reply('2', 'Hello')];
    const queue: QueueView = { messages: ['q', 'r'].map((id) => ({ id, text: id, context: [] })) };
    const state = panelState({ turns, queue });
    await panel.snapshot(state);
    await panel.message.focus();
    await panel.page.keyboard.insertText('Hello');
    await panel.reload();
    const conversation = { ...state.conversation, turns: [...turns, message('q', 'q')] };
    await panel.snapshot({ ...state, conversation });
    assert.equal(await panel.composerText, 'Hello');
  });

  it("prefers the host's draft after a reload if the host changed it", async () => {
    const state = panelState({ draft: 'Hel' });
    await panel.snapshot(state);
    await panel.message.press('End');
    await panel.page.keyboard.insertText('lo');
    await panel.reload();
    await panel.snapshot({ ...state, conversation: { ...state.conversation, draft: 'Look at this' } });
    assert.equal(await panel.composerText, 'Look at this');
  });

  it("doesn't bring a draft back, which may have been sent, if the messages before it were lost", async () => {
    const state = panelState({ turns: [message('1', 'First')] });
    await panel.snapshot(state);
    await panel.message.pressSequentially('Hello');
    await panel.reload();
    await panel.snapshot({ ...state, conversation: { ...state.conversation, turns: [] } });
    assert.equal(await panel.composerText, '');
  });

  it("doesn't bring a sent message back as a draft after a reload", async () => {
    const state = panelState();
    await panel.snapshot(state);
    await panel.message.pressSequentially('Hello');
    await panel.message.press('Enter');
    await panel.reload();
    await panel.snapshot({
      ...state,
      conversation: { ...state.conversation, turns: [message('1', 'Hello')] },
    });
    assert.equal(await panel.composerText, '');
  });

  it('posts the draft to the host before showing another conversation', async () => {
    const state = panelState();
    await panel.snapshot(state);
    await panel.message.pressSequentially('First!');
    await panel.change({ type: 'conversation', conversation: panelState({ draft: 'Second' }).conversation });
    assert.equal(await panel.composerText, 'Second');
    // If typing was slow, a part of it was posted before.
    assert.deepEqual((await panel.takeAll('draft')).at(-1), {
      type: 'draft',
      conversationId: state.conversation.id,
      text: 'First!',
    });
  });
});
