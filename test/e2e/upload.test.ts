import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
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

describeInWorkbench(
  'Upload in a real workbench',
  {
    host: 'either',
    bot: 'Guide',
    service: { maxUploadBytes: BIG_FILE_BYTES },
    workspaceFiles: () => ({
      'animals.md': zebra,
      'big.pdf': bigFile,
    }),
  },
  ({ workbench, service, person, host }) => {
    const upload = (...files: string[]) =>
      workbench.explorer.runFromContextMenu(files, 'Upload to Conversation');
    const findStored = (name: string) => {
      const document = [...service.documents.values()].find((candidate) => candidate.name === name);
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

    it('closes the socket and creates no document when an upload is canceled from the notification', async () => {
      await person.newConversation();
      const documents = service.documents.size;
      service.inject({ name: 'slow', on: 'PUT object', bytesPerSecond: 200_000 });
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
