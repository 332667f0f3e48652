import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { ServiceClient } from '../../../src/client/serviceClient';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';
import type { LocalService, ProfileName } from '../../service/localService';
import { waitUntil } from '../../support/waitUntil';
import type { Person } from './person';
import type { VSCodeWindow } from './vscodeWindow';

/** The open folder of the main job. */
export const mainJobFiles = { 'animals.md': '# Animals\n\nThe zebra sleeps standing up.\n' };

/** Options of the service for the main job. */
export const mainJobService = { listingMs: 0, conversionMs: Number.POSITIVE_INFINITY };

interface MainJob {
  readonly workbench: VSCodeWindow & { readonly context: BrowserContext };
  readonly service: LocalService;
  readonly person: Person;
  /** Whether the extension host's requests are the window's. */
  readonly isHostInWindow: boolean;
  readonly profile: ProfileName;
  /** The name that Parley shows for the bot. */
  readonly bot: string;
  /** Returns the name that the service lists a document with. */
  readonly toListed: (name: string) => string;
  /** The row of test/faults.json that the test of connections is for, if it is never skipped. */
  readonly connectionsTag?: string;
}

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

/** Describes the main job: a key, a message, an upload, and what the service says of documents. */
export function describeMainJob({
  workbench,
  service,
  person,
  isHostInWindow,
  profile,
  bot,
  toListed,
  connectionsTag = '',
}: MainJob): void {
  const converts = profile !== 'minimal';
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

  it(`connects from the window, its webviews and workers to VS Code’s server and the service only${connectionsTag}`, () => {
    const { apiOrigin, streamOrigin, storageOrigin } = service;
    // Node's host isn't part of the window; test/host/service/network.test.ts checks its connections.
    const ofService = isHostInWindow ? [apiOrigin, streamOrigin, storageOrigin] : [];
    const vscode = new URL(workbench.page.url());
    const outside = [...requested].filter(
      (origin) =>
        // A webview's own files have URLs of this form; VS Code's service worker answers them itself.
        !/\.vscode-resource\.vscode-cdn\.net$/.test(origin) &&
        // Without a server, webviews and the extension host have hosts below VS Code's.
        !new URL(origin).hostname.endsWith(`.${vscode.hostname}`),
    );
    assert.deepEqual(outside.toSorted(), [vscode.origin, ...ofService].toSorted());
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
}
