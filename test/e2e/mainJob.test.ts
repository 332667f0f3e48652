import assert from 'node:assert/strict';
import { ServiceClient } from '../../src/client/serviceClient';
import { createNodeFetch } from '../../src/host/platform/nodeFetch';
import type { LocalService } from '../service/localService';
import { repeat } from '../support/repetition';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';

/** Adds a document to a conversation as another client does. */
async function addElsewhere(service: LocalService, conversationId: string, fileName: string): Promise<void> {
  const { baseUrl, key: apiKey } = service;
  const client = new ServiceClient({ baseUrl, apiKey: async () => apiKey, fetch: createNodeFetch() });
  const contentType = 'text/markdown';
  const { url, key } = await client.createSignedUpload({ fileName, contentType });
  const bytes = new TextEncoder().encode('Zebras wake at six.');
  await client.putFile({
    url,
    contentType,
    file: { size: bytes.length, open: () => new Blob([bytes]).stream() },
  });
  const [folderId] = service.folders.keys();
  await client.createDocument({ key, conversationId, fileName, folderId });
}

/** The hosted service's behavior as documented and as captured, and only what the contract requires. */
const cases = [
  { profile: 'hosted', bot: 'Guide', usualHost: 'Node', toListed: (name: string) => name },
  {
    profile: 'captured',
    bot: 'Guide',
    usualHost: 'web worker',
    toListed: (name: string) => name.replace(/\.\w+$/, ''),
  },
  // This profile doesn't report the bot's name, so Parley shows its id.
  { profile: 'minimal', bot: 'guide', usualHost: 'web worker', toListed: (name: string) => name },
] as const;

for (const { profile, bot, usualHost, toListed } of cases) {
  const converts = profile !== 'minimal';
  describeInWorkbench(
    `The main job with the ${profile} service`,
    {
      host: profile === 'captured' ? 'both' : repeat(usualHost, 'both'),
      service: { profile, listingMs: 0, conversionMs: Number.POSITIVE_INFINITY },
      // Set by id, as a company's settings would.
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

      it('accepts a key and a first message, and shows the bot’s name where the service reports it', async () => {
        await person.setUp(service, bot);
        await person.say('Hello');
        await person.reply(bot);
      });

      it('registers an uploaded file once and answers from it when it is ready, although the acceptance has no response body', async () => {
        await person.newConversation();
        await workbench.explorer.runFromContextMenu(['animals.md'], 'Upload to Conversation');
        if (profile === 'captured') {
          const [folder] = service.folders.values();
          await workbench.quickInput.waitFor('Choose Upload Folder');
          await workbench.quickInput.pick(folder?.name ?? '');
        }
        if (converts) {
          await person.sees('Converting…');
          await person.type('How does the zebra sleep?');
          await person.press('Send When Ready');
          service.conversions.finish('animals.md');
        } else {
          await person.sees('Added');
          await person.say('How does the zebra sleep?');
        }
        assert.match(await person.reply(bot), /zebra sleeps standing up/);
        // A refusal for lack of a folder registers nothing.
        assert.equal(registrations(), profile === 'captured' ? 2 : 1);
        assert.equal(service.documents.size, 1);
      });

      if (converts) {
        it('shows a document that was added elsewhere, and excludes it from answers', async () => {
          const [conversation, ...others] = [...service.conversations.values()].filter(
            ({ document_ids }) => document_ids.length > 0,
          );
          assert.ok(conversation && others.length === 0);
          const own = [...conversation.document_ids];
          await addElsewhere(service, conversation.id, 'plan.md');
          service.conversions.finish('plan.md');
          await person.newConversation();
          await person.open('How does the zebra sleep?');
          const panel = await workbench.panel();
          const row = panel.getByRole('row').filter({ hasText: toListed('plan.md') });
          await row.getByText('added elsewhere').waitFor();
          await row.getByRole('button', { name: 'Exclude from Answers' }).click();
          await row.getByText('added elsewhere · excluded').waitFor();
          await waitUntil(
            'the service leaves the document out',
            () => `${conversation.document_ids}` === `${own}`,
          );
        });
      }

      it('connects from the window, its webviews and workers to VS Code’s server and the service only [attack: other origin]', () => {
        const { apiOrigin, streamOrigin, storageOrigin } = service;
        // Node's host isn't part of the window; test/host/service/network.test.ts checks its connections.
        const ofService = host === 'Node' ? [] : [apiOrigin, streamOrigin, storageOrigin];
        const vscode = new URL(workbench.page.url()).origin;
        // A webview's own files have URLs of this form; VS Code's service worker answers them itself.
        const outside = [...requested].filter(
          (origin) => !/\.vscode-resource\.vscode-cdn\.net$/.test(origin),
        );
        assert.deepEqual(outside.toSorted(), [vscode, ...ofService].toSorted());
      });

      if (converts) {
        it('lists the sources of a reply, and shows that a file could not be converted', async () => {
          await person.newConversation();
          await workbench.explorer.runFromContextMenu(['animals.md'], 'Upload to Conversation');
          await person.sees('Converting…');
          service.conversions.finish('animals.md', 'sync_failed');
          await person.sees('Conversion failed');
          const before = registrations();
          await person.press('Upload Again');
          await waitUntil('the file was registered again', () => registrations() === before + 1);
          await person.sees('Converting…');
          await waitUntil('the service converts it', () => service.conversions.pending.length > 0);
          service.conversions.finish('animals.md');
          await person.say('How does the zebra sleep?');
          await person.reply(bot);
          const panel = await workbench.panel();
          await panel
            .getByRole('list', { name: 'Sources' })
            .getByRole('button', { name: toListed('animals.md') })
            .waitFor();
        });
      }
    },
  );
}
