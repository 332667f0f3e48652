import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type LocalService, startLocalService } from '../service/localService';
import { Person } from './support/person';
import { patience, startWorkbench, type Workbench } from './support/workbench';

const zebra = `# Animals

The zebra sleeps standing up, in a light doze of a few minutes.

# Plants

Moss has no roots.
`;
const binary = randomBytes(20 * 1024 * 1024);
const code = `/** Adds one. */
export function increment(count: number): number {
  return count + 1;
}
`;

for (const host of ['Node', 'web worker'] as const) {
  describe(`Upload in the real workbench, extension host: ${host}`, function () {
    this.timeout(4 * patience);
    let service: LocalService;
    let workbench: Workbench;
    let person: Person;

    before(async () => {
      service = await startLocalService();
      workbench = await startWorkbench({
        settings: { 'parley.baseUrl': service.baseUrl },
        workspaceFiles: {
          'animals.md': zebra,
          'big.pdf': binary,
          'increment.ts': code,
          'one.txt': 'The first file.',
          'two.txt': 'The second file.',
          'empty.txt': '',
        },
        webWorkerHost: host === 'web worker',
      });
      person = new Person(workbench);
      await person.setUp(service, 'Guide');
    });
    after(async () => {
      await workbench?.stop();
      await service?.close();
    });

    const upload = (...files: string[]) => workbench.explorer.contextMenu(files, 'Upload to Conversation');
    const stored = (name: string) => {
      const document = [...service.documents.values()].find((each) => each.name === name);
      return document && service.objects.get(document.key);
    };

    it('uploads a file from the explorer, and Guide quotes it', async () => {
      await upload('animals.md');
      await person.sees('animals.md');
      await service.waitForRequest(({ path }) => path.endsWith('/documents/file'));
      await person.say('How does the zebra sleep?');
      assert.match(await person.reply('Guide'), /The zebra sleeps standing up/);
      assert.equal(stored('animals.md')?.toString(), zebra);
    });

    it('uploads a 20 MB binary byte for byte', async () => {
      await person.newConversation();
      await upload('big.pdf');
      await service.waitForRequest(
        ({ path, body }) => path.endsWith('/documents/file') && JSON.stringify(body).includes('big.pdf'),
        2 * patience,
      );
      const panel = await workbench.panel();
      await panel.getByText('big.pdf').first().waitFor();
      assert.ok(stored('big.pdf')?.equals(binary));
    });

    it('uploads several files at once, code as text', async () => {
      await person.newConversation();
      await upload('increment.ts', 'one.txt', 'two.txt');
      for (const name of ['increment.ts.txt', 'one.txt', 'two.txt']) await person.sees(name);
      await service.waitForRequest(() => stored('two.txt') !== undefined && stored('one.txt') !== undefined);
      await service.waitForRequest(() => stored('increment.ts.txt') !== undefined);
      await person.say('What does increment do?');
      assert.match(await person.reply('Guide'), /return count \+ 1/);
    });

    it('refuses an empty file before anything leaves', async () => {
      const before = service.requests.length;
      await upload('empty.txt');
      await workbench.notifications.waitFor('empty.txt is not uploaded: it is empty.');
      assert.equal(service.requests.length, before);
    });

    it('names the step that failed, and Retry goes on from there', async () => {
      await person.newConversation();
      service.inject({ name: 'status', on: 'POST /documents/file', status: 500 });
      await upload('one.txt');
      assert.match(await person.alert(), /uploaded, but was not added/);
      const puts = service.requests.filter(({ method }) => method === 'PUT').length;
      await person.press('Retry');
      const panel = await workbench.panel();
      await panel.getByRole('alert').waitFor({ state: 'detached' });
      assert.equal(service.requests.filter(({ method }) => method === 'PUT').length, puts);
    });

    it('cancels by the notification: the socket is closed and no document is made', async () => {
      await person.newConversation();
      const documents = service.documents.size;
      service.inject({ name: 'slow', on: 'PUT object', bytesPerSecond: 4_000_000 });
      const puts = service.requests.filter(({ method }) => method === 'PUT').length;
      await upload('big.pdf');
      await workbench.notifications.waitFor('Uploading big.pdf');
      await service.waitForRequest(
        () => service.requests.filter(({ method }) => method === 'PUT').length > puts,
      );
      await workbench.notifications.press('Uploading big.pdf', 'Cancel');
      await workbench.notifications.waitUntilGone('Uploading big.pdf');
      await person.sees('Cancelled');
      await service.waitForRequest(({ aborted, method }) => method === 'PUT' && aborted, patience);
      assert.equal(service.documents.size, documents);
    });

    it('leaves the key in no file, log or page', async () => {
      const panel = await workbench.panel();
      assert.ok(!(await panel.content()).includes(service.key));
      const files = await readdir(workbench.userDataDir, { recursive: true, withFileTypes: true });
      for (const file of files) {
        if (!file.isFile()) continue;
        const content = await readFile(path.join(file.parentPath, file.name));
        assert.ok(!content.includes(service.key), file.name);
      }
    });

    it('sends the key to the API’s origin only', () => {
      for (const { origin, headers } of service.requests) {
        assert.equal(headers.authorization, origin === 'api' ? `Bearer ${service.key}` : undefined);
      }
    });
  });
}
