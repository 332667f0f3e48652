import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { DocumentTurn } from '../../src/chat/conversation';
import type { FileToUpload } from '../../src/chat/uploads';
import type { Fault } from '../service/faults';
import { type ChatFixture, startChat } from './support/chatFixture';

/** A file in memory that can change under way. */
function file(
  name: string,
  bytes: Uint8Array,
  unchanged = true,
): FileToUpload & { opened: number; closed: number } {
  const blob = new Blob([new Uint8Array(bytes)]);
  const counted = {
    name,
    contentType: name.endsWith('.pdf') ? 'application/pdf' : 'text/plain',
    size: bytes.length,
    opened: 0,
    closed: 0,
    async open() {
      counted.opened++;
      return {
        body: { size: blob.size, open: () => blob.stream() },
        unchanged: async () => unchanged,
        close: async () => {
          counted.closed++;
        },
      };
    },
  };
  return counted;
}

describe('Uploads', () => {
  let fixture: ChatFixture;
  beforeEach(async () => {
    fixture = await startChat();
  });
  afterEach(() => fixture.close());

  const document = (turnId: string) => fixture.uploads.find(turnId);
  const inConversation = (id: string) =>
    fixture.chat.find(id)?.turns.filter((turn): turn is DocumentTurn => turn.kind === 'document') ?? [];
  const count = (method: string, path: RegExp) =>
    fixture.service.requests.filter((request) => request.method === method && path.test(request.path)).length;

  async function upload(file: FileToUpload, ...faults: Fault[]) {
    for (const fault of faults) fixture.service.inject(fault);
    const { id } = fixture.newConversation();
    const { turnId, finished } = fixture.uploads.add(id, file);
    await finished;
    const turn = inConversation(id)[0];
    assert.ok(turn);
    return { id, turnId, turn };
  }

  it('puts a file into the conversation byte for byte, and names the conversation after it', async () => {
    const bytes = randomBytes(3_000_000);
    const source = file('report.pdf', bytes);
    const { id, turn } = await upload(source);
    assert.deepEqual([turn.state, turn.sent, turn.size], ['attached', bytes.length, bytes.length]);
    assert.deepEqual([...fixture.service.objects.values()][0], bytes);
    const stored = [...fixture.service.documents.values()][0];
    assert.equal(stored?.name, 'report.pdf');
    assert.equal(fixture.chat.find(id)?.name, 'report.pdf');
    assert.deepEqual([source.opened, source.closed], [1, 1]);
  });

  it('shows progress that only grows, from queued to attached', async () => {
    const { turnId } = await upload(file('report.pdf', randomBytes(2_000_000)));
    const seen = fixture.events.flatMap((event) =>
      event.type === 'turn' && event.turn.id === turnId ? [event.turn as DocumentTurn] : [],
    );
    assert.deepEqual(
      [...new Set(seen.map(({ state }) => state))],
      ['queued', 'signing', 'uploading', 'registering', 'attached'],
    );
    const sent = seen.map((turn) => turn.sent);
    assert.deepEqual(
      sent,
      sent.toSorted((a, b) => a - b),
    );
  });

  const failures: [step: DocumentTurn['failedAt'], fault: Fault][] = [
    ['signing', { name: 'status', on: 'POST /uploads/signed-url', status: 500 }],
    ['uploading', { name: 'put-forbidden-halfway', times: 2 }],
    ['registering', { name: 'status', on: 'POST /documents/file', status: 500 }],
  ];
  for (const [step, fault] of failures) {
    it(`names the step when ${step} fails, and Retry goes on from there`, async () => {
      const { id, turnId, turn } = await upload(file('notes.txt', randomBytes(500_000)), fault);
      assert.deepEqual([turn.state, turn.failedAt], ['failed', step]);
      const puts = count('PUT', /./);
      fixture.uploads.retry(turnId);
      await fixture.until(
        (event) =>
          event.type === 'turn' &&
          event.turn.id === turnId &&
          'state' in event.turn &&
          event.turn.state === 'attached',
      );
      assert.equal(inConversation(id)[0]?.failure, undefined);
      if (step === 'registering') assert.equal(count('PUT', /./), puts, 'the bytes do not go twice');
      assert.equal(fixture.service.documents.size, 1);
    });
  }

  it('gets one fresh URL when the signed one has expired', async () => {
    const { turn } = await upload(file('notes.txt', randomBytes(1000)), {
      name: 'url-expired',
      on: 'POST /uploads/signed-url',
    } as Fault);
    assert.equal(turn.state, 'attached');
    assert.equal(count('POST', /signed-url$/), 2);
  });

  it('starts the PUT again from its beginning when the store is busy or drops', async () => {
    for (const name of ['put-503', 'put-reset'] as const) {
      const bytes = randomBytes(400_000);
      const { turn } = await upload(file('notes.txt', bytes), { name } as Fault);
      assert.equal(turn.state, 'attached', name);
      assert.deepEqual([...fixture.service.objects.values()].at(-1), bytes);
    }
  });

  it('cancels under way: the socket is closed and nothing is registered', async () => {
    fixture.service.inject({ name: 'slow', on: 'PUT object', bytesPerSecond: 3_000_000 });
    const { id } = fixture.newConversation();
    const { turnId, finished } = fixture.uploads.add(id, file('big.pdf', randomBytes(5_000_000)));
    const put = await fixture.service.waitForRequest(({ method }) => method === 'PUT');
    fixture.uploads.cancel(turnId);
    await finished;
    assert.equal(document(turnId)?.state, 'cancelled');
    await fixture.service.waitForRequest((request) => request === put && request.aborted);
    assert.equal(fixture.service.documents.size, 0);
  });

  it('reports a file that changed under way, and one that is not as long as was said', async () => {
    const changed = await upload(file('notes.txt', randomBytes(1000), false));
    assert.equal(changed.turn.failure?.code, 'fileChanged');
    const shrunk = await upload({ ...file('notes.txt', randomBytes(1000)), size: 2000 });
    assert.equal(shrunk.turn.failure?.code, 'fileChanged');
    assert.equal(fixture.service.documents.size, 0);
  });

  it('runs three at a time, and one bad file stops no other', async () => {
    const { id } = fixture.newConversation();
    fixture.service.inject({ name: 'slow', on: 'PUT object', delayMs: 30, times: 20 });
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 500 });
    let uploading = 0;
    let most = 0;
    fixture.chat.onEvent((event) => {
      if (event.type !== 'turn') return;
      uploading = inConversation(id).filter(
        ({ state }) => !['queued', 'attached', 'failed'].includes(state),
      ).length;
      most = Math.max(most, uploading);
    });
    const all = Array.from({ length: 10 }, (_, i) =>
      fixture.uploads.add(id, file(`file-${i}.txt`, randomBytes(1000))),
    );
    await Promise.all(all.map(({ finished }) => finished));
    const states = inConversation(id)
      .map(({ state }) => state)
      .toSorted();
    assert.deepEqual(states, [...Array(9).fill('attached'), 'failed']);
    assert.equal(most, 3);
    assert.equal(fixture.service.conversations.size, 1);
  });
});
