import assert from 'node:assert/strict';
import type { ConfirmedFile } from '../../../src/chat/documents/fileToUpload';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { openBytes } from '../../../src/host/platform/openBytes';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';

const folders = [
  { id: 'handbooks', name: 'Handbooks' },
  { id: 'projects', name: 'Projects' },
];

function createFile(name: string): ConfirmedFile {
  const open = () => openBytes(new TextEncoder().encode(name));
  return confirmed({ name, contentType: 'text/plain', opened: open(), reopen: async () => open() });
}

describe('Uploads to a service that needs a folder', () => {
  let fixture: ChatFixture;
  let id: string;
  const start = async (options: Parameters<typeof startChat>[0] = { folders, requiresFolder: true }) => {
    fixture = await startChat(options);
    ({ id } = fixture.newConversation());
  };
  afterEach(() => fixture.close());

  const add = (name: string) => fixture.uploads.add(id, createFile(name));
  const upload = async (...names: string[]) => {
    const added = names.map(add);
    await Promise.all(added.map(({ finished }) => finished));
    return added.map(({ turnId }) => turnId);
  };
  const getDocuments = () =>
    fixture.chat
      .findConversation(id)
      ?.turns.filter((turn): turn is DocumentTurn => turn.kind === 'document') ?? [];
  const getStates = () => getDocuments().map(({ state }) => state);
  const find = (method: string, path: RegExp) =>
    fixture.service.requests.filter((request) => request.method === method && path.test(request.path));
  const getRegistrations = () =>
    find('POST', /\/documents\/file$/).map(
      ({ body }) => body as { readonly key: string; readonly folder_id?: string },
    );
  const countTransfers = () => [find('POST', /\/signed-url$/).length, find('PUT', /./).length];
  /** Returns whether the uploads were refused and wait for an answer. */
  const areAllWaiting = () =>
    getDocuments().every((turn) => turn.state === 'registering' && !('acceptedAt' in turn));
  const getStoredFolders = () => [...fixture.service.documents.values()].map(({ folder_id }) => folder_id);

  it('ask for it and continue from the uploaded file [fault 55]', async () => {
    await start();
    fixture.folders.answer = async () => {
      // The service doesn't have the document, so nothing is to be looked up if the window closes now.
      assert.deepEqual(
        getDocuments().map((turn) => [turn.state, 'acceptedAt' in turn]),
        [['registering', false]],
      );
      return 'handbooks';
    };
    await upload('a.txt');
    assert.deepEqual(fixture.folders.questions, [undefined]);
    assert.deepEqual(countTransfers(), [1, 1]);
    const [refused, accepted, ...others] = getRegistrations();
    assert.deepEqual(others, []);
    assert.deepEqual([refused?.folder_id, accepted?.folder_id], [undefined, 'handbooks']);
    assert.ok(refused?.key);
    assert.equal(accepted?.key, refused.key);
    assert.deepEqual([getStates(), getStoredFolders()], [['attached'], ['handbooks']]);
  });

  it('ask once if several are refused at the same time', async () => {
    await start();
    fixture.folders.answer = async () => {
      await fixture.service.waitForRequest(() => getRegistrations().length === 3);
      return 'projects';
    };
    await upload('a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt');
    assert.deepEqual(fixture.folders.questions, [undefined]);
    assert.deepEqual(getStates(), Array(5).fill('attached'));
    assert.deepEqual(getStoredFolders(), Array(5).fill('projects'));
    assert.deepEqual(countTransfers(), [5, 5]);
    assert.equal(getRegistrations().length, 8);
  });

  it('use the folder that was chosen while they were being refused', async () => {
    await start();
    // The answer to the first one comes after the second one was asked for a folder.
    fixture.service.inject({ name: 'slow', on: 'POST /documents/file', delayMs: 200 });
    fixture.folders.answer = async () => 'handbooks';
    await upload('a.txt', 'b.txt');
    assert.deepEqual(fixture.folders.questions, [undefined]);
    assert.deepEqual(getStoredFolders(), ['handbooks', 'handbooks']);
  });

  it('fail if no folder is chosen, and Retry asks again and continues from the uploaded file', async () => {
    await start();
    const [turnId = ''] = await upload('a.txt');
    const [failed] = getDocuments();
    assert.deepEqual(
      [failed?.state, failed?.failedAt, failed?.failure?.reason],
      ['failed', 'registering', 'folder'],
    );
    assert.deepEqual(Object.keys(failed?.failure?.fieldErrors ?? {}), ['folder_id']);
    fixture.folders.answer = async () => 'handbooks';
    await fixture.uploads.retry(turnId, () => assert.fail('It asked to add the file again.'));
    assert.deepEqual(fixture.folders.questions, [undefined, undefined]);
    assert.deepEqual([getStates(), getStoredFolders()], [['attached'], ['handbooks']]);
    assert.deepEqual(countTransfers(), [1, 1]);
    assert.equal(new Set(getRegistrations().map(({ key }) => key)).size, 1);
  });

  it('ask only once if no folder is chosen for several of them', async () => {
    await start();
    const turnIds = await upload('a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt');
    assert.deepEqual(fixture.folders.questions, [undefined]);
    assert.deepEqual(getStates(), Array(6).fill('failed'));
    fixture.folders.answer = async () => 'handbooks';
    await Promise.all(turnIds.map((turnId) => fixture.uploads.retry(turnId, async () => false)));
    assert.equal(fixture.folders.questions.length, 2);
    assert.deepEqual(getStoredFolders(), Array(6).fill('handbooks'));
    assert.deepEqual(countTransfers(), [6, 6]);
  });

  it('ask again if the chosen folder is refused, such as a deleted one', async () => {
    await start();
    fixture.folders.folderId = 'deleted';
    const answers = ['deleted', 'gone', 'projects'];
    fixture.folders.answer = async () => answers.shift();
    await upload('a.txt');
    assert.deepEqual(fixture.folders.questions, ['deleted', 'deleted', 'gone']);
    assert.deepEqual(
      getRegistrations().map(({ folder_id }) => folder_id),
      ['deleted', 'deleted', 'gone', 'projects'],
    );
    assert.deepEqual([getStates(), countTransfers()], [['attached'], [1, 1]]);
  });

  it('send the chosen folder at once, with no question', async () => {
    await start();
    fixture.folders.folderId = 'handbooks';
    await upload('a.txt', 'b.txt');
    assert.deepEqual([fixture.folders.questions, getRegistrations().length], [[], 2]);
    assert.deepEqual(getStoredFolders(), ['handbooks', 'handbooks']);
  });

  it('can be canceled while the question is open, which withdraws it', async () => {
    await start();
    let withdrawn = Promise.resolve<undefined>(undefined);
    fixture.folders.answer = (_, signal) => {
      withdrawn = new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
      return withdrawn;
    };
    const { turnId, finished } = add('a.txt');
    await waitUntil('it waits for the answer', areAllWaiting);
    fixture.uploads.cancel(turnId);
    await finished;
    await withdrawn;
    assert.deepEqual([getStates(), fixture.service.documents.size], [['cancelled'], 0]);
    fixture.folders.answer = async () => 'handbooks';
    await upload('b.txt');
    assert.deepEqual([fixture.folders.questions.length, getStates()], [2, ['cancelled', 'attached']]);
  });

  it('leave the question open for the others if one of them is canceled', async () => {
    await start();
    let answer: (id: string) => void = () => assert.fail('Not asked.');
    fixture.folders.answer = (_, signal) =>
      new Promise((resolve) => {
        answer = resolve;
        signal.addEventListener('abort', () => resolve(undefined));
      });
    const [first, second] = [add('a.txt'), add('b.txt')];
    await waitUntil('both wait for the answer', areAllWaiting);
    fixture.uploads.cancel(first.turnId);
    await first.finished;
    answer('projects');
    await second.finished;
    assert.deepEqual([getStates(), getStoredFolders()], [['cancelled', 'attached'], ['projects']]);
  });

  it('are started again from the beginning if the service refuses the file too', async () => {
    await start();
    const errors = { folder_id: ['Required.'], key: ['Invalid.'] };
    const body = { message: 'Invalid.', errors };
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 422, body });
    const [turnId = ''] = await upload('a.txt');
    assert.deepEqual([getStates(), fixture.folders.questions], [['failed'], []]);
    fixture.folders.folderId = 'handbooks';
    await fixture.uploads.retry(turnId, async () => false);
    assert.deepEqual([getStates(), countTransfers()], [['attached'], [2, 2]]);
  });

  it('send no folder to a service that doesn’t ask for one', async () => {
    await start({});
    await upload('a.txt');
    assert.deepEqual(getRegistrations().map(Object.keys), [['key', 'conversation_id', 'file_name']]);
    assert.deepEqual([getStates(), fixture.folders.questions], [['attached'], []]);
  });
});
