import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';

const zebra = '# Animals\n\nThe zebra sleeps standing up.\n';

describeInWorkbench(
  'The documents of a repository',
  {
    host: 'both',
    bot: 'Guide',
    service: { profile: 'hosted', listingMs: 0, conversionMs: 0 },
    workspaceFiles: {
      '.vscode/parley.json': '{ "documents": { "files": "docs/*.md", "folder": "Handbooks" } }',
      'docs/animals.md': zebra,
      'docs/plants.md': '# Plants\n\nMoss likes shade.\n',
      'docs/.env.md': 'TOKEN=1\n',
    },
  },
  ({ workbench, service, person }) => {
    const line = async (text: string) =>
      (await workbench.panel()).getByRole('region', { name: 'Documents of This Workspace' }).getByText(text);
    const sync = async () => {
      const panel = await workbench.panel();
      await panel.getByRole('button', { name: 'Sync Documents…' }).press('Enter');
      await workbench.quickInput.waitFor('Sync Documents with');
      const labels = await workbench.quickInput.getLabels();
      await person.untilFocusMoved(() => workbench.quickInput.type(''));
      return labels.toSorted();
    };
    const getTexts = () =>
      [...service.documents.values()].map(({ key }) => service.objects.get(key)?.toString()).toSorted();
    /** Waits until the service has these texts: the line may go before the last request has been answered. */
    const waitForTexts = (...texts: string[]) =>
      waitUntil(`the service has ${texts.join(', ')}`, () => isDeepStrictEqual(getTexts(), texts));

    it('are offered above the composer, listed, and uploaded after one yes', async () => {
      await (await line('2 documents of this workspace haven’t been synced from this machine yet')).waitFor();
      assert.equal(service.documents.size, 0);
      const labels = await sync();
      assert.deepEqual(labels, ['docs/animals.md', 'docs/plants.md']);
      await (await line('2 documents of this workspace haven’t been synced from this machine yet')).waitFor({
        state: 'detached',
      });
      await waitForTexts(zebra, '# Plants\n\nMoss likes shade.\n');
      assert.deepEqual(
        [...new Set([...service.documents.values()].map((each) => each.folder_id))],
        ['handbooks'],
      );
    });

    it('are what the bot of a new conversation answers from', async () => {
      await person.say('How does the zebra sleep?');
      await person.reply('Guide');
      const panel = await workbench.panel();
      await panel.getByRole('list', { name: 'Sources' }).getByText('animals.md').waitFor();
    });

    it('are told to have changed above the composer and below the reply, and wait', async () => {
      await writeFile(
        path.join(workbench.workspaceDir, 'docs', 'animals.md'),
        '# Animals\n\nIt lies down.\n',
      );
      const panel = await workbench.panel();
      await (await line('1 of 2 documents has changed')).waitFor();
      await panel.getByText('animals.md has changed since this answer.').waitFor();
      assert.equal(getTexts().includes(zebra), true);
      assert.deepEqual(await sync(), ['docs/animals.md']);
      await (await line('1 of 2 documents has changed')).waitFor({ state: 'detached' });
      await waitForTexts('# Animals\n\nIt lies down.\n', '# Plants\n\nMoss likes shade.\n');
    });
  },
);
