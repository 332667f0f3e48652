import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/waitUntil';
import { installBrowserVSCode } from '../vscode/browserInstall';
import { describeInWorkbench } from './support/describeInWorkbench';

const zebra = `# Animals

The zebra sleeps standing up, in a light doze of a few minutes.

# Plants

Moss has no roots.
`;
/** Large enough to need confirmation and to be canceled halfway. */
const BIG_FILE_BYTES = 20 * 1024 * 1024;
const bigFile = randomBytes(BIG_FILE_BYTES);
const folders = [
  { id: 'handbooks', name: 'Handbooks' },
  { id: 'projects', name: 'Projects' },
];
const code = `/** Adds one. */
export function increment(count: number): number {
  return count + 1;
}
`;

describeInWorkbench(
  'Upload in a real workbench',
  {
    host: 'either',
    bot: 'Guide',
    service: { maxUploadBytes: BIG_FILE_BYTES, folders },
    settings: { 'files.autoSave': 'off' },
    workspaceFiles: () => ({
      'animals.md': zebra,
      'big.pdf': bigFile,
      'increment.ts': code,
      'one.txt': 'The first file.',
      'two.txt': 'The second file.',
      'empty.txt': '',
      '.env': 'TOKEN=1',
      'shelf/.gitignore': 'draft*\n',
      'shelf/draft.txt': 'Not ready.',
      ...Object.fromEntries(Array.from({ length: 49 }, (_, i) => [`shelf/in/page-${i}.txt`, `Page ${i}.`])),
    }),
  },
  ({ workbench, service, person, host }) => {
    const upload = (...files: string[]) =>
      workbench.explorer.runFromContextMenu(files, 'Upload to Conversation');
    /** Each upload starts with a request for a signed URL. */
    const getSignedUrlRequests = () =>
      service.requests.filter(({ path: requested }) => requested.endsWith('/signed-url'));
    const findStored = (name: string) => {
      const document = [...service.documents.values()].find((candidate) => candidate.name === name);
      return document && service.objects.get(document.key);
    };

    const findLastStored = () => {
      const document = [...service.documents.values()].at(-1);
      return document && service.objects.get(document.key);
    };

    it('uploads a file from the Explorer, and Guide quotes it', async () => {
      await upload('animals.md');
      await person.sees('animals.md');
      await service.waitForRequest(({ path }) => path.endsWith('/documents/file'));
      await person.say('How does the zebra sleep?');
      assert.match(await person.reply('Guide'), /The zebra sleeps standing up/);
      assert.equal(findStored('animals.md')?.toString(), zebra);
    });

    it('asks for confirmation before a large file and uploads it byte for byte', async () => {
      await person.newConversation();
      await upload('big.pdf');
      assert.match(await workbench.dialog.text(), /Upload big\.pdf\?[\s\S]*large: 20 MB/);
      await workbench.dialog.press('Upload');
      await service.waitForRequest(
        ({ path, body }) => path.endsWith('/documents/file') && JSON.stringify(body).includes('big.pdf'),
      );
      const panel = await workbench.panel();
      await panel.getByText('big.pdf').first().waitFor();
      assert.ok(findStored('big.pdf')?.equals(bigFile));
    });

    it('uploads several files at once, and code as text', async () => {
      await person.newConversation();
      await upload('increment.ts', 'one.txt', 'two.txt');
      for (const name of ['increment.ts.txt', 'one.txt', 'two.txt']) await person.sees(name);
      await service.waitForRequest(
        () => findStored('two.txt') !== undefined && findStored('one.txt') !== undefined,
      );
      await service.waitForRequest(() => findStored('increment.ts.txt') !== undefined);
      await person.say('What does increment do?');
      assert.match(await person.reply('Guide'), /return count \+ 1/);
    });

    it('rejects an empty file before any request', async () => {
      const before = getSignedUrlRequests().length;
      await upload('empty.txt');
      await workbench.notifications.waitFor('Couldn’t upload empty.txt: it is empty.');
      assert.equal(getSignedUrlRequests().length, before);
    });

    it('names the step that failed and continues from there on Retry', async () => {
      await person.newConversation();
      service.inject({ name: 'status', on: 'POST /documents/file', status: 500 });
      await upload('one.txt');
      assert.match(await person.alert(), /uploaded and may have been added/);
      const puts = service.requests.filter(({ method }) => method === 'PUT').length;
      const documents = service.documents.size;
      await person.press('Retry');
      assert.match(await workbench.dialog.text(), /Add “one\.txt” again\?/);
      await workbench.dialog.press('Add Again');
      const panel = await workbench.panel();
      await panel.getByRole('alert').waitFor({ state: 'detached' });
      await service.waitForRequest(() => service.documents.size === documents + 1);
      assert.equal(service.requests.filter(({ method }) => method === 'PUT').length, puts);
    });

    it('closes the socket and creates no document when an upload is canceled from the notification', async () => {
      await person.newConversation();
      const documents = service.documents.size;
      service.inject({ name: 'slow', on: 'PUT object', bytesPerSecond: 4_000_000 });
      const puts = service.requests.filter(({ method }) => method === 'PUT').length;
      await upload('big.pdf');
      await workbench.dialog.press('Upload');
      await workbench.notifications.waitFor('Uploading big.pdf');
      await service.waitForRequest(
        () => service.requests.filter(({ method }) => method === 'PUT').length > puts,
      );
      await workbench.notifications.press('Uploading big.pdf', 'Cancel');
      await workbench.notifications.waitUntilGone('Uploading big.pdf');
      await person.sees('Canceled');
      await service.waitForRequest(({ aborted, method }) => method === 'PUT' && aborted);
      assert.equal(service.documents.size, documents);
    });

    it('lists a folder’s files first without ignored ones, and uploads the other 47 of 50 when three fail', async () => {
      await person.newConversation();
      const before = service.documents.size;
      const xml = '<Error><Code>AccessDenied</Code></Error>';
      service.inject({ name: 'status', on: 'POST /uploads/signed-url', status: 500 });
      service.inject({ name: 'status', on: 'PUT object', status: 400, body: xml, contentType: 'text/xml' });
      service.inject({ name: 'status', on: 'POST /documents/file', status: 403 });
      await upload('shelf');
      await workbench.quickInput.waitFor('Upload 50 files');
      await workbench.quickInput.waitFor('1 skipped: ignored, excluded, or too large');
      assert.equal(service.documents.size, before);
      await workbench.quickInput.pickMany([]);
      const panel = await workbench.panel();
      await service.waitForRequest(() => service.documents.size === before + 47);
      await workbench.notifications.waitUntilGone('Uploading 50 files');
      const retry = panel.getByRole('grid').getByRole('button', { name: 'Retry', exact: true });
      for (let left = 3; left > 0; left--) {
        assert.equal(await retry.count(), left);
        await retry.first().click();
        await service.waitForRequest(() => service.documents.size === before + 51 - left);
        await panel.waitForFunction(
          (count) =>
            [...document.querySelectorAll('[role=grid] button')].filter((b) => b.textContent === 'Retry')
              .length === count,
          left - 1,
        );
      }
      assert.equal(findStored('page-48.txt')?.toString(), 'Page 48.');
      assert.equal(findStored('draft.txt'), undefined);
    });

    it('uploads the unsaved content of an editor', async () => {
      await person.newConversation();
      await workbench.editor.open('animals.md');
      await workbench.page.keyboard.press('ControlOrMeta+Home');
      await workbench.page.keyboard.type('Unsaved! ');
      await workbench.runCommand('Parley: Upload to Conversation');
      await service.waitForRequest(() => findLastStored()?.toString() === `Unsaved! ${zebra}`);
      assert.equal(await readFile(path.join(workbench.workspaceDir, 'animals.md'), 'utf8'), zebra);
    });

    it('shows the target of a link outside the workspace and uploads it only after confirmation [attack: symlink]', async () => {
      await person.newConversation();
      const outside = path.join(workbench.workspaceDir, '..', 'outside.txt');
      await writeFile(outside, 'From outside.');
      await symlink(outside, path.join(workbench.workspaceDir, 'link.txt'));
      const before = getSignedUrlRequests().length;
      await upload('link.txt');
      const text = await workbench.dialog.text();
      assert.match(text, /outside the workspace/);
      if (host === 'Node') assert.ok(text.includes(`a link to ${await realpath(outside)}`), text);
      await workbench.dialog.press('Cancel');
      assert.equal(getSignedUrlRequests().length, before);
      await upload('link.txt');
      await workbench.dialog.press('Upload');
      await service.waitForRequest(() => findStored('link.txt') !== undefined);
    });

    it('asks separately about a secret, sends nothing of it when declined, and uploads the other files [attack: secrets]', async () => {
      await person.newConversation();
      const names = () => getSignedUrlRequests().map(({ body }) => (body as { file_name: string }).file_name);
      const before = names().length;
      await upload('two.txt', '.env');
      assert.match(await workbench.dialog.text(), /\.env\.txt looks like a secret/);
      // Enter presses the default button.
      await workbench.dialog.enter();
      await service.waitForRequest(() => names().slice(before).includes('two.txt'));
      await upload('.env');
      await workbench.dialog.press('Don’t Upload');
      assert.ok(!names().includes('.env.txt'));
      await upload('.env');
      await workbench.dialog.press('Upload Anyway');
      await service.waitForRequest(() => findStored('.env.txt') !== undefined);
    });

    it('reports a file that changed during its upload and sends its current content on Retry', async () => {
      await person.newConversation();
      service.inject({ name: 'slow', on: 'PUT object', delayMs: 1000 });
      const puts = () => service.requests.filter(({ method }) => method === 'PUT').length;
      const before = puts();
      await upload('one.txt');
      await service.waitForRequest(() => puts() > before);
      await writeFile(path.join(workbench.workspaceDir, 'one.txt'), 'The first file, changed.');
      assert.match(await person.alert(), /changed, moved, or deleted/);
      await person.press('Retry');
      await service.waitForRequest(() => findLastStored()?.toString() === 'The first file, changed.');
    });

    it('asks for a folder if the service needs one, again on Retry, and lets it be changed by keyboard', async () => {
      await person.newConversation();
      const errors = { folder_id: ['The folder id field is required.'] };
      const refusal = { message: 'The given data was invalid.', errors };
      service.inject({ name: 'status', on: 'POST /documents/file', status: 422, body: refusal, times: 2 });
      const before = service.documents.size;
      const getLast = () => [...service.documents.values()].at(-1);
      await upload('two.txt');
      await workbench.quickInput.waitFor('Choose Upload Folder');
      const signed = getSignedUrlRequests().length;
      await workbench.quickInput.cancel();
      assert.match(await person.alert(), /The service needs a folder for the file\. Retry to choose one\./);
      await person.press('Retry');
      await workbench.quickInput.pick('Projects');
      await service.waitForRequest(() => service.documents.size === before + 1);
      assert.deepEqual([getLast()?.folder_id, getSignedUrlRequests().length], ['projects', signed]);
      const panel = await workbench.panel();
      const change = panel.getByRole('button', { name: 'Folder: Projects', exact: true });
      await change.waitFor();
      await (await person.focusComposer()).press('Shift+Tab');
      await panel.waitForFunction(() => document.activeElement?.closest('[role=row]'));
      await workbench.page.keyboard.press('End');
      await panel.waitForFunction(() => document.activeElement?.textContent === 'Folder: Projects');
      await workbench.page.keyboard.press('Enter');
      await workbench.quickInput.pick('Handbooks');
      await panel.getByRole('button', { name: 'Folder: Handbooks', exact: true }).waitFor();
      await panel.waitForFunction(() => document.activeElement?.localName === 'textarea');
      await upload('one.txt');
      await service.waitForRequest(() => getLast()?.folder_id === 'handbooks');
    });

    const assertNoKey = async () => {
      const panel = await workbench.panel();
      assert.ok(!(await panel.content()).includes(service.key));
      const files = await readdir(workbench.userDataDir, { recursive: true, withFileTypes: true });
      for (const file of files) {
        if (!file.isFile()) continue;
        const content = await readUnlessGone(path.join(file.parentPath, file.name));
        assert.ok(!content.includes(service.key), file.name);
      }
    };

    it('leaves the key in no file or page, even when the service repeats it in an error [attack: key leak]', async () => {
      await assertNoKey();
      await failWithKey();
      await assertNoKey();
    });

    // The web worker's log is written by the window at unpredictable times.
    if (host === 'Node') {
      it('leaves the key in no log, even when the service repeats it in an error [attack: key leak]', async function () {
        const { missingNativeParts } = await installBrowserVSCode();
        if (missingNativeParts !== undefined) {
          console.log(`    VS Code writes no log here: ${missingNativeParts}`);
          this.skip();
        }
        await waitForLog(/POST \/uploads\/signed-url 200/);
        await assertNoKey();
        await failWithKey();
        await waitForLog(/POST \/messages\/stream 422 \d+ ms validation/);
        await assertNoKey();
      });
    }

    /** Makes the service reject a message with an error that contains the key. */
    async function failWithKey(): Promise<void> {
      const { key } = service;
      const body = { message: `Not with ${key}.`, errors: { [key]: [`Bearer ${key}`] } };
      service.inject({ name: 'status', on: 'POST /messages/stream', status: 422, body });
      await person.newConversation();
      await person.say('Do you know me?');
      assert.match(await person.alert(), /Not with/);
    }

    /** Waits until Parley's log contains a matching line. */
    async function waitForLog(line: RegExp): Promise<void> {
      await waitUntil(`Parley's log has a line like ${line}`, async () => {
        const names = await readdir(workbench.userDataDir, { recursive: true });
        const logs = names.filter((name) => path.basename(name) === 'Parley.log');
        const texts = await Promise.all(
          logs.map((log) => readUnlessGone(path.join(workbench.userDataDir, log))),
        );
        return texts.some((text) => line.test(text.toString()));
      });
    }

    it('sends the key to the API’s origin only [attack: other origin]', () => {
      for (const { origin, headers } of service.requests) {
        assert.equal(headers.authorization, origin === 'api' ? `Bearer ${service.key}` : undefined);
      }
    });
  },
);

/** A file that is being replaced is missing for a moment; a released lease is gone for good. */
async function readUnlessGone(file: string): Promise<Buffer> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return await readFile(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await sleep(50);
    }
  }
  return Buffer.alloc(0);
}
