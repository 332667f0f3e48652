import assert from 'node:assert/strict';
import type { MentionView } from '../../../src/shared/conversation/mention';
import type { PanelState } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { message, panelState, reply, streaming } from '../support/states';

const mentions: readonly MentionView[] = [
  { id: '1', kind: 'editor', name: 'app.ts', description: 'src', characters: 1234 },
  { id: '2', kind: 'diff', name: 'Git Diff', description: 'sample', characters: 2001 },
  { id: '3', kind: 'terminal', name: 'Terminal Selection', description: 'bash' },
  { id: '4', kind: 'folder', name: 'src', uploads: true },
];
const names = ['app.ts', 'Git Diff', 'Terminal Selection', 'src', 'More Context…'];

describePanel('mentions', {}, (panel) => {
  let id: string;
  const list = () => panel.page.getByRole('listbox', { name: 'Mentions' });
  const options = () => list().locator('.list-name').allTextContents();
  const press = (key: string) => panel.page.keyboard.press(key);
  const type = (text: string) => panel.page.keyboard.type(text);
  const found = (value: readonly MentionView[], isSearching = false) => ({ mentions: value, isSearching });
  const isFocused = () => panel.message.evaluate((box) => box === document.activeElement);

  async function show(
    state: PanelState = panelState({ turns: [message('1', 'Hi'), reply('2', 'Hi')] }),
  ): Promise<void> {
    id = await panel.showLoaded(state);
    await panel.takeAll('findMentions');
    await panel.message.focus();
    await press('ControlOrMeta+End');
  }
  /** Types a text that ends with an `@`, and responds with the mentions. */
  async function open(text = '@', state?: PanelState): Promise<void> {
    await show(state);
    await type(text);
    await panel.respond(await panel.intent('findMentions'), found(mentions));
    await list().waitFor();
  }

  describe('the list', () => {
    it('opens at an @, and shows which mentions fit into the message', async () => {
      await open('What is in @');
      assert.deepEqual(await options(), names);
      assert.deepEqual(
        await list()
          .getByRole('option')
          .evaluateAll((all) => all.map((option) => option.ariaLabel ?? option.textContent)),
        [
          'app.tsOpen Editorsrc1,2341,234 characters',
          'Git DiffsampleUploadUpload',
          'Terminal Selectionbash…Size not known until it’s added',
          'srcFolderUploadUpload',
          'More Context…',
        ],
      );
    });

    it('counts the chips that are already in the message', async () => {
      await show();
      await panel.message.fill('x'.repeat(764));
      await type(' @');
      await panel.respond(await panel.intent('findMentions'), found(mentions));
      await list().waitFor();
      assert.match((await list().getByRole('option').first().textContent()) ?? '', /1,234/);
      await press('Backspace');
      await press('Backspace');
      await type('y @');
      await panel.respond(await panel.intent('findMentions'), found(mentions));
      assert.match((await list().getByRole('option').first().textContent()) ?? '', /UploadUpload/);
    });

    it('searches as the user types, and shows only matches in the meantime', async () => {
      await open();
      const [first] = await panel.takeAll('findMentions');
      assert.equal(first, undefined);
      await type('term');
      assert.deepEqual(await options(), ['Terminal Selection']);
      const request = await panel.page.waitForFunction(() =>
        window.intents.findLast((intent) => intent.type === 'findMentions' && intent.query === 'term'),
      );
      await panel.respond(
        (await request.jsonValue()) as never,
        found([{ id: '9', kind: 'file', name: 'term.md' }]),
      );
      assert.deepEqual(await options(), ['term.md']);
    });

    it('ignores the response to an earlier query', async () => {
      await show();
      await type('@');
      const first = await panel.intent('findMentions');
      await type('a');
      const second = await panel.intent('findMentions');
      await panel.respond(second, found([{ id: '8', kind: 'file', name: 'a.md' }]));
      await panel.respond(first, found(mentions));
      assert.deepEqual(await options(), ['a.md']);
      assert.deepEqual([first.query, second.query, first.conversationId], ['', 'a', id]);
      assert.equal(first.listId, second.listId);
      await press('Escape');
      await type(' @');
      assert.notEqual((await panel.intent('findMentions')).listId, first.listId);
    });

    it('keeps Enter while the host searches, so that the message isn’t sent half-written', async () => {
      await show();
      await type('@app');
      await panel.page.getByText('Searching…').waitFor();
      await press('Enter');
      assert.deepEqual(await panel.intents(), []);
      assert.equal(await panel.composerText, '@app');
    });

    it('keeps what else there is behind its name', async () => {
      await open();
      for (const [typed, shown] of [
        ['m', 1],
        ['oe', 0],
      ] as const) {
        await type(typed);
        const request = await panel.intent('findMentions');
        await panel.respond(request, found([]));
        assert.equal(await list().getByRole('option', { name: 'More Context…' }).count(), shown);
      }
    });

    it('leaves Enter to the message if nothing matches', async () => {
      await show();
      await type('@bob');
      const request = await panel.page.waitForFunction(() =>
        window.intents.findLast((intent) => intent.type === 'findMentions' && intent.query === 'bob'),
      );
      await panel.respond((await request.jsonValue()) as never, found([]));
      assert.equal(await list().count(), 0);
      await press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: '@bob' }]);
    });

    it('announces the length of the list of mentions', async () => {
      await open();
      await panel.page.locator('#announcements').getByText('4 results').waitFor();
    });

    it('closes with Escape, which keeps the text and doesn’t stop the reply', async () => {
      await open('to @', panelState({ turns: [message('1', 'Hi'), streaming('2')] }));
      await press('Escape');
      assert.equal(await list().count(), 0);
      assert.equal(await panel.composerText, 'to @');
      await type('app');
      assert.equal(await list().count(), 0);
      assert.deepEqual(await panel.intents(), []);
    });

    for (const key of ['Space', 'Home', 'Shift+ArrowLeft']) {
      it(`closes with ${key}`, async () => {
        await open('to @');
        await press(key);
        await list().waitFor({ state: 'detached' });
      });
    }

    it('opens neither in an e-mail address nor for a pasted @ or a draft', async () => {
      await show(panelState({ draft: 'cc @' }));
      await type('ana@example.com, a@');
      await panel.message.evaluate((box: HTMLTextAreaElement) => {
        box.setRangeText(' @', box.value.length, box.value.length, 'end');
        box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
      });
      await panel.drawn();
      assert.deepEqual(await panel.takeAll('findMentions'), []);
      assert.equal(await list().count(), 0);
    });

    it('opens with the button, without an @', async () => {
      await show(panelState({ draft: 'About' }));
      await panel.button('Add Context…').press('Enter');
      await panel.respond(await panel.intent('findMentions'), found(mentions));
      assert.deepEqual(await options(), names);
      assert.equal(await isFocused(), true);
      await type('Git');
      assert.deepEqual(await options(), ['Git Diff']);
      await press('Escape');
      assert.equal(await panel.composerText, 'AboutGit');
    });

    it('leads to VS Code’s list of context', async () => {
      await open();
      await press('ArrowUp');
      await press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'addContext', conversationId: id }]);
      assert.equal(await panel.composerText, '');
    });

    it('spells out hidden characters in names [attack: file name]', async () => {
      await show();
      await type('@');
      await panel.respond(
        await panel.intent('findMentions'),
        found([{ id: '1', kind: 'file', name: 'a\u202eb', description: 'c\u0007' }]),
      );
      const option = list().getByRole('option').first();
      assert.match((await option.textContent()) ?? '', /^a\\u\{202e\}bFilec\\u\{7\}/);
    });
  });

  describe('a mention', () => {
    for (const key of ['Enter', 'Tab']) {
      it(`takes the place of what was typed for it, with ${key}`, async () => {
        await show(panelState({ draft: 'See  for more' }));
        for (let count = 0; count < 9; count++) await press('ArrowLeft');
        await type('@');
        await panel.respond(await panel.intent('findMentions'), found(mentions));
        await press(key);
        const { mentionId, remainingCharacters, conversationId } = await panel.intent('useMention');
        assert.deepEqual([mentionId, remainingCharacters, conversationId], ['1', 2000 - 12 - 2, id]);
        assert.equal(await panel.composerText, 'See for more');
        assert.equal(await panel.message.evaluate((box: HTMLTextAreaElement) => box.selectionStart), 4);
        assert.equal(await list().count(), 0);
        assert.equal(await isFocused(), true);
      });
    }

    it('announces a mention once it is a chip', async () => {
      await open();
      await press('Enter');
      await panel.respond(await panel.intent('useMention'), 'chip');
      await panel.page.locator('#announcements').getByText('Added app.ts').waitFor();
    });

    it('a choice is announced however long the host takes, because it may ask first', async () => {
      await open();
      await panel.page.clock.install();
      await press('Enter');
      const request = await panel.intent('useMention');
      await panel.page.clock.runFor(3_600_000);
      await panel.respond(request, 'chip');
      await panel.page.locator('#announcements').getByText('Added app.ts').waitFor();
    });

    it('is chosen by a click', async () => {
      await open();
      await list().getByRole('option', { name: 'src' }).last().click();
      assert.equal((await panel.intent('useMention')).mentionId, '4');
      assert.equal(await isFocused(), true);
    });
  });
});
