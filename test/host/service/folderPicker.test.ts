import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findDocument } from '../../../src/chat/model/conversation';
import { inspectBytes } from '../../../src/host/files/candidate';
import { toUploadProblem } from '../../../src/host/service/failureText';
import { confirmed } from '../../chat/support/confirmed';
import { waitUntil } from '../../support/waitUntil';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { setSetting } from '../support/setSetting';
import { type TestServices, useServices } from '../support/testServices';

const folders = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Echo'].map((name) => ({ id: name.toLowerCase(), name }));
const NEEDED = 'The service needs a folder for uploads';

describe('The folder for uploads', () => {
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let answer: (shown: Shown) => unknown;

  const useWindow = (startServices: () => Promise<TestServices>) => {
    beforeEach(async () => {
      fixture = await startServices();
      answer = () => undefined;
      recorded = new RecordedWindow((shown) => answer(shown));
    });
    afterEach(async () => {
      recorded.dispose();
      await setSetting('parley.folderId', undefined);
      await fixture.close();
    });
  };

  const choose =
    (label: string) =>
    ({ items }: Shown) =>
      items.find((item) => item.label === label);
  const upload = async (...names: string[]) => {
    const { chat, uploads } = fixture.services;
    const { id } = chat.createConversation({ id: 'echo', name: 'Echo' });
    const added = names.map((name) =>
      uploads.add(id, confirmed(inspectBytes(name, new Uint8Array([65])).file)),
    );
    await Promise.all(added.map(({ finished }) => finished));
    const [turnId = ''] = added.map((each) => each.turnId);
    return { id, turnId, turn: findDocument(chat.findConversation(id), turnId) ?? assert.fail() };
  };
  const getStoredFolders = () => [...fixture.service.documents.values()].map(({ folder_id }) => folder_id);
  /** Returns the folders of the requests that add a file. */
  const getSentFolders = () =>
    fixture.service.requests
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/documents/file'))
      .map(({ body }) => (body as { folder_id?: string }).folder_id);
  const getShown = () => fixture.services.uploadFolders.getShown();
  const getQuestions = () => recorded.shown.filter(({ by, items }) => by === 'QuickPick' && items.length > 0);

  describe('of a service that needs one', () => {
    useWindow(useServices({ folders, requiresFolder: true, pageSize: 2 }));

    it('is chosen from all pages, remembered for the service, and then used without a question [fault 55]', async () => {
      assert.equal(getShown(), undefined);
      answer = choose('Echo');
      const { turn } = await upload('a.txt');
      assert.equal(turn.state, 'attached');
      const [question, ...others] = getQuestions();
      assert.deepEqual(others, []);
      assert.deepEqual(question?.texts.slice(0, 2), ['Choose Upload Folder', NEEDED]);
      assert.deepEqual(
        question.items.map(({ label, description }) => [label, description]),
        [...folders.map(({ id, name }) => [name, id]), ['', undefined], ['New Folder…', undefined]],
      );
      assert.deepEqual(getShown(), 'Echo');
      assert.equal(fixture.services.uploadFolders.getInUse('https://other.example/api/v1'), undefined);
      await upload('b.txt', 'c.txt');
      assert.equal(getQuestions().length, 1);
      assert.deepEqual(getSentFolders(), [undefined, 'echo', 'echo', 'echo']);
    });

    it('is asked for again by Retry if none was chosen, which the document says', async () => {
      answer = ({ items }) => {
        if (items.length > 0) recorded.quickPick?.hide();
      };
      const { id, turnId, turn } = await upload('a.txt');
      assert.ok(turn.failure);
      const { text, actions, fields } = toUploadProblem(turn.failure, turn.failedAt);
      assert.equal(
        text,
        'The service needs a folder for the file. Retry to choose one. The file was uploaded, but not added to the conversation.',
      );
      assert.deepEqual(actions, ['retry']);
      assert.deepEqual(
        fields?.map(({ name }) => name),
        ['folder_id'],
      );
      assert.deepEqual(getShown(), '');
      answer = choose('Beta');
      await fixture.services.uploads.retry(turnId, async () => false);
      assert.equal(findDocument(fixture.services.chat.findConversation(id), turnId)?.state, 'attached');
      assert.deepEqual(getStoredFolders(), ['beta']);
    });

    it('can be created, also after Escape and a failure, which are followed by the list', async () => {
      const names = [undefined, ' ', 'Plans', ' Plans '];
      answer = ({ by, items }) =>
        by === 'InputBox' ? names.shift() : items.find(({ label }) => label === 'New Folder…');
      fixture.service.inject({ name: 'status', on: 'POST /folders', status: 500 });
      await upload('a.txt');
      assert.equal(getQuestions().length, 4);
      const errors = recorded.shown.filter(({ by }) => by === 'Error').flatMap(({ texts }) => texts);
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? '', /^Couldn’t create the folder “Plans”\. .*\(500\)/);
      const created = [...fixture.service.folders.values()].filter(({ name }) => name === 'Plans');
      assert.equal(created.length, 1);
      assert.deepEqual(getStoredFolders(), [created[0]?.id]);
      assert.deepEqual(getShown(), 'Plans');
    });

    it('is asked for again if the service refuses the chosen one, such as a deleted one', async () => {
      answer = ({ by, items }) =>
        by === 'InputBox' ? 'Plans' : items.find(({ label }) => label === 'New Folder…');
      await upload('a.txt');
      fixture.service.clearRecords();
      answer = choose('Delta');
      await upload('b.txt');
      assert.deepEqual(getQuestions().at(-1)?.texts[1], 'The service rejected the folder “Plans”');
      assert.deepEqual(getShown(), 'Delta');
      assert.deepEqual(getSentFolders().slice(-1), ['delta']);
    });

    it('is entered by its id after a warning if listing them fails', async () => {
      fixture.service.inject({ name: 'status', on: 'GET /folders', status: 403 });
      answer = ({ by }) => (by === 'InputBox' ? 'beta' : undefined);
      await upload('a.txt');
      assert.deepEqual(getStoredFolders(), ['beta']);
      assert.ok(recorded.shown.some(({ by }) => by === 'Warning'));
    });

    it('is asked for only once for several uploads, whose question closes when they are canceled', async () => {
      const { chat, uploads } = fixture.services;
      const { id } = chat.createConversation({ id: 'echo', name: 'Echo' });
      const added = ['a.txt', 'b.txt'].map((name) =>
        uploads.add(id, confirmed(inspectBytes(name, new Uint8Array([65])).file)),
      );
      await waitUntil('the folders are listed', () => getQuestions().length === 1);
      let isHidden = false;
      const pick = recorded.quickPick ?? assert.fail();
      const { hide } = pick;
      pick.hide = () => {
        isHidden = true;
        hide();
      };
      for (const { turnId } of added) uploads.cancel(turnId);
      await Promise.all(added.map(({ finished }) => finished));
      assert.deepEqual([isHidden, getQuestions().length], [true, 1]);
    });

    it('can be changed at any time, and the current one is marked', async () => {
      const folderPicker = await fixture.services.getFolderPicker();
      answer = choose('Gamma');
      await folderPicker.changeFolder(undefined);
      assert.deepEqual(getQuestions()[0]?.texts[1], 'Select a folder');
      await upload('a.txt');
      answer = choose('Alpha');
      await folderPicker.changeFolder(undefined);
      const marked = getQuestions()
        .at(-1)
        ?.items.filter(({ description }) => /current/.test(description ?? ''));
      assert.deepEqual(
        marked?.map(({ label, description }) => [label, description]),
        [['Gamma', 'current · gamma']],
      );
      answer = () => recorded.quickPick?.hide();
      await folderPicker.changeFolder(undefined);
      await upload('b.txt');
      assert.deepEqual([getSentFolders(), getShown()], [['gamma', 'alpha'], 'Alpha']);
    });

    describe('in the settings', () => {
      it('comes before the chosen one, and is shown by its name', async () => {
        const { uploadFolders, setup } = fixture.services;
        const folderPicker = await fixture.services.getFolderPicker();
        await uploadFolders.remember(fixture.service.baseUrl, folders[0] ?? assert.fail());
        await setSetting('parley.folderId', ' beta ');
        await setup.checkSetup();
        await waitUntil('its name is known', () => getShown() === 'Beta');
        await upload('a.txt');
        assert.deepEqual([getQuestions(), getSentFolders()], [[], ['beta']]);
        answer = choose('Gamma');
        await folderPicker.changeFolder(undefined);
        assert.deepEqual(getQuestions()[0]?.texts[1], 'The folder is set in your user settings');
        assert.equal(vscode.workspace.getConfiguration('parley').get('folderId'), 'gamma');
        assert.deepEqual(getShown(), 'Gamma');
      });

      it('is left alone if the service refuses it: another one is chosen, and used in this window', async () => {
        await fixture.services.uploadFolders.remember(fixture.service.baseUrl, folders[0] ?? assert.fail());
        await setSetting('parley.folderId', 'elsewhere');
        answer = choose('Beta');
        await upload('a.txt');
        await upload('b.txt');
        assert.deepEqual(getSentFolders(), ['elsewhere', 'beta', 'beta']);
        assert.equal(getQuestions().length, 1);
        assert.deepEqual(getQuestions()[0]?.texts[1], 'The service rejected the folder “elsewhere”');
        answer = choose('Gamma');
        await (await fixture.services.getFolderPicker()).changeFolder(undefined);
        assert.equal(vscode.workspace.getConfiguration('parley').get('folderId'), 'elsewhere');
        assert.deepEqual(getShown(), 'Gamma');
      });

      it('is changed in the workspace’s settings if it comes from there', async function () {
        if (!vscode.workspace.workspaceFolders?.length) this.skip();
        const { Workspace } = vscode.ConfigurationTarget;
        await setSetting('parley.folderId', 'alpha');
        await setSetting('parley.folderId', 'beta', Workspace);
        try {
          answer = choose('Gamma');
          await (await fixture.services.getFolderPicker()).changeFolder(undefined);
          assert.deepEqual(getQuestions()[0]?.texts[1], 'The folder is set in this workspace’s settings');
          const { globalValue, workspaceValue } =
            vscode.workspace.getConfiguration('parley').inspect('folderId') ?? {};
          assert.deepEqual([globalValue, workspaceValue], ['alpha', 'gamma']);
        } finally {
          await setSetting('parley.folderId', undefined, Workspace);
        }
      });
    });
  });

  describe('of a service that can’t list folders', () => {
    useWindow(useServices({ folders, requiresFolder: true, missing: ['GET /folders'] }));

    it('asks for the folder’s ID if the service can’t list folders', async () => {
      answer = ({ by }) => (by === 'InputBox' ? ' beta ' : undefined);
      await upload('a.txt');
      const [input] = recorded.shown.filter(({ by }) => by === 'InputBox');
      assert.deepEqual(input?.texts, ['Choose Upload Folder', 'The folder’s ID', NEEDED]);
      assert.deepEqual([getStoredFolders(), getShown()], [['beta'], 'beta']);
    });
  });

  describe('of a service that can’t create folders', () => {
    useWindow(useServices({ folders, requiresFolder: true, missing: ['POST /folders'] }));

    it('is chosen from the list, which no longer offers a new one', async () => {
      const chooseNew = choose('New Folder…');
      answer = (shown) => (shown.by === 'InputBox' ? 'Plans' : (chooseNew(shown) ?? choose('Beta')(shown)));
      await upload('a.txt');
      assert.ok(recorded.texts.includes('The service doesn’t support creating folders.'));
      assert.deepEqual([getQuestions().length, getStoredFolders()], [2, ['beta']]);
    });
  });

  describe('of a service that creates folders without returning them', () => {
    useWindow(useServices({ folders, requiresFolder: true, empty: ['POST /folders'] }));

    it('is chosen from the list after it was created', async () => {
      const chooseNew = choose('New Folder…');
      answer = (shown) => (shown.by === 'InputBox' ? 'Plans' : (choose('Plans')(shown) ?? chooseNew(shown)));
      await upload('a.txt');
      assert.deepEqual([getQuestions().length, getShown()], [2, 'Plans']);
    });
  });

  describe('of a service that needs none', () => {
    useWindow(useServices({ folders }));

    it('is never asked for, sent or shown', async () => {
      await upload('a.txt');
      assert.deepEqual([getSentFolders(), recorded.shown, getShown()], [[undefined], [], undefined]);
    });
  });
});
