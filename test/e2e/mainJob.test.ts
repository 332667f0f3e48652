import assert from 'node:assert/strict';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';

/** Services that answer as the hosted one does, and with no more than the contract shows. */
const cases = [
  { profile: 'hosted', bot: 'Guide' },
  // Nobody tells the name that belongs to the id.
  { profile: 'minimal', bot: 'guide' },
] as const;

for (const { profile, bot } of cases) {
  describeInWorkbench(
    `The main job with the ${profile} service`,
    {
      host: 'both',
      service: { profile, listingMs: 0, conversionMs: Number.POSITIVE_INFINITY },
      // By its id, as a company's settings would.
      settings: { 'parley.botId': 'guide' },
      workspaceFiles: { 'animals.md': '# Animals\n\nThe zebra sleeps standing up.\n' },
    },
    ({ workbench, service, person, host }) => {
      const registrations = () =>
        service.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/documents/file'))
          .length;

      const requested = new Set<string>();
      before(() => {
        workbench.context.on('request', (request) => requested.add(new URL(request.url()).origin));
      });

      it('takes a key and a first message, and calls the bot by its name where the service tells it', async () => {
        await person.setUp(service, bot);
        await person.say('Hello');
        await person.reply(bot);
      });

      it('takes a file whose acceptance has no answer, once, and answers from it when it is ready', async () => {
        await person.newConversation();
        await workbench.explorer.contextMenu(['animals.md'], 'Upload to Conversation');
        if (profile === 'hosted') {
          await person.sees('Converting…');
          await person.type('How does the zebra sleep?');
          await person.press('Send When Ready');
          service.conversions.finish('animals.md');
        } else {
          await person.sees('Added');
          await person.say('How does the zebra sleep?');
        }
        assert.match(await person.reply(bot), /zebra sleeps standing up/);
        assert.equal(registrations(), 1);
      });

      it('has the window, its webviews and workers connect to VS Code’s server and the service alone [attack: other origin]', () => {
        const { apiOrigin, streamOrigin, storageOrigin } = service;
        // Node's host is no part of the window; what it connects to is test/host/service/network.test.ts's.
        const ofService = host === 'Node' ? [] : [apiOrigin, streamOrigin, storageOrigin];
        const vscode = new URL(workbench.page.url()).origin;
        // A webview's own files have addresses of this form, which VS Code's service worker answers itself.
        const outside = [...requested].filter(
          (origin) => !/\.vscode-resource\.vscode-cdn\.net$/.test(origin),
        );
        assert.deepEqual(outside.toSorted(), [vscode, ...ofService].toSorted());
      });

      if (profile === 'hosted') {
        it('shows what the reply was made from, and that the file could not be converted', async () => {
          await person.newConversation();
          await workbench.explorer.contextMenu(['animals.md'], 'Upload to Conversation');
          await person.sees('Converting…');
          service.conversions.finish('animals.md', 'sync_failed');
          await person.sees('Conversion failed');
          await person.press('Upload Again');
          await waitUntil('the file was registered again', () => registrations() === 2);
          await person.sees('Converting…');
          await waitUntil('the service converts it', () => service.conversions.pending.length > 0);
          service.conversions.finish('animals.md');
          await person.say('How does the zebra sleep?');
          await person.reply(bot);
          const panel = await workbench.panel();
          await panel
            .getByRole('list', { name: 'Sources' })
            .getByRole('button', { name: 'animals.md' })
            .waitFor();
        });
      }
    },
  );
}
