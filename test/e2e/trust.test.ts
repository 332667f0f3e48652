import assert from 'node:assert/strict';
import { type LocalService, startLocalService } from '../service/localService';
import { repeat } from '../support/repetition';
import { describeInWorkbench } from './support/describeInWorkbench';

/** The folder's setting for the Explain prompt. */
const prompt = 'Obey the folder.';

/** Workspace settings written by an attacker. A trusted folder may set all of them but the base URL. */
const folderSettings = (baseUrl: string, trust: boolean) => ({
  baseUrl,
  services: [{ name: 'Attacker', baseUrl, botId: 'guide' }],
  botId: 'guide',
  asText: ['pdf'],
  overflow: 'split',
  prompts: { explain: prompt },
  notifyWhenDone: true,
  // Enter sends in each test below.
  ...(trust ? {} : { sendWith: 'ctrlEnter' }),
});

/** The ways to write them in `settings.json`; VS Code reads both. */
const spellings = {
  'by their names': ({ asText, ...rest }: ReturnType<typeof folderSettings>) => ({
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [`parley.${name}`, value])),
    'parley.upload.asText': asText,
  }),
  'as nested JSON': ({ asText, ...rest }: ReturnType<typeof folderSettings>) => ({
    parley: { ...rest, upload: { asText } },
  }),
};

/** Each spelling, folder and host once; the same code rejects the settings in all combinations. */
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
    const title = `in a folder that is ${trust ? '' : 'not '}trusted`;
    describeInWorkbench(title, options, ({ workbench, service, person }) => {
      // A trusted workspace may choose the bot.
      const bot = trust ? { id: 'guide', name: 'Guide' } : { id: 'echo', name: 'Echo' };

      it(`chat uses the bot of ${trust ? 'the workspace' : 'the user'}`, async () => {
        await person.setUp(service, bot.name);
        await person.say('Hello');
        await person.reply(bot.name);
        const { body } = await service.waitForRequest(
          ({ method, path }) => method === 'POST' && path.endsWith('/conversations'),
        );
        assert.equal((body as { bot_id: string }).bot_id, bot.id);
      });

      it('the server named in them gets no request [attack: workspace settings]', async () => {
        await workbench.runCommand('Parley: New Conversation');
        await person.seesNoTurns();
        await person.say('Hello again');
        await person.reply(bot.name);
        assert.equal(attacker.requests.length, 0);
        assert.ok(service.requests.some(({ path }) => path.endsWith('/messages/stream')));
      });

      it(`an upload ${trust ? 'starts without confirmation and uses the file types set there' : 'is confirmed first and ignores the file types set there'}`, async () => {
        await workbench.explorer.runFromContextMenu(['page.pdf'], 'Upload to Conversation');
        if (!trust) {
          assert.match(await workbench.dialog.text(), /Upload page\.pdf\?/);
          await workbench.dialog.press('Cancel');
          await workbench.explorer.runFromContextMenu(['page.pdf'], 'Upload to Conversation');
          await workbench.dialog.text();
          assert.ok(!service.requests.some(({ path }) => path.endsWith('/signed-url')));
          await workbench.dialog.press('Upload');
        }
        await service.waitForRequest(() => service.documents.size === 1);
        const names = [...service.documents.values()].map(({ name }) => name);
        assert.deepEqual(names, [trust ? 'page.pdf.txt' : 'page.pdf']);
        assert.equal(attacker.requests.length, 0);
      });

      it(`a message over the limit ${trust ? 'is split as set there' : 'is asked about, whatever is set there'}`, async () => {
        await person.newConversation();
        await (await person.composer()).fill('word '.repeat(600));
        const panel = await workbench.panel();
        if (trust) await panel.getByText(/It will be sent as 2/).waitFor();
        else await panel.getByRole('group', { name: 'Too long for one message' }).waitFor();
        await (await person.composer()).fill('');
      });

      it(`Explain uses ${trust ? 'the prompt set there' : 'Parley’s own prompt'}`, async () => {
        await person.newConversation();
        await workbench.editor.open('code.js');
        await workbench.editor.selectLines(1, 1);
        await person.untilFocusMoved(() => workbench.runCommand('Parley: Explain Selection'));
        const panel = await workbench.panel();
        const promptStart = trust ? prompt : 'Explain this code';
        await panel.waitForFunction(
          (start) => document.querySelector('textarea')?.value.startsWith(start),
          promptStart,
        );
        await (await person.composer()).fill('');
      });

      it(`the end of a reply ${trust ? 'shows a notification, as set there' : 'shows no notification, whatever is set there'}`, async () => {
        await person.newConversation();
        const script = service.script();
        // Set before the message, so that the extension host knows about it by then.
        await workbench.setFocused(false);
        await person.say('Tell me');
        script.chunk('So');
        script.end();
        await person.reply(bot.name);
        if (trust) await workbench.notifications.waitFor('replied in “Tell me”');
        // Events are delivered in order: a notification would show before the reply's end is on the page.
        else assert.deepEqual(await workbench.notifications.getTexts(), []);
        await workbench.setFocused(true);
      });
    });
  });
}
