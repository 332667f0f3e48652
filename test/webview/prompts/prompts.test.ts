// biome-ignore-all lint/suspicious/noTemplateCurlyInString: prompts have variables in this syntax.
import assert from 'node:assert/strict';
import type { PanelState } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { message, panelState, reply, streaming } from '../support/states';

const prompts = [
  { id: 'personal/a', name: 'Review API', description: 'Reviews an API', source: 'personal' },
  { id: 'workspace/0/form.prompt.md', name: 'create-form', source: 'workspace' },
  { id: 'builtIn/explain', name: 'Explain', description: 'Explain this code.', source: 'builtIn' },
] as const;
const names = ['Review API', 'create-form', 'Explain', 'Manage Prompts…'];

describePanel('prompts', {}, (panel) => {
  let id: string;
  const list = () => panel.page.getByRole('listbox', { name: 'Prompts' });
  // Not `innerText`, which is empty until an option is laid out.
  const options = () => list().locator('.list-name').allTextContents();
  const selected = () => list().getByRole('option', { selected: true }).locator('.list-name').textContent();
  const press = (key: string) => panel.page.keyboard.press(key);
  const type = (text: string) => panel.page.keyboard.type(text);

  async function show(
    state: PanelState = panelState({ turns: [message('1', 'Hi'), reply('2', 'Hi')] }),
  ): Promise<void> {
    id = await panel.showLoaded(state);
    await panel.takeAll('listPrompts');
    await panel.message.focus();
  }
  /** Types a `/` and responds with the prompts. */
  async function open(state?: PanelState): Promise<void> {
    await show(state);
    await type('/');
    await panel.respond(await panel.intent('listPrompts'), prompts);
    await list().waitFor();
  }
  async function respondWith(parts: readonly { text: string; input?: string }[]): Promise<void> {
    const request = await panel.intent('usePrompt');
    await panel.respond(request, parts);
  }

  describe('list', () => {
    it('opens at a / at the start, filters as the user types, and closes without a match', async () => {
      await open();
      assert.deepEqual(await options(), names);
      await type('ex');
      assert.deepEqual(await options(), ['Explain']);
      await type('!');
      assert.equal(await list().count(), 0);
      await press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'send', conversationId: id, text: '/ex!' }]);
    });

    it('is announced as the popup of the text box, with the active option', async () => {
      await open();
      const attributes = () =>
        panel.message.evaluate((box) => [
          box.getAttribute('aria-controls'),
          document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent,
          box.getAttribute('aria-haspopup'),
          box.getAttribute('aria-autocomplete'),
        ]);
      const listId = await list().getAttribute('id');
      assert.deepEqual(await attributes(), [listId, 'Review APIReviews an API', 'listbox', 'list']);
      await press('ArrowDown');
      assert.deepEqual(await attributes(), [listId, 'create-form', 'listbox', 'list']);
      await press('Escape');
      assert.deepEqual(await attributes(), [null, undefined, null, null]);
    });

    it('is navigated with the arrow keys, around its ends', async () => {
      await open();
      await press('ArrowUp');
      assert.equal(await selected(), 'Manage Prompts…');
      await press('ArrowDown');
      await press('ArrowDown');
      assert.equal(await selected(), 'create-form');
    });

    for (const key of ['Enter', 'Tab']) {
      it(`inserts the active prompt with ${key}, without sending it`, async () => {
        await open();
        await type('exp');
        await press(key);
        const request = await panel.intent('usePrompt');
        assert.deepEqual([request.conversationId, request.promptId], [id, 'builtIn/explain']);
        await panel.respond(request, [{ text: 'Explain ' }, { text: 'it: /ex' }]);
        assert.equal(await panel.composerText, 'Explain it: /ex');
        assert.equal(await panel.message.evaluate((box) => box === document.activeElement), true);
        assert.equal(await list().count(), 0);
        assert.deepEqual(await panel.intents(), []);
      });
    }

    it('inserts the prompt that is clicked', async () => {
      await open();
      await list().getByRole('option', { name: 'create-form' }).click();
      await respondWith([{ text: 'Create it.' }]);
      assert.equal(await panel.composerText, 'Create it.');
    });

    it('keeps the text if the prompt can’t be used', async () => {
      await open();
      await press('Enter');
      await respondWith([]);
      assert.equal(await panel.composerText, '/');
    });

    it('inserts the prompt however long the host takes, because it may ask first', async () => {
      await open();
      await panel.page.clock.install();
      await type('ex');
      await press('Enter');
      const request = await panel.intent('usePrompt');
      await panel.page.clock.runFor(3_600_000);
      await panel.respond(request, [{ text: 'Explain it.' }]);
      assert.equal(await panel.composerText, 'Explain it.');
    });

    it('closes with Escape, without stopping the reply, until the next /', async () => {
      await open(panelState({ turns: [message('1', 'Hi'), streaming('2')] }));
      await press('Escape');
      assert.equal(await list().count(), 0);
      await type('ex');
      assert.equal(await list().count(), 0);
      assert.deepEqual(await panel.intents(), []);
      for (let count = 0; count < 3; count++) await press('Backspace');
      await type('/');
      await list().waitFor();
    });

    it('closes when the text box loses the focus', async () => {
      await open();
      await panel.button('Search the Web').focus();
      await list().waitFor({ state: 'detached' });
    });

    it('opens neither for a draft nor for a / inside the text', async () => {
      // Without a turn, the conversation would ask for prompts to offer.
      await show(panelState({ turns: [message('1', 'Hi'), reply('2', 'Hi')], draft: '/' }));
      await panel.message.press('End');
      await type('etc');
      await panel.message.fill('a ');
      await type('/');
      assert.deepEqual(await panel.takeAll('listPrompts'), []);
    });

    it('has an entry that manages the prompts', async () => {
      await open();
      await press('ArrowUp');
      await press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'managePrompts' }]);
      assert.equal(await panel.composerText, '');
    });

    it('spells out hidden characters in names [attack: prompt file]', async () => {
      await show();
      await type('/');
      await panel.respond(await panel.intent('listPrompts'), [
        { id: 'x', name: 'a\u202eb', source: 'workspace' },
      ]);
      await list().getByText('a\\u{202e}b', { exact: true }).waitFor();
      assert.deepEqual(await options(), ['a\\u{202e}b', 'Manage Prompts…']);
    });
  });

  describe('inputs', () => {
    const form = () => panel.page.getByRole('region', { name: 'Inputs for the prompt “Review API”' });
    const parts = [
      { text: 'Review ' },
      { text: 'path of the API', input: 'api' },
      { text: ' for ' },
      { text: '', input: 'aim' },
      { text: ', ' },
      { text: 'path of the API', input: 'api' },
    ];
    const openForm = async () => {
      await open();
      await press('Enter');
      await respondWith(parts);
      await form().waitFor();
    };

    it('are filled in with the keyboard, and counted while the user types', async () => {
      await openForm();
      assert.equal(await panel.composerText, '');
      assert.deepEqual(
        await form()
          .getByRole('textbox')
          .evaluateAll((boxes) => boxes.map((box) => (box as HTMLTextAreaElement).placeholder)),
        ['path of the API', ''],
      );
      await type('${file}');
      await form().getByRole('img', { name: '28 of 2,000 characters' }).waitFor();
      await press('Enter');
      await type('speed');
      await press('Enter');
      assert.equal(await panel.composerText, 'Review ${file} for speed, ${file}');
      assert.equal(await form().count(), 0);
      assert.deepEqual(await panel.intents(), []);
      assert.equal(await panel.message.evaluate((box) => box === document.activeElement), true);
    });

    it('are left with Escape, which inserts nothing', async () => {
      await openForm();
      await press('Escape');
      assert.equal(await form().count(), 0);
      assert.equal(await panel.composerText, '');
      assert.equal(await panel.message.evaluate((box) => box === document.activeElement), true);
    });

    it('puts a prompt’s inputs before the composer’s text', async () => {
      await openForm();
      await panel.message.fill('And be short.');
      await panel.button('Insert').click();
      assert.equal(await panel.composerText, 'Review  for , \n\nAnd be short.');
    });
  });

  describe('outside the composer', () => {
    it('prompt buttons in an empty conversation keep the draft', async () => {
      await panel.showLoaded(panelState({ draft: '/usr' }));
      await panel.respond(await panel.intent('listPrompts'), prompts);
      const buttons = panel.page.getByRole('region', { name: 'Prompts' }).getByRole('button');
      assert.deepEqual(await buttons.allInnerTexts(), ['Review API', 'create-form', 'Explain']);
      await buttons.last().click();
      await respondWith([{ text: 'Explain it.' }]);
      assert.equal(await panel.composerText, 'Explain it.\n\n/usr');
    });

    it('are saved from a message', async () => {
      await show();
      await panel.button('Save as Prompt…').click();
      assert.deepEqual(await panel.intents(), [{ type: 'savePrompt', conversationId: id, turnId: '1' }]);
    });
  });
});
