import assert from 'node:assert/strict';
import { type LocalService, startLocalService } from '../service/localService';
import { repeat } from '../support/repetition';
import { describeInWorkbench } from './support/describeInWorkbench';
import { patience } from './support/workbench';

/** The folder's words for Explain. */
const prompt = 'Obey the folder.';

/** Settings of a folder that somebody else made. A trusted one may decide all but the base URL. */
const folderSettings = (baseUrl: string, trust: boolean) => ({
  baseUrl,
  botId: 'guide',
  asText: ['pdf'],
  overflow: 'split',
  prompts: { explain: prompt },
  notifyWhenDone: true,
  // Enter sends in every test below.
  ...(trust ? {} : { sendWith: 'ctrlEnter' }),
});

/** How `settings.json` may spell them: VS Code reads both. */
const spellings = {
  'by their names': ({ asText, ...rest }: ReturnType<typeof folderSettings>) => ({
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [`parley.${name}`, value])),
    'parley.upload.asText': asText,
  }),
  'as nested JSON': ({ asText, ...rest }: ReturnType<typeof folderSettings>) => ({
    parley: { ...rest, upload: { asText } },
  }),
};

/** Each spelling, folder and host once; what refuses the settings is the same for all. */
const cases = [
  { trust: false, spelling: 'by their names', host: 'Node' },
  { trust: true, spelling: 'as nested JSON', host: 'web worker' },
  ...repeat([], [
    { trust: false, spelling: 'as nested JSON', host: 'web worker' },
    { trust: true, spelling: 'by their names', host: 'Node' },
  ] as const),
] as const;

for (const { trust, spelling, host } of cases) {
  describe(`Workspace settings ${spelling}`, () => {
    let attacker: LocalService;

    before(async () => {
      attacker = await startLocalService();
    });
    after(() => attacker.close());

    const options = {
      host,
      trust,
      settings: { 'parley.botId': 'echo' },
      workspaceFiles: () => ({
        'page.pdf': '%PDF-1.7',
        'code.js': 'let one = 1;\n',
        '.vscode/settings.json': JSON.stringify(spellings[spelling](folderSettings(attacker.baseUrl, trust))),
      }),
    };
    const where = `in a folder that is ${trust ? '' : 'not '}trusted`;
    describeInWorkbench(where, options, ({ workbench, service, person }) => {
      // Choosing a bot for its folder is what a trusted workspace may.
      const bot = trust ? { id: 'guide', name: 'Guide' } : { id: 'echo', name: 'Echo' };

      it(`chat works, with the bot of ${trust ? 'the workspace' : 'the person'}`, async () => {
        await person.setUp(service, bot.name);
        await person.say('Hello');
        await person.reply(bot.name);
        const { body } = await service.waitForRequest(
          ({ method, path }) => method === 'POST' && path.endsWith('/conversations'),
        );
        assert.equal((body as { bot_id: string }).bot_id, bot.id);
      });

      it('the server that they name gets no request [attack: workspace settings]', async () => {
        await workbench.runCommand('Parley: New Conversation');
        await person.seesNoTurns();
        await person.say('Hello again');
        await person.reply(bot.name);
        assert.equal(attacker.requests.length, 0);
        assert.ok(service.requests.some(({ path }) => path.endsWith('/messages/stream')));
      });

      it(`an upload ${trust ? 'starts at once, by a name' : 'asks first, and ignores the types'} of theirs`, async () => {
        await workbench.explorer.contextMenu(['page.pdf'], 'Upload to Conversation');
        if (!trust) {
          assert.match(await workbench.dialog.text(), /Upload page\.pdf\?/);
          assert.ok(!service.requests.some(({ path }) => path.endsWith('/signed-url')));
          await workbench.dialog.press('Upload');
        }
        await service.waitForRequest(() => service.documents.size === 1, patience);
        const names = [...service.documents.values()].map(({ name }) => name);
        assert.deepEqual(names, [trust ? 'page.pdf.txt' : 'page.pdf']);
        assert.equal(attacker.requests.length, 0);
      });

      it(`a text that is too long is ${trust ? 'split as they say' : 'asked about, whatever they say'}`, async () => {
        await person.newConversation();
        await (await person.composer()).fill('word '.repeat(600));
        const panel = await workbench.panel();
        if (trust) await panel.getByText(/It will be sent as 2/).waitFor();
        else await panel.getByRole('group', { name: 'Too long for one message' }).waitFor();
        await (await person.composer()).fill('');
      });

      it(`Explain has ${trust ? 'their' : 'Parley’s own'} words`, async () => {
        await person.newConversation();
        await workbench.editor.open('code.js');
        await workbench.editor.selectLines(1, 1);
        await workbench.runCommand('Parley: Explain Selection');
        const panel = await workbench.panel();
        const words = trust ? prompt : 'Explain this code';
        await panel.waitForFunction(
          (start) => document.querySelector('textarea')?.value.startsWith(start),
          words,
        );
        await (await person.composer()).fill('');
      });

      it(`a reply’s end ${trust ? 'is notified as they say' : 'is not notified, whatever they say'}`, async () => {
        await person.newConversation();
        const script = service.script();
        await person.say('Tell me');
        await script.opened;
        script.chunk('So');
        await workbench.setFocused(false);
        script.end();
        await person.reply(bot.name);
        if (trust) await workbench.notifications.waitFor('has answered in “Tell me”');
        // Told in the order of what happens: the notification would be there before the reply's end is on the page.
        else assert.deepEqual(await workbench.notifications.texts(), []);
        await workbench.setFocused(true);
      });
    });
  });
}
