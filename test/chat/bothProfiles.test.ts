import assert from 'node:assert/strict';
import { findServiceDocuments } from '../../src/chat/documents/serviceDocuments';
import { findDocument } from '../../src/chat/model/conversation';
import { Sources } from '../../src/chat/remote/replySources';
import type { MessageSender } from '../../src/chat/replies/messageSender';
import { demoBots } from '../service/demo/demoBots';
import type { LocalServiceOptions } from '../service/localService';
import { type ChatFixture, startChat } from './support/chatFixture';
import { createMessageSender, createTextFile } from './support/messageSender';

const createFile = (name: string) => createTextFile(name, 'Zebras sleep.');

/** The cases of the main job that don't need a window. `hosted` reports when documents are ready, `minimal` doesn't. */
for (const profile of ['minimal', 'hosted'] as const) {
  const isHosted = profile === 'hosted';

  describe(`The main job with the ${profile} service`, () => {
    let fixture: ChatFixture;
    let sender: MessageSender;
    let id: string;

    const start = async (options: LocalServiceOptions = {}) => {
      const conversionMs = isHosted ? Number.POSITIVE_INFINITY : 0;
      fixture = await startChat({ bots: demoBots, profile, listingMs: 0, conversionMs, ...options });
      sender = createMessageSender(fixture);
      ({ id } = fixture.newConversation('guide'));
    };
    afterEach(() => fixture.close());

    const find = ({ chat } = fixture) => chat.findConversation(id) ?? assert.fail();
    const send = (text: string) => sender.send(id, { text, context: [] });
    const getSentTexts = () =>
      [...fixture.service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));
    const getQueuedTexts = (window = fixture) => find(window).queue?.messages.map(({ text }) => text) ?? [];
    const waitForReplies = (count: number, window = fixture) =>
      window.until(() => {
        const replies = find(window).turns.filter((turn) => turn.kind === 'reply');
        return replies.length === count && replies.every(({ ending }) => ending !== undefined);
      });
    const upload = async (name: string) => {
      const { turnId, finished } = fixture.uploads.add(id, createFile(name));
      await finished;
      return () => findDocument(find(), turnId) ?? assert.fail();
    };
    const countRegistrations = () =>
      fixture.service.requests.filter(({ path }) => path.endsWith('/documents/file')).length;
    const finishConversion = () => isHosted && fixture.service.conversions.finish('zebras.md');
    /** Queues two messages behind a reply that streams until the script ends it. */
    const fillQueue = async () => {
      const script = fixture.service.script();
      assert.equal(await send('first'), 'sent');
      await script.opened;
      for (const text of ['second', 'third']) assert.equal(await send(text), 'queued');
      return script;
    };
    const resume = async (window = fixture) => {
      await window.queueRunner.resume(id);
      await window.until(() => getQueuedTexts(window).length === 0);
      await waitForReplies(3, window);
      assert.deepEqual(getSentTexts(), ['first', 'second', 'third']);
    };

    it('registers each of two files with one name once, and tells them apart', async () => {
      await start();
      fixture.documentStatus.setVisible(new Set([id]));
      const documents = [await upload('zebras.md'), await upload('zebras.md')];
      const getStatuses = () => documents.map((getTurn) => getTurn().status);
      assert.equal(countRegistrations(), 2);
      if (isHosted) {
        finishConversion();
        await fixture.until(() => `${getStatuses()}` === 'synced,syncing');
        finishConversion();
        await fixture.until(() => `${getStatuses()}` === 'synced,synced');
        assert.equal(new Set(documents.map((getTurn) => getTurn().documentId)).size, 2);
      } else await fixture.until(() => getStatuses().every((status) => status === undefined));
      assert.deepEqual(
        documents.map((getTurn) => getTurn().state),
        ['attached', 'attached'],
      );
    });

    it('sends a question exactly once, when the bot can read the document as far as the service says', async () => {
      await start();
      await upload('zebras.md');
      assert.equal(await send('How do zebras sleep?'), 'queued');
      assert.deepEqual(getSentTexts(), []);
      finishConversion();
      await waitForReplies(1);
      assert.deepEqual([getSentTexts(), getQueuedTexts()], [['How do zebras sleep?'], []]);
      assert.equal(countRegistrations(), 1);
    });

    it('sends queued messages one after another once the reply that streams is complete', async () => {
      await start();
      const script = await fillQueue();
      script.end();
      await waitForReplies(3);
      assert.deepEqual(getSentTexts(), ['first', 'second', 'third']);
    });

    it('pauses a full queue on Stop, and sends each message once on Resume', async () => {
      await start();
      await fillQueue();
      fixture.queueRunner.stop(id);
      await waitForReplies(1);
      assert.deepEqual([find().queue?.paused, getQueuedTexts()], ['stopped', ['second', 'third']]);
      await resume();
    });

    it('pauses a full queue on a 402, and sends each message once on Resume', async () => {
      await start();
      const script = await fillQueue();
      const body = { message: 'The limit is reached.' };
      fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status: 402, body });
      script.end();
      await fixture.until(() => find().queue?.paused === 'quotaReached');
      await fixture.until(() => getQueuedTexts().length === 2);
      assert.deepEqual([getQueuedTexts(), getSentTexts()], [['second', 'third'], ['first']]);
      await fixture.queueRunner.resume(id);
      await fixture.until(() => getQueuedTexts().length === 0);
      await waitForReplies(4);
      assert.deepEqual(getSentTexts(), ['first', 'second', 'third']);
    });

    it('restores a full queue in the next window after a kill, and sends each message once on Resume', async () => {
      await start();
      await fillQueue();
      // The killed window does nothing more.
      fixture.queueRunner.dispose();
      const next = await fixture.otherWindow();
      await next.chat.openConversation(id);
      assert.deepEqual([find(next).queue?.paused, getQueuedTexts(next)], ['reopened', ['second', 'third']]);
      fixture.replies.stop(id);
      await fixture.replies.whenDone(id);
      await next.until(() => !find(next).heldByOtherWindow);
      await resume(next);
      await next.close();
    });

    it('shows a document from elsewhere as far as the service lists it, and works on', async () => {
      await start();
      await send('first');
      await waitForReplies(1);
      const other = await fixture.otherMachine();
      const { id: otherId } = other.newConversation();
      const { remote } = find();
      if (remote) other.chat.update(otherId, { remote });
      await other.uploads.add(otherId, createFile('zebras.md')).finished;
      await other.close();
      finishConversion();
      fixture.documentStatus.setVisible(new Set([id]));
      fixture.focusSync.setVisible(new Set([id]));
      const isListRequest = ({ path }: { path: string }) => path.includes('/documents?');
      await fixture.service.waitForRequest(isListRequest);
      if (isHosted) await fixture.until(() => find().listed !== undefined);
      assert.deepEqual(
        findServiceDocuments(find()).map(({ document, origin }) => [document.name, origin]),
        isHosted ? [['zebras.md', 'addedElsewhere']] : [],
      );
      assert.equal(await send('second'), 'sent');
      await waitForReplies(2);
    });

    it('shows the source of a reply, which the list of messages has as an object, if the service names it', async () => {
      await start();
      const sources = new Sources(fixture.chat, fixture.remote, fixture.connect);
      await upload('zebras.md');
      finishConversion();
      await send('How do zebras sleep?');
      await waitForReplies(1);
      await sources.whenSettled(id);
      sources.dispose();
      const reply = find().turns.findLast((turn) => turn.kind === 'reply');
      assert.match(reply?.text ?? '', /Zebras sleep/);
      assert.deepEqual(
        reply?.sources?.map(({ name }) => name),
        isHosted ? ['zebras.md'] : undefined,
      );
    });
  });
}
