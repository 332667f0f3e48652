import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DocumentStatus } from '../../../src/chat/documents/documentStatus';
import { FocusSync } from '../../../src/chat/documents/focusSync';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { MessageSync } from '../../../src/chat/remote/messageSync';
import { Sources } from '../../../src/chat/remote/replySources';
import { ServiceConversations } from '../../../src/chat/remote/serviceConversations';
import { openBytes } from '../../../src/host/platform/openBytes';
import { optionalFields } from '../../service/api/optionalFields';
import type { LocalServiceOptions } from '../../service/localService';
import { cases } from '../../support/fuzz';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';
import { IGNORED_RESPONSES, OPTIONAL_OPERATIONS } from '../support/generatedService';

const services: fc.Arbitrary<LocalServiceOptions> = fc.record({
  profile: fc.constantFrom('minimal', 'hosted', 'lenient'),
  missing: fc.subarray([...OPTIONAL_OPERATIONS]),
  empty: fc.subarray([...IGNORED_RESPONSES]),
  omit: fc.subarray([...optionalFields]),
  bareErrors: fc.boolean(),
  paging: fc.boolean(),
  wrapSigned: fc.boolean(),
  wrapMessages: fc.boolean(),
  sourceAsObject: fc.boolean(),
  listingMs: fc.constantFrom(0, Number.POSITIVE_INFINITY),
  conversionMs: fc.constantFrom(0, Number.POSITIVE_INFINITY),
});

describe('Service without any optional operation', () => {
  it('handles conversations, messages and files; reports nothing as gone and sends nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(services, async (options) => {
        const fixture = await startChat(options);
        try {
          await runCoreOperations(fixture, options);
        } finally {
          await fixture.close();
        }
      }),
      cases(20),
    );
  });
});

async function runCoreOperations(
  fixture: ChatFixture,
  { listingMs, conversionMs }: LocalServiceOptions,
): Promise<void> {
  const { service, chat, replies, uploads } = fixture;
  const sources = new Sources(chat, fixture.remote, fixture.connect);
  const messageSync = new MessageSync(chat, fixture.remote, fixture.connect);
  const bots = { named: (id: string) => ({ id, name: id }), listBots: async () => undefined };
  const listed = new ServiceConversations(chat, messageSync, fixture.connect, bots);
  const status = new DocumentStatus(chat, fixture.remote, fixture.connect, {
    firstMs: 5,
    maxMs: 5,
    minListAgeMs: 30_000,
  });
  const focus = new FocusSync(chat, fixture.remote, fixture.connect);
  try {
    const { id } = fixture.newConversation('echo');
    status.setVisible(new Set([id]));
    focus.setVisible(new Set([id]));
    const open = () => openBytes(new TextEncoder().encode('Moss is green.'));
    const { turnId, finished } = uploads.add(
      id,
      confirmed({
        name: 'moss.txt',
        contentType: 'text/plain',
        opened: open(),
        reopen: async () => open(),
      }),
    );
    await finished;
    for (const text of ['What is moss?', 'And what else?']) {
      assert.equal(await replies.send(id, text), 'sent');
      const reply = await fixture.ended(id);
      await sources.whenSettled(id);
      assert.deepEqual([reply.ending, reply.failure], ['complete', undefined]);
      assert.ok(reply.text.includes(text));
    }
    // Waits for the document, as far as the service reports its status.
    const queued = { id: 'queued', text: 'And at last?', context: [], documents: [turnId] };
    await chat.queues.change(id, () => [queued]);
    service.conversions.finishAll();
    // A document that is ready but never listed would be waited for for an hour.
    if (listingMs !== 0 && conversionMs === 0) await fixture.queueRunner.sendNow(id, 'queued');
    await fixture.until(() => chat.findConversation(id)?.queue === undefined);
    assert.equal((await fixture.ended(id)).ending, 'complete');
    await sources.whenSettled(id);
    await messageSync.fetchMessages(id);
    await listed.list();
    const conversation = chat.findConversation(id);
    const document = conversation?.turns.find((turn): turn is DocumentTurn => turn.id === turnId);
    assert.deepEqual([document?.state, document?.failure], ['attached', undefined]);
    assert.equal(service.documents.size, 1);
    assert.equal(service.conversations.size, 1);
    assert.equal([...service.messages.values()].filter(({ machine }) => !machine).length, 3);
    assert.equal(conversation?.remote?.gone, undefined);
    assert.equal(conversation?.turns.filter(({ kind }) => kind !== 'document').length, 6);
    assert.deepEqual(
      chat.listConversations().map(({ name }) => name),
      ['What is moss?'],
    );
    // Includes background requests.
    assert.deepEqual(fixture.takeErrors(), []);
  } finally {
    status.dispose();
    focus.dispose();
    messageSync.dispose();
    sources.dispose();
  }
}
