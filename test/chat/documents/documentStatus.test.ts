import assert from 'node:assert/strict';
import { DocumentStatus } from '../../../src/chat/documents/documentStatus';
import { findDocument } from '../../../src/chat/model/conversation';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { openBytes } from '../../../src/host/platform/openBytes';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';

const GET = 'GET /documents';

describe('DocumentStatus', () => {
  let fixture: ChatFixture;
  let status: DocumentStatus;
  let clock = Date.now();

  const start = async (options?: LocalServiceOptions) => {
    clock = Date.now();
    fixture = await startChat({ now: () => clock, ...options });
    const intervals = { firstMs: 20, maxMs: 40, minListAgeMs: 30_000 };
    status = new DocumentStatus(fixture.chat, fixture.remote, fixture.connect, intervals);
  };
  afterEach(async () => {
    status.dispose();
    await fixture.close();
  });

  const attach = async (id: string, name = 'a.txt'): Promise<string> => {
    const opened = openBytes(new TextEncoder().encode('text'));
    const file = { name, contentType: 'text/plain', opened, reopen: async () => opened };
    const { turnId, finished } = fixture.uploads.add(id, confirmed(file));
    await finished;
    return turnId;
  };
  const isDocumentsRequest = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && new URL(path, 'http://service').pathname.endsWith('/documents');
  const getRequests = () => fixture.service.requests.filter(isDocumentsRequest);
  /** Waits until that many requests have arrived. */
  const waitForRequests = (count: number) =>
    fixture.service.waitForRequest(() => getRequests().length >= count);
  const waitForNextRequest = () => waitForRequests(getRequests().length + 1);
  const waitForStatus = (turnId: string, word: string) =>
    fixture.until(
      (event) =>
        event.type === 'turn' && event.turn.id === turnId && (event.turn as DocumentTurn).status === word,
    );

  it('polls until the document is ready, and then stops', async () => {
    await start();
    const { id } = fixture.newConversation();
    status.setVisible(new Set([id]));
    const turnId = await attach(id);
    await waitForStatus(turnId, 'syncing');
    await waitForNextRequest();
    clock += 1500;
    await waitForStatus(turnId, 'synced');
    const asked = getRequests().length;
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal(getRequests().length, asked);
    // One more request when it comes on screen again: other machines may have added documents.
    status.setVisible(new Set());
    status.setVisible(new Set([id]));
    await waitForRequests(asked + 1);
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal(getRequests().length, asked + 1);
  });

  it('updates a document that is ready after more than an hour', async () => {
    await start();
    const { id } = fixture.newConversation();
    status.setVisible(new Set([id]));
    const turnId = await attach(id);
    await waitForStatus(turnId, 'syncing');
    const turn = findDocument(fixture.chat.findConversation(id), turnId) ?? assert.fail();
    fixture.chat.writer.putDocument(id, { ...turn, acceptedAt: Date.now() - 61 * 60_000 });
    await waitForNextRequest();
    await waitForNextRequest();
    clock += 1500;
    await waitForStatus(turnId, 'synced');
  });

  it('polls only while the conversation is on screen', async () => {
    await start();
    const { id } = fixture.newConversation();
    const turnId = await attach(id);
    assert.equal(getRequests().length, 0);
    status.setVisible(new Set([id]));
    await waitForStatus(turnId, 'syncing');
    status.setVisible(new Set());
    const asked = getRequests().length;
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal(getRequests().length, asked);
    clock += 1500;
    status.setVisible(new Set([id]));
    await waitForStatus(turnId, 'synced');
  });

  it('polls at increasing intervals', async () => {
    await start();
    const { id } = fixture.newConversation();
    status.setVisible(new Set([id]));
    const from = performance.now();
    await attach(id);
    for (let count = 0; count < 5; count++) await waitForNextRequest();
    // The intervals are 20, 40, 40 and 40 ms; constant ones would allow 80.
    const elapsed = performance.now() - from;
    assert.ok(elapsed >= 135, `${elapsed} ms`);
  });

  it('finds a document on later pages of the list', async () => {
    await start();
    const { id } = fixture.newConversation();
    const turns = [];
    for (let count = 0; count < 52; count++) turns.push(await attach(id, `${count}.txt`));
    clock += 1500;
    status.setVisible(new Set([id]));
    for (const turnId of turns) await waitForStatus(turnId, 'synced');
    assert.ok(getRequests().some(({ path }) => path.includes('page=2')));
  });

  for (const [code, firstRequests, requests] of [
    [404, 2, 3],
    [405, 1, 1],
  ] as const) {
    it(`polls no more after two conversations for which the service answered ${code}`, async () => {
      await start();
      fixture.service.inject({ name: 'status', on: GET, status: code, times: Number.POSITIVE_INFINITY });
      const { id } = fixture.newConversation();
      status.setVisible(new Set([id]));
      await attach(id);
      await waitForRequests(firstRequests);
      // Another request would arrive within this time.
      await new Promise((resolve) => setTimeout(resolve, 150));
      assert.equal(getRequests().length, firstRequests);
      const other = fixture.newConversation();
      status.setVisible(new Set([other.id]));
      await attach(other.id);
      await waitForRequests(requests);
      await new Promise((resolve) => setTimeout(resolve, 150));
      assert.equal(getRequests().length, requests);
    });
  }

  it('continues after an error without showing it', async () => {
    await start();
    fixture.service.inject({ name: 'status', on: GET, status: 400 });
    const { id } = fixture.newConversation();
    status.setVisible(new Set([id]));
    const turnId = await attach(id);
    await fixture.service.waitForRequest(isDocumentsRequest);
    await waitForStatus(turnId, 'syncing');
    const turn = fixture.chat.findConversation(id)?.turns.find((each) => each.id === turnId);
    assert.equal((turn as DocumentTurn).failure, undefined);
  });

  it('reports an error that isn’t the service’s', async () => {
    await start();
    const { id } = fixture.newConversation();
    await attach(id);
    const bug = new TypeError('Bug');
    const reported = new Promise((resolve) => {
      Object.assign(fixture.chat, { reportError: resolve });
    });
    fixture.connect().client.listDocuments = () => {
      throw bug;
    };
    status.setVisible(new Set([id]));
    assert.equal(await reported, bug);
  });

  it('does not poll when another service is configured', async () => {
    await start();
    const { id } = fixture.newConversation();
    await attach(id);
    fixture.useBaseUrl(fixture.service.baseUrl.replace('127.0.0.1', 'localhost'));
    status.setVisible(new Set([id]));
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(getRequests().length, 0);
  });

  it('asks once when a conversation is shown again and again', async () => {
    await start();
    const { id } = fixture.newConversation();
    await attach(id);
    fixture.service.inject({ name: 'hang', on: GET, times: 3 });
    for (let times = 0; times < 3; times++) status.setVisible(new Set([id]));
    await fixture.service.waitForRequest(isDocumentsRequest);
    await fixture.connect().client.listBots();
    assert.equal(getRequests().length, 1);
  });

  it('shows what the service accepted without an id and doesn’t list as pending', async () => {
    await start();
    const { id } = fixture.newConversation();
    await attach(id, 'other.txt');
    const about = { kind: 'document', size: 1, sent: 1, state: 'attached' } as const;
    const at = Date.now();
    fixture.chat.writer.putDocument(id, { ...about, at, acceptedAt: at, id: 'd1', name: 'a.txt' });
    fixture.chat.writer.putDocument(id, {
      ...about,
      at,
      id: 'd2',
      name: 'b.txt',
      documentId: 'x',
      status: 'syncing',
    });
    status.setVisible(new Set([id]));
    await waitForStatus('d1', 'pending');
    const turn = fixture.chat.findConversation(id)?.turns.at(-1);
    assert.deepEqual(turn?.kind === 'document' && [turn.id, turn.status], ['d2', 'syncing']);
  });

  it('does not abort a request in progress', async () => {
    await start();
    fixture.service.inject({ name: 'slow', on: GET, delayMs: 5000 });
    const { id } = fixture.newConversation();
    status.setVisible(new Set([id]));
    await attach(id);
    await fixture.service.waitForRequest(isDocumentsRequest);
    status.dispose();
    await fixture.service.waitForRequest(
      (request) => isDocumentsRequest(request) && request.aborted === true,
    );
  });
});
