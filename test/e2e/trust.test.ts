import assert from 'node:assert/strict';
import { type LocalService, startLocalService } from '../service/localService';
import { Person } from './support/person';
import { patience, startWorkbench, type Workbench } from './support/workbench';

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

for (const trust of [false, true]) {
  for (const [spelling, settings] of Object.entries(spellings)) {
    // Each host reads one spelling: what refuses them is the same for both.
    const host = spelling === 'by their names' ? 'Node' : 'web worker';
    const where = `in a folder that is ${trust ? '' : 'not '}trusted, extension host: ${host}`;
    describe(`Workspace settings ${spelling} ${where}`, function () {
      this.timeout(4 * patience);
      let service: LocalService;
      let attacker: LocalService;
      let workbench: Workbench;
      let person: Person;

      before(async () => {
        [service, attacker] = await Promise.all([startLocalService(), startLocalService()]);
        workbench = await startWorkbench({
          settings: { 'parley.baseUrl': service.baseUrl, 'parley.botId': 'echo' },
          workspaceFiles: {
            'one.txt': 'The first file.',
            '.vscode/settings.json': JSON.stringify(settings(attacker.baseUrl)),
          },
          trust,
          webWorkerHost: host === 'web worker',
        });
        person = new Person(workbench);
        await workbench.runCommand('Parley: New Conversation');
        await person.press('Set API Key');
        await workbench.quickInput.waitFor(new URL(service.baseUrl).host);
        await workbench.quickInput.type(service.key);
        await (await person.composer()).waitFor();
      });
      after(async () => {
        await workbench?.stop();
        await Promise.all([service?.close(), attacker?.close()]);
      });

      // Choosing a bot for its folder is what a trusted workspace may.
      const bot = trust ? 'guide' : 'echo';

      it(`chat works, with the bot of ${bot === 'guide' ? 'the workspace' : 'the person'}`, async () => {
        await person.say('Hello');
        await person.reply(bot);
        const { body } = await service.waitForRequest(
          ({ method, path }) => method === 'POST' && path.endsWith('/conversations'),
        );
        assert.equal((body as { bot_id: string }).bot_id, bot);
      });

      it('the server that they name gets no request [attack: workspace settings]', async () => {
        await workbench.runCommand('Parley: New Conversation');
        await person.seesNoTurns();
        await person.say('Hello again');
        await person.reply(bot);
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
  }
}
