import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getDefaultBotId, getDefaultBotIds, setDefaultBotId } from '../../../src/host/base/settings';
import { type BotItem, createBotItems, pickBot } from '../../../src/host/service/botPicker';
import { waitUntil } from '../../support/waitUntil';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';

const guide = { id: 'guide', name: 'Guide' };
const echo = { id: 'echo', name: 'Echo' };

describe('The bot picker', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let answer: (shown: Shown) => unknown;

  beforeEach(async () => {
    fixture = await startServices();
    answer = () => undefined;
    recorded = new RecordedWindow((shown) => answer(shown));
  });
  afterEach(async () => {
    recorded.dispose();
    await fixture.close();
  });

  const at = { baseUrl: 'https://bots.example/api/v1' };
  const service = { ...at, name: 'bots.example' };
  const labels = (items: readonly vscode.QuickPickItem[]) => items.map(({ label }) => label);
  const chooseBot = (id: string) => (shown: Shown) =>
    shown.items.find((item: BotItem) => item.bot?.id === id);

  it('lists recent bots first, each with its model and id, and marks the current one', () => {
    const listed = [echo, { ...guide, model: 'large-2' }, { id: 'b', name: '' }];
    const gone = { id: 'gone', name: 'Gone' };
    const items = createBotItems([{ service, listed }], { recent: [guide, gone, guide], current: guide });
    assert.deepEqual(labels(items), [
      ...['Recently used', 'Guide'],
      ...['Other bots', 'Echo', 'b'],
      ...['', 'Enter a Bot ID…'],
    ]);
    assert.equal(items[1]?.description, 'current · large-2 · guide');
    assert.deepEqual(items[1]?.bot, { ...guide, ...at });
    const beforeList = createBotItems([{ service, listed: undefined }], {
      recent: [guide, gone],
      offersNew: true,
    });
    assert.deepEqual(labels(beforeList).slice(1, 3), ['Guide', 'Gone']);
  });

  it('shows the id of a bot whose name can’t be seen, which an imported conversation may have', () => {
    for (const name of ['', '  ', '\u200b\u2060']) {
      const [, item] = createBotItems([{ service, listed: undefined }], { recent: [{ id: 'b', name }] });
      assert.deepEqual([item?.label, item?.description, item?.bot], ['b', '', { id: 'b', name: 'b', ...at }]);
    }
  });

  it('offers a new conversation by a button of each bot, and by an item for the keyboard', async () => {
    const options = { title: 'Change Bot', recent: [guide], offersNew: true };
    answer = (shown) => chooseBot('echo')(shown)?.buttons?.[0];
    assert.deepEqual(await pickBot(fixture.services.bots, options), {
      bot: { ...echo, baseUrl: fixture.service.baseUrl },
      isNew: true,
    });
    answer = (shown) =>
      shown.texts[0] === 'Change Bot'
        ? shown.items.find(({ label }) => label === 'New Conversation With…')
        : chooseBot('guide')(shown);
    assert.deepEqual(await pickBot(fixture.services.bots, options), {
      bot: { ...guide, baseUrl: fixture.service.baseUrl },
      isNew: true,
    });
  });

  it('keeps the active item when the service’s bots are listed', async () => {
    const picked = pickBot(fixture.services.bots, { title: 'Choose', recent: [guide], offersNew: true });
    const pick = recorded.quickPick;
    assert.ok(pick);
    pick.activeItems = pick.items.filter(({ label }) => label === 'New Conversation With…');
    await waitUntil('the service’s bots are listed', () => labels(pick.items).includes('Echo'));
    assert.deepEqual(labels(pick.activeItems), ['New Conversation With…']);
    assert.ok(pick.items.includes(pick.activeItems[0] as vscode.QuickPickItem));
    pick.hide();
    await picked;
  });

  it('lists the bots known in this session at once, and leaves them alone if the service has the same', async () => {
    const { bots } = fixture.services;
    await bots.listBots();
    const picked = pickBot(bots, { title: 'Choose', recent: [] });
    const pick = recorded.quickPick;
    assert.ok(pick);
    const { items } = pick;
    assert.ok(labels(items).includes('Echo'));
    await waitUntil('the service has answered', () => !pick.busy);
    assert.equal(pick.items, items);
    pick.hide();
    await picked;
  });

  it('asks for an id if the service lists no bots', async () => {
    const { bots } = fixture.services;
    bots.listBots = async () => undefined;
    answer = ({ by }) => (by === 'InputBox' ? ' guide ' : undefined);
    const choice = await pickBot(bots, { title: 'Choose', recent: [] });
    assert.equal(choice?.bot.id, 'guide');
  });

  it('offers a fork in the same ways if the conversation has messages', async () => {
    const options = { title: 'Change Bot', recent: [guide], offersNew: true, offersFork: true };
    answer = (shown) => chooseBot('echo')(shown)?.buttons?.[1];
    assert.deepEqual(await pickBot(fixture.services.bots, options), {
      bot: { ...echo, baseUrl: fixture.service.baseUrl },
      isFork: true,
    });
    answer = (shown) => chooseBot('echo')(shown)?.buttons?.[0];
    assert.deepEqual(await pickBot(fixture.services.bots, options), {
      bot: { ...echo, baseUrl: fixture.service.baseUrl },
      isNew: true,
    });
    answer = (shown) =>
      shown.texts[0] === 'Change Bot'
        ? shown.items.find(({ label }) => label === 'Fork With…')
        : chooseBot('guide')(shown);
    assert.deepEqual(await pickBot(fixture.services.bots, options), {
      bot: { ...guide, baseUrl: fixture.service.baseUrl },
      isFork: true,
    });
  });

  it('changes the bot of the conversation, or opens a new one with the bot', async () => {
    const { chat, conversations, panel } = fixture.services;
    const { id } = chat.createConversation(guide);
    answer = chooseBot('echo');
    await conversations.changeBot(id);
    assert.equal(chat.findConversation(id)?.bot?.id, 'echo');
    const opened: unknown[] = [];
    panel.openNew = async (bot) => void opened.push(bot);
    await conversations.openNewWith();
    answer = (shown) => chooseBot('guide')(shown)?.buttons?.[0];
    await conversations.changeBot(id);
    assert.deepEqual(
      [opened, chat.findConversation(id)?.bot?.id],
      [[echo, guide].map((bot) => ({ ...bot, baseUrl: fixture.service.baseUrl })), 'echo'],
    );
  });

  describe('for the default bot', () => {
    const chooseIn = (place: string, id: string) => (shown: Shown) =>
      shown.items.find(({ label }) => label === place) ?? chooseBot(id)(shown);
    const inspect = () => vscode.workspace.getConfiguration('parley').inspect<string>('botId');

    beforeEach(function () {
      if (!vscode.workspace.workspaceFolders?.length) this.skip();
    });
    afterEach(async () => {
      if (inspect()?.workspaceValue !== undefined)
        await vscode.workspace
          .getConfiguration('parley')
          .update('botId', undefined, vscode.ConfigurationTarget.Workspace);
    });

    it('says where it comes from, and saves it for this workspace or for all', async () => {
      const { setup } = fixture.services;
      answer = chooseIn('This Workspace', 'guide');
      assert.equal((await setup.askDefaultBot([]))?.id, 'guide');
      assert.ok(recorded.texts.some((text) => /^The default is .*, from your user settings$/.test(text)));
      assert.deepEqual(getDefaultBotIds(), { user: 'echo', workspace: 'guide' });
      answer = chooseIn('All Workspaces', 'echo');
      await setup.askDefaultBot([]);
      assert.ok(recorded.texts.some((text) => /^The default is Guide, from this workspace/.test(text)));
      assert.ok(recorded.texts.some((text) => text.startsWith('Removes Guide from this workspace')));
      assert.deepEqual([getDefaultBotId(), inspect()?.workspaceValue], ['echo', undefined]);
    });

    it('is saved for all workspaces without another question if none is set', async () => {
      await setDefaultBotId('');
      answer = chooseBot('guide');
      await fixture.services.setup.askDefaultBot([]);
      assert.deepEqual(getDefaultBotIds(), { user: 'guide', workspace: undefined });
    });

    it('the default bot stays if the second question is canceled', async () => {
      answer = chooseBot('guide');
      assert.equal(await fixture.services.setup.askDefaultBot([]), undefined);
      assert.equal(getDefaultBotId(), 'echo');
    });
  });
});
