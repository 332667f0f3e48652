// biome-ignore-all lint/suspicious/noTemplateCurlyInString: prompts have variables in this syntax.
import assert from 'node:assert/strict';
import path from 'node:path';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';

/** Far more turns than are read or drawn when the conversation opens; only the first has the word “zebra”. */
const TURN_PAIRS = 300;
const at = Date.UTC(2026, 0, 1);
const longConversation = {
  parley: 1,
  conversation: { id: 'c', name: 'Long talk', createdAt: at },
  turns: Array.from({ length: TURN_PAIRS }, (_, index) => [
    { kind: 'message', id: `m${index}`, at, text: `Question ${index}` },
    {
      ...{ kind: 'reply', id: `r${index}`, at, messageId: `m${index}`, bot: 'Echo', ending: 'complete' },
      text: index === 0 ? '## Sleep\n\nThe zebra sleeps standing up.' : `Answer ${index}.\n\nAnd more.`,
    },
  ]).flat(),
};

describeInWorkbench(
  'The panel in a real workbench',
  {
    host: 'either',
    bot: 'Echo',
    settings: { 'files.simpleDialog.enable': true },
    workspaceFiles: {
      'animals.md': 'The okapi has a blue tongue.\n',
      'shelf/one.txt': 'The first file.\n',
      'shelf/two.txt': 'The second file.\n',
      'long.json': JSON.stringify(longConversation),
      '.github/prompts/rate.prompt.md':
        '---\ndescription: Rates a text\n---\nRate ${file} for **${input:audience:Who reads it?}**.\n',
      '.github/prompts/shorten.prompt.md': 'Shorten this: ${selection}\n',
      'notes.txt': 'A note.\n',
    },
  },
  ({ workbench, service, person }) => {
    const getSent = () =>
      service.requests.flatMap(({ path: requested, body }) =>
        requested.endsWith('/messages/stream') ? [(body as { content: string }).content] : [],
      );
    const waitForFocus = async (selector: string) =>
      (await workbench.panel()).locator(`${selector}:focus`).waitFor();

    describe('Mentions', () => {
      it('mention a file of the workspace, which becomes a chip and is sent with the message', async () => {
        const { keyboard } = workbench.page;
        const panel = await workbench.panel();
        // The list of mentions is loaded with this button, when the page is idle.
        await panel.getByRole('button', { name: 'Add Context…' }).waitFor();
        await person.type('Which color is the tongue? @anim');
        const mentions = panel.getByRole('listbox', { name: 'Mentions' });
        await mentions
          .getByRole('option', { name: /^animals\.md.*\d+ characters$/, selected: true })
          .waitFor();
        await keyboard.press('Enter');
        const chips = panel.getByRole('list', { name: 'Context' });
        await chips.getByText('animals.md').waitFor();
        await waitForFocus('#message');
        assert.equal(await (await person.composer()).inputValue(), 'Which color is the tongue? ');
        await keyboard.press('Enter');
        assert.match(await person.reply('Echo'), /The okapi has a blue tongue\./);
        assert.equal(getSent().length, 1);
        assert.match(
          getSent()[0] ?? '',
          /^Which color is the tongue\?[\s\S]*animals\.md[\s\S]*blue tongue\./,
        );
      });

      it('mention a folder, whose files are uploaded after confirmation', async () => {
        const { keyboard } = workbench.page;
        await person.type('@shelf');
        const mentions = (await workbench.panel()).getByRole('listbox', { name: 'Mentions' });
        await mentions.getByRole('option', { name: /^shelf\s*Folder/, selected: true }).waitFor();
        await keyboard.press('Enter');
        await workbench.quickInput.waitFor('Upload 2 files');
        assert.equal(service.documents.size, 0);
        await workbench.page.locator('.quick-input-widget input[type=text]:focus').waitFor();
        await keyboard.press('Enter');
        for (const name of ['one.txt', 'two.txt']) await person.sees(name);
        await waitUntil('both files are on the service', () => service.documents.size === 2);
      });
    });

    describe('Prompts', () => {
      const openPrompts = async () => {
        await person.type('/');
        const list = (await workbench.panel()).getByRole('listbox', { name: 'Prompts' });
        await list.waitFor();
        return list;
      };

      before(() => person.newConversation());

      it('are listed after /, ask for their inputs, and are sent with their values, by keyboard only', async () => {
        const { keyboard } = workbench.page;
        await workbench.editor.open('notes.txt');
        const list = await openPrompts();
        await keyboard.type('rate');
        await list.getByRole('option', { name: 'rate', selected: true }).getByText('Rates a text').waitFor();
        await keyboard.press('Enter');
        const panel = await workbench.panel();
        await panel.getByPlaceholder('Who reads it?').waitFor();
        await keyboard.type('my team');
        await keyboard.press('Enter');
        const composer = await person.composer();
        await panel.waitForFunction(
          (box) => (box as HTMLTextAreaElement).value === 'Rate notes.txt for **my team**.',
          await composer.elementHandle(),
        );
        await keyboard.press('Enter');
        assert.match(await person.reply('Echo'), /Rate notes\.txt for/);
        // A message is Markdown as well.
        await (await person.lastTurn('You')).locator('strong').getByText('my team').waitFor();
      });

      it('are in the menu of the lightbulb for a selection, by keyboard only', async () => {
        const { keyboard } = workbench.page;
        const lightbulb = workbench.page.locator('.lightBulbWidget');
        await workbench.editor.open('notes.txt');
        // VS Code drops a menu that was asked for if it then looks for actions on its own, as it does after each selection:
        // the lightbulb shows that it has.
        await keyboard.press('Control+Home');
        await lightbulb.waitFor({ state: 'hidden' });
        await keyboard.press('Shift+End');
        await lightbulb.waitFor();
        await keyboard.press('Control+.');
        await workbench.page
          .locator('.action-widget .monaco-list-row.focused', { hasText: 'Ask Parley: shorten' })
          .waitFor();
        await keyboard.press('Enter');
        const composer = await person.composer();
        await waitUntil(
          'the prompt is in the composer',
          async () => (await composer.inputValue()) === 'Shorten this: A note.',
        );
        await waitForFocus('#message');
        await composer.fill('');
      });
    });

    describe('Diagrams, find and the timeline', () => {
      it('open a diagram of a reply in a tab, and draw it as an image', async () => {
        await person.newConversation();
        const script = service.script();
        await person.say('Draw it');
        script.chunk('```mermaid\nflowchart LR\n  okapi --> zebra\n```\n');
        script.end();
        await person.reply('Echo');
        const panel = await workbench.panel();
        await panel.getByRole('button', { name: 'Open Diagram' }).press('Enter');
        const tab = await workbench.panel('editor');
        const image = tab.getByRole('img', { name: 'Diagram' });
        await image.waitFor();
        const drawn = await image.evaluate(async (element: HTMLImageElement) => {
          await element.decode();
          return { width: element.naturalWidth, markup: decodeURIComponent(element.src) };
        });
        assert.ok(drawn.width > 50, `${drawn.width}`);
        assert.match(drawn.markup, /^data:image\/svg\+xml[^<]*<svg[\s\S]*okapi[\s\S]*zebra/);
      });

      it('find a text that is far away, and return with Escape', async () => {
        const { keyboard } = workbench.page;
        await workbench.runCommand('Parley: Import Conversation…');
        const file = path.join(workbench.workspaceDir, 'long.json');
        await workbench.quickInput.enterPath('Import Conversation', '/workspace/', file);
        await workbench.notifications.close('Imported “Long talk”.');
        await person.seesTitle('Long talk');
        await person.waitUntilKeysWork();
        await keyboard.press('ControlOrMeta+F');
        await waitForFocus('.find-input');
        await keyboard.type('zebra');
        const panel = await workbench.panel();
        const find = panel.getByRole('search', { name: 'Find' });
        await find.getByRole('status').getByText('1 of 1').waitFor();
        await panel.waitForFunction(() => {
          const [range] = CSS.highlights.get('find-current') ?? [];
          const { top = 0, bottom = 0 } = (range as Range | undefined)?.getBoundingClientRect() ?? {};
          return `${range}` === 'zebra' && top > 0 && bottom < innerHeight;
        });
        await keyboard.press('Escape');
        await waitForFocus('#message');
        await person.sees(`Answer ${TURN_PAIRS - 1}.`);
        await panel.waitForFunction(() => {
          const {
            scrollTop = 0,
            clientHeight = 0,
            scrollHeight = 0,
          } = document.querySelector('.transcript') ?? {};
          return scrollHeight - scrollTop - clientHeight < 2;
        });
      });

      it('go to a question that is far away in the timeline', async () => {
        const { keyboard } = workbench.page;
        const panel = await workbench.panel();
        const rows = panel.getByRole('navigation', { name: 'Timeline' }).getByRole('treeitem');
        await keyboard.press('ControlOrMeta+Shift+O');
        await waitForFocus('.timeline input');
        await keyboard.type('question 77');
        await rows
          .and(panel.locator('[aria-selected=true]'))
          .getByText('Question 77', { exact: true })
          .waitFor();
        await keyboard.press('Enter');
        await waitForFocus('[data-turn=m77]');
        await panel.getByText('Answer 77.').waitFor();
      });
    });
  },
);
