import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { echo } from '../service/bots/echo';
import { type LocalService, startLocalService } from '../service/localService';
import type { ProfileName } from '../service/profiles';
import { describeInWorkbench } from './support/describeInWorkbench';
import { openLink } from './support/openLink';

/** Its bot has a name of its own, so that a choice of the bot says which service it is on. */
const startOther = (profile: ProfileName) =>
  startLocalService({ bots: [{ ...echo, id: 'stage', name: 'Stage' }], profile });

// Each has windows of its own: the keys of other tests would stay in SecretStorage.
describeInWorkbench(
  'Several services in a real workbench',
  { host: 'either', bot: 'Echo', isolated: true },
  ({ workbench, service, person }) => {
    let other: LocalService;
    let proposed: LocalService;
    before(async () => {
      [other, proposed] = await Promise.all([startOther('minimal'), startOther('captured')]);
    });
    after(() => Promise.all([other.close(), proposed.close()]));

    const getSent = ({ requests }: LocalService) =>
      requests.flatMap(({ path: requested, body }) =>
        requested.endsWith('/messages/stream') ? [(body as { content: string }).content] : [],
      );
    const getKeys = ({ requests }: LocalService) => [
      ...new Set(
        requests.flatMap(({ origin, headers }) => (origin === 'api' ? (headers.authorization ?? []) : [])),
      ),
    ];

    it('a second one is added, and the conversations of both work side by side', async () => {
      const { quickInput } = workbench;
      await person.say('To the first');
      await person.reply('Echo');
      await workbench.runCommand('Parley: Add Service…');
      await quickInput.waitFor('Enter the URL of your service');
      await quickInput.type(other.baseUrl);
      await quickInput.waitFor('The name of the service');
      await quickInput.type('Staging');
      await quickInput.waitFor('The API key for');
      await quickInput.type(other.key);
      // It has no list of bots.
      await quickInput.waitFor('The bot’s ID');
      await quickInput.type('stage');
      await workbench.runCommand('Parley: New Conversation With…');
      await quickInput.pick('Enter a Bot ID…');
      await quickInput.pick('Staging');
      await quickInput.waitFor('The bot’s ID');
      await quickInput.type('stage');
      await person.seesNoTurns();
      await person.say('To the other');
      await person.reply('stage');
      const list = await person.list();
      await list.getByLabel('Service', { exact: true }).selectOption('Staging');
      assert.deepEqual(await list.locator('.list-name').allTextContents(), ['To the other']);
      await list.getByLabel('Service', { exact: true }).selectOption('All Services');
      await list.getByText('To the first').click();
      await person.seesTitle('To the first');
      await person.say('Again');
      await person.reply('Echo', 2);
      assert.deepEqual(getSent(service), ['To the first', 'Again']);
      assert.deepEqual(getSent(other), ['To the other']);
      assert.deepEqual(getKeys(service), [`Bearer ${service.key}`]);
      assert.deepEqual(getKeys(other), [`Bearer ${other.key}`]);
    });

    it('one that is removed leaves a readable conversation, which says how to add it again', async () => {
      const { quickInput, dialog } = workbench;
      await workbench.runCommand('Parley: Manage Services…');
      await quickInput.pick('Staging');
      await quickInput.pick('Remove…');
      assert.match(await dialog.text(), /Remove Staging from your services\?/);
      await dialog.press('Remove');
      await quickInput.waitFor('Manage Services');
      await quickInput.cancel();
      const list = await person.list();
      await list.getByText('To the other').click();
      await person.seesTitle('To the other');
      const panel = await workbench.panel();
      await panel.getByText(`This conversation belongs to ${new URL(other.baseUrl).host}`).waitFor();
      await person.press('Add Service');
      assert.match(await dialog.text(), /Nothing has been stored or sent yet/);
      await dialog.press('Connect');
      await quickInput.waitFor('The API key for');
      // The key is checked and stored before the conversation can go on.
      await person.untilFocusMoved(() => quickInput.type(other.key));
      await person.say('Back again');
      await person.reply('stage', 2);
      assert.deepEqual(getSent(other), ['To the other', 'Back again']);
    });

    const createLink = (parts: Record<string, string>) =>
      `vscode://parley.parley/connect?${encodeURIComponent(new URLSearchParams(parts).toString())}`;
    const readSettings = () =>
      readFile(path.join(workbench.userDataDir, 'User', 'settings.json'), 'utf8').catch(() => '');

    it('one is set up by a link after Connect, and nothing is stored or sent before', async () => {
      const { quickInput, dialog } = workbench;
      const link = createLink({ url: proposed.baseUrl, name: 'From the wiki', bot: 'stage' });
      const before = await readSettings();
      await openLink(workbench, link, 'Connect Parley to');
      const question = await dialog.text();
      assert.ok(question.includes(`Connect Parley to ${new URL(proposed.baseUrl).host}?`), question);
      assert.deepEqual([proposed.requests.length, await readSettings()], [0, before]);
      await dialog.dismiss();
      assert.deepEqual([proposed.requests.length, await readSettings()], [0, before]);
      await openLink(workbench, link, 'Connect Parley to');
      await dialog.press('Connect');
      await quickInput.waitFor('The API key for');
      assert.equal(proposed.requests.length, 0);
      await quickInput.type(proposed.key);
      await person.seesNoTurns();
      await person.say('By a link');
      await person.reply('Stage');
      assert.deepEqual(getSent(proposed), ['By a link']);
      assert.deepEqual(getKeys(proposed), [`Bearer ${proposed.key}`]);
    });

    it('one that .vscode/parley.json proposes is set up after Connect in the panel, and nothing is sent before', async () => {
      const { quickInput, dialog, workspaceDir } = workbench;
      const byFile = await startOther('hosted');
      try {
        await mkdir(path.join(workspaceDir, '.vscode'), { recursive: true });
        const json = { service: { name: 'From the repository', baseUrl: byFile.baseUrl } };
        await writeFile(path.join(workspaceDir, '.vscode', 'parley.json'), JSON.stringify(json));
        const panel = await workbench.panel();
        const { host } = new URL(byFile.baseUrl);
        await panel.getByText(`This workspace uses ${host}.`).waitFor();
        await person.press('Connect');
        assert.match(await dialog.text(), /Nothing has been stored or sent yet/);
        assert.equal(byFile.requests.length, 0);
        await dialog.press('Connect');
        await quickInput.waitFor('The API key for');
        assert.equal(byFile.requests.length, 0);
        await quickInput.type(byFile.key);
        await quickInput.pick('Stage');
        await person.seesNoTurns();
        await person.say('By a file');
        await person.reply('Stage');
        assert.deepEqual(getSent(byFile), ['By a file']);
        assert.equal(await panel.getByText('This workspace uses').count(), 0);
      } finally {
        await byFile.close();
        await rm(path.join(workspaceDir, '.vscode'), { recursive: true, force: true });
      }
    });

    it('a link opens a colleague’s conversation after confirmation, with its messages', async () => {
      const { host } = new URL(proposed.baseUrl);
      const key = { authorization: `Bearer ${proposed.key}`, 'content-type': 'application/json' };
      const post = async (operation: string, body: object) => {
        const response = await fetch(`${proposed.baseUrl}/${operation}`, {
          ...{ method: 'POST', headers: key, body: JSON.stringify(body) },
        });
        return (await response.json()) as { data: { id: string } };
      };
      const { data } = await post('conversations', { name: 'Colleague', bot_id: 'stage' });
      await post('messages', { conversation_id: data.id, content: 'Asked by a colleague' });
      const query = new URLSearchParams({ service: proposed.baseUrl, id: data.id, name: 'Colleague' });
      const countReads = () => proposed.requests.filter(({ path: asked }) => asked.includes(data.id)).length;
      await openLink(
        workbench,
        `vscode://parley.parley/conversation?${encodeURIComponent(String(query))}`,
        `Open “Colleague” from ${host}?`,
      );
      assert.equal(countReads(), 0);
      await person.untilFocusMoved(() => workbench.dialog.press('Open'));
      const panel = await workbench.panel();
      await panel.locator('.turn.message', { hasText: 'Asked by a colleague' }).waitFor();
      await person.seesTitle('Colleague');
    });

    it('a link with a key is refused', async () => {
      const before = await readSettings();
      const link = createLink({ url: 'https://bots.example.com/api/v1', key: 'k' });
      await openLink(workbench, link, 'Parley can’t use this set-up link');
      assert.match(await workbench.dialog.text(), /it is compromised: replace it/);
      await workbench.dialog.dismiss();
      assert.equal(await readSettings(), before);
    });
  },
);
