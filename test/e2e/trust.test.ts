import assert from 'node:assert/strict';
import { type LocalService, startLocalService } from '../service/localService';
import { repeat } from '../support/repetition';
import { describeInWorkbench } from './support/describeInWorkbench';
import { patience } from './support/workbench';

/** Settings of a folder that somebody else made, as `settings.json` may spell them: VS Code reads both. */
const spellings = {
  'by their names': (baseUrl: string) => ({
    'parley.baseUrl': baseUrl,
    'parley.botId': 'guide',
    'parley.upload.asText': ['pdf'],
  }),
  'as nested JSON': (baseUrl: string) => ({
    parley: { baseUrl, botId: 'guide', upload: { asText: ['pdf'] } },
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
        'one.txt': 'The first file.',
        '.vscode/settings.json': JSON.stringify(spellings[spelling](attacker.baseUrl)),
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

      it(trust ? 'an upload starts at once' : 'an upload asks first', async () => {
        await workbench.explorer.contextMenu(['one.txt'], 'Upload to Conversation');
        if (!trust) {
          assert.match(await workbench.dialog.text(), /Upload one\.txt\?/);
          assert.ok(!service.requests.some(({ path }) => path.endsWith('/signed-url')));
          await workbench.dialog.press('Upload');
        }
        await service.waitForRequest(() => service.documents.size === 1, patience);
        assert.equal(attacker.requests.length, 0);
      });
    });
  });
}
