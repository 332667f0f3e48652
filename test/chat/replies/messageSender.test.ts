import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DocumentTurn, ReplyTurn } from '../../../src/chat/model/turn';
import type { MessageSender } from '../../../src/chat/replies/messageSender';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import type { ContextChip } from '../../../src/shared/conversation/message';
import { demoBots } from '../../service/demo/demoBots';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, sendAgain, startChat, type WindowOptions } from '../support/chatFixture';
import { createEndingStorage, type EndingStorage } from '../support/endingStorage';
import { createMessageSender } from '../support/messageSender';
import { RefusingStorage } from '../support/refusingStorage';
import { UnwatchedStorage } from '../support/unwatchedStorage';

const createChip = (id: string, text: string): ContextChip => ({
  id,
  kind: 'selection',
  name: `${id}.ts:1`,
  text,
});

const createSender = (
  window: ChatFixture,
  confirmAddAgain: (turn: DocumentTurn) => Promise<boolean> = () => assert.fail('It asked.'),
) =>
  createMessageSender(window, {
    formatReference: (name, beginning) => `See “${name}”. It begins: ${beginning}`,
    confirmAddAgain,
  });

describe('MessageSender', () => {
  let fixture: ChatFixture;
  let sending: MessageSender;
  let id: string;

  const start = async (options?: LocalServiceOptions) => {
    fixture = await startChat({ bots: demoBots, conversionMs: 0, ...options });
    sending = createSender(fixture);
    ({ id } = fixture.newConversation());
  };
  beforeEach(() => start());
  afterEach(async () => {
    await fixture.close();
  });

  const getConversation = () => fixture.chat.findConversation(id) ?? assert.fail();
  const getComposing = () => getConversation().composing ?? assert.fail();
  const getSentTexts = () =>
    [...fixture.service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));
  const getDocumentNames = () => [...fixture.service.documents.values()].map(({ name }) => name);
  const getEndings = () =>
    getConversation().turns.flatMap((turn) => (turn.kind === 'reply' ? [turn.ending ?? 'none'] : []));
  const getQueuedTexts = () => getConversation().queue?.messages.map(({ text }) => text) ?? [];
  const waitForReplies = (count: number) =>
    fixture.until(() => getEndings().length === count && getEndings().at(-1) !== 'none');

  it('is refused without a bot, and without a conversation', async () => {
    const { id: withoutBot } = fixture.chat.createConversation(undefined);
    for (const conversationId of [withoutBot, 'unknown'])
      assert.equal(await sending.send(conversationId, { text: 'Why?', context: [] }), 'noBot');
  });

  for (const outcome of ['sent', 'queued'])
    it(`leaves a draft and chips that another window has written since when a message is ${outcome}`, async () => {
      assert.equal(await sending.send(id, { text: 'First', context: [] }), 'sent');
      await fixture.ended(id);
      await fixture.replies.whenDone(id);
      const other = await fixture.otherWindow();
      await other.chat.openConversation(id);
      const script = fixture.service.script();
      if (outcome === 'queued') {
        assert.equal(await other.replies.send(id, 'Second'), 'sent');
        await script.opened;
        await fixture.chat.readChanges(id);
      } else script.end();
      const [mine, theirs] = [createChip('mine', 'mine'), createChip('theirs', 'theirs')];
      for (const [{ chat }, text, chip] of [
        [fixture, 'Hello', mine],
        [other, 'Bye', theirs],
      ] as const) {
        chat.composers.setDraft(id, text);
        chat.composers.setState(id, { context: [chip] });
        await chat.whenDraftSaved(id);
      }
      assert.equal(await sending.send(id, { text: 'Hello', context: [mine.id] }), outcome);
      await fixture.replies.whenDone(id);
      await fixture.chat.whenSaved(id);
      const fresh = await fixture.otherWindow();
      const { draft, composing } = (await fresh.chat.openConversation(id)) ?? assert.fail();
      assert.deepEqual([draft, composing?.context], ['Bye', [theirs]]);
      await fresh.close();
      if (outcome === 'queued') script.end();
      await other.close();
    });

  it('sends one of two messages that are sent at the same time, and queues the other', async () => {
    const texts = ['one', 'two'];
    const sent = texts.map((text) => sending.send(id, { text, context: [] }));
    assert.deepEqual(await Promise.all(sent), ['sent', 'queued']);
    await waitForReplies(2);
    assert.deepEqual(getSentTexts(), texts);
  });

  it('queues a message when another window starts writing just before it is sent, and sends it once', async () => {
    const { chat } = fixture;
    const acquire = chat.acquirePermission.bind(chat);
    chat.acquirePermission = async () => {
      chat.acquirePermission = acquire;
      return undefined;
    };
    assert.equal(await sending.send(id, { text: 'one', context: [] }), 'queued');
    await waitForReplies(1);
    assert.deepEqual(getSentTexts(), ['one']);
  });

  describe('context', () => {
    it('appends context to the text and removes it from the composer, keeping chips added in the meantime', async () => {
      const { chat, ended } = fixture;
      chat.composers.addContext(id, [createChip('a', 'a.ts:1\n```\n1\n```'), createChip('b', 'b')]);
      assert.equal(await sending.send(id, { text: 'Why?', context: ['a', 'unknown'] }), 'sent');
      await ended(id);
      assert.deepEqual(getSentTexts(), ['Why?\n\na.ts:1\n```\n1\n```']);
      assert.deepEqual(
        getComposing().context.map((each) => each.id),
        ['b'],
      );
    });

    it('keeps context in the composer when the message is not accepted', async () => {
      const { chat } = fixture;
      chat.composers.addContext(id, [createChip('a', 'x'.repeat(1999))]);
      assert.equal(await sending.send(id, { text: 'Why?', context: ['a'] }), 'tooLong');
      assert.equal(getComposing().context.length, 1);
    });

    it('returns context with the text when the quota is reached, before text typed in the meantime', async () => {
      const { chat, service, ended } = fixture;
      chat.composers.addContext(id, [createChip('a', 'code')]);
      chat.composers.setDraft(id, 'Why?');
      service.inject({ name: 'status', on: 'POST /messages/stream', status: 402, body: { message: 'No' } });
      await sending.send(id, { text: 'Why?', context: ['a'] });
      chat.composers.setDraft(id, 'And then?');
      await ended(id);
      assert.equal(getConversation().draft, 'Why?\n\nAnd then?');
      assert.deepEqual(getComposing().context, [createChip('a', 'code')]);
    });

    it('saves context with the draft for the next window', async () => {
      const { chat, otherWindow } = fixture;
      chat.composers.setState(id, { webSearch: true, context: [createChip('a', 'code')] });
      await fixture.store.composers.flush();
      const next = await otherWindow();
      next.chat.createConversation(undefined, id);
      await next.chat.composers.restoreComposer(id);
      assert.deepEqual(next.chat.findConversation(id)?.composing, {
        webSearch: true,
        context: [createChip('a', 'code')],
      });
      await next.close();
    });
  });

  describe('what was typed', () => {
    const text = 'A long text';
    const chip = createChip('one', 'const a = 1;');
    /** Opens a window with a conversation that has a draft and a chip on the disk. */
    const openTyped = async (options: WindowOptions) => {
      const window = await fixture.otherWindow(options);
      const { id: typedId } = window.newConversation();
      await window.replies.send(typedId, 'Hello');
      await window.ended(typedId);
      await window.replies.whenDone(typedId);
      window.chat.composers.setDraft(typedId, text);
      window.chat.composers.addContext(typedId, [chip]);
      await window.chat.whenSaved(typedId);
      const sendTyped = () => createSender(window).send(typedId, { text, context: [chip.id] });
      return { window, typedId, sendTyped };
    };
    const read = (typedId: string, extension: string) =>
      readFile(path.join(fixture.folder, `${typedId}${extension}`), 'utf8').catch(() => '');

    it('is never lost, at whatever step after Send the window is killed', async () => {
      for (let steps = 1, isDone = false; !isDone; steps++) {
        let storage: EndingStorage | undefined;
        const end = new AbortController();
        const ended = once(end.signal, 'abort');
        const { window, typedId, sendTyped } = await openTyped({
          owner: 'killed',
          createStorage: (folder) => {
            storage = createEndingStorage(folder, () => end.abort());
            return storage;
          },
          wrapFetch:
            (fetch) =>
            async (...request) => {
              end.signal.throwIfAborted();
              return fetch(...request);
            },
        });
        storage?.endAfter(steps);
        const sent = sendTyped()
          .then(() => window.ended(typedId))
          .then(() => window.replies.whenDone(typedId))
          .catch(() => undefined);
        await Promise.race([ended, sent]);
        isDone = !end.signal.aborted;
        storage?.endAfter(0);
        // It reports what it can't write any more.
        await window.close().catch(() => undefined);
        const transcript = await read(typedId, '.jsonl');
        for (const [part, extension] of [
          [text, '.draft'],
          [chip.text, '.composing.draft'],
        ] as const) {
          const isStored = transcript.includes(part) || (await read(typedId, extension)).includes(part);
          assert.ok(isStored, `${part} is lost after step ${steps}`);
        }
      }
    });

    it('leaves the composer at once, and its files when the turn is on a slow disk', async () => {
      const disk = new EventEmitter();
      let isSlow = false;
      class SlowStorage extends NodeStorage {
        override async appendFile(...[name, ...rest]: Parameters<NodeStorage['appendFile']>) {
          if (isSlow && disk.emit('appending')) await once(disk, 'released');
          return super.appendFile(name, ...rest);
        }
      }
      const { window, typedId, sendTyped } = await openTyped({
        createStorage: (folder) => new SlowStorage(folder),
      });
      isSlow = true;
      const appending = once(disk, 'appending');
      assert.equal(await sendTyped(), 'sent');
      await appending;
      const { draft, composing } = window.chat.findConversation(typedId) ?? assert.fail();
      assert.deepEqual([draft, composing?.context], ['', []]);
      // As after 300 ms.
      await Promise.all([window.store.drafts.flush(), window.store.composers.flush()]);
      assert.equal(await read(typedId, '.draft'), text);
      assert.match(await read(typedId, '.composing.draft'), /const a = 1;/);
      isSlow = false;
      disk.emit('released');
      await window.ended(typedId);
      await window.replies.whenDone(typedId);
      assert.deepEqual([await read(typedId, '.draft'), await read(typedId, '.composing.draft')], ['', '']);
      await window.close();
    });

    it('stays stored with what is typed next while the disk refuses the turn', async () => {
      const storage = new RefusingStorage(fixture.folder);
      const { window, typedId, sendTyped } = await openTyped({ createStorage: () => storage });
      const next = createChip('two', 'const b = 2;');
      storage.refuses = (step) => step === 'append';
      assert.equal(await sendTyped(), 'sent');
      await window.ended(typedId);
      await window.replies.whenDone(typedId);
      window.chat.composers.setDraft(typedId, 'Next');
      window.chat.composers.addContext(typedId, [next]);
      await assert.rejects(window.chat.whenSaved(typedId));
      assert.equal(await read(typedId, '.draft'), `${text}\n\nNext`);
      assert.deepEqual(JSON.parse(await read(typedId, '.composing.draft')).context, [chip, next]);
      assert.equal(window.chat.findConversation(typedId)?.draft, 'Next');
      storage.refuses = () => false;
      await window.chat.whenSaved(typedId);
      assert.equal(await read(typedId, '.draft'), 'Next');
      assert.deepEqual(JSON.parse(await read(typedId, '.composing.draft')).context, [next]);
      await window.close();
    });

    it('in another window stays when the turn is on the disk', async () => {
      const storage = new RefusingStorage(fixture.folder);
      const { window, typedId, sendTyped } = await openTyped({ createStorage: () => storage });
      storage.refuses = (step) => step === 'append';
      assert.equal(await sendTyped(), 'sent');
      await window.ended(typedId);
      await window.replies.whenDone(typedId);
      const other = await fixture.otherWindow();
      await other.chat.openConversation(typedId);
      other.chat.composers.setDraft(typedId, 'Typed there');
      other.chat.composers.setState(typedId, { context: [createChip('two', 'const b = 2;')] });
      await other.chat.whenSaved(typedId);
      storage.refuses = () => false;
      await window.chat.whenSaved(typedId);
      assert.equal(await read(typedId, '.draft'), 'Typed there');
      assert.match(await read(typedId, '.composing.draft'), /const b = 2;/);
      await other.close();
      await window.close();
    });

    it('is stored once if the service refuses it while the disk refuses its turn', async () => {
      const storage = new RefusingStorage(fixture.folder);
      const { window, typedId, sendTyped } = await openTyped({ createStorage: () => storage });
      storage.refuses = (step) => step === 'append';
      fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status: 402, body: {} });
      assert.equal(await sendTyped(), 'sent');
      await window.ended(typedId);
      await window.replies.whenDone(typedId);
      await assert.rejects(window.chat.whenSaved(typedId));
      assert.equal(await read(typedId, '.draft'), text);
      assert.deepEqual(JSON.parse(await read(typedId, '.composing.draft')).context, [chip]);
      storage.refuses = () => false;
      await window.close();
    });
  });

  describe('message over the limit', () => {
    const long = `# Of zebras\n\n${'The zebra sleeps standing up. '.repeat(100)}`;

    it('is sent as a document named after its heading and a message that refers to it', async () => {
      assert.equal(await sending.send(id, { text: long, context: [], overflow: 'document' }), 'sent');
      await fixture.ended(id);
      assert.deepEqual(getDocumentNames(), ['Of zebras.md']);
      assert.deepEqual(getSentTexts(), ['See “Of zebras.md”. It begins: # Of zebras']);
      const key = [...fixture.service.documents.values()][0]?.key ?? '';
      assert.equal(new TextDecoder().decode(fixture.service.objects.get(key)), long);
      assert.equal(getConversation().name, '# Of zebras');
    });

    it('leaves new text in the composer while the document uploads', async () => {
      const { chat, service, until } = fixture;
      const text = 'x'.repeat(2001);
      chat.composers.setDraft(id, text);
      const sent = sending.send(id, { text, context: [], overflow: 'document' });
      await until(({ type }) => type === 'turn');
      chat.composers.setDraft(id, 'And what else?');
      assert.equal(await sent, 'sent');
      assert.equal(service.documents.size, 1);
      assert.equal(getConversation().draft, 'And what else?');
      await waitForReplies(1);
    });

    it('is uploaded as message-1 when its first line is not usable as a name', async () => {
      const { ended } = fixture;
      await sending.send(id, { text: 'x'.repeat(2001), context: [], overflow: 'document' });
      await ended(id);
      await sending.send(id, { text: 'y'.repeat(2001), context: [], overflow: 'document' });
      assert.deepEqual(getDocumentNames(), ['message-1.md', 'message-2.md']);
    });

    it('is sent as a message with only the context as a document when only the context is too long', async () => {
      fixture.chat.composers.addContext(id, [
        createChip('a', `src/a.ts:1-9\n\`\`\`\n${'1\n'.repeat(1500)}\`\`\``),
      ]);
      await sending.send(id, { text: 'Why 1?', context: ['a'], overflow: 'document' });
      await fixture.ended(id);
      assert.deepEqual(getSentTexts(), ['Why 1?\n\n(See “src a.ts 1-9.md”.)']);
      assert.deepEqual(getComposing().context, []);
    });

    const chip = createChip('a', `a.ts:1\n${'1\n'.repeat(1000)}`.trim());
    const note = '\n\n(See “a.ts 1.md”.)';
    const questionOf = (length: number) => `Why? ${'x'.repeat(length - 'Why? '.length - note.length)}`;
    for (const { title, text, context, document, message } of [
      {
        title: 'keeps a question that just fits with the note, without the blanks around it',
        text: `\n${questionOf(2000)}  `,
        document: chip.text,
        message: questionOf(2000) + note,
      },
      {
        title: 'puts a question that doesn’t fit with the note into the document',
        text: questionOf(2001),
        document: `${questionOf(2001)}\n\n${chip.text}`,
      },
      { title: 'consists of the context if the text is blank', text: ' \n', document: chip.text },
      {
        title: 'keeps a text that is too long because of its blanks',
        text: `Why?${' '.repeat(2000)}`,
        context: [],
        document: `Why?${' '.repeat(2000)}`,
      },
    ].map((each) => ({ context: [chip], ...each })))
      it(`the document of a long message ${title}`, async () => {
        fixture.chat.composers.addContext(id, context);
        const ids = context.map((each) => each.id);
        assert.equal(await sending.send(id, { text, context: ids, overflow: 'document' }), 'sent');
        await fixture.ended(id);
        const [object] = fixture.service.objects.values();
        assert.equal(new TextDecoder().decode(object), document);
        const [sent = ''] = getSentTexts();
        if (message === undefined) assert.match(sent, /^See “.+”\. It begins: /);
        else assert.equal(sent, message);
      });

    it('sends a message with exactly 2,000 code points unchanged', async () => {
      assert.equal(await sending.send(id, { text: 'x'.repeat(2000), context: [] }), 'sent');
      await fixture.ended(id);
      assert.deepEqual(getSentTexts(), ['x'.repeat(2000)]);
    });

    it('is not sent and stays in the composer when the upload fails', async () => {
      fixture.chat.composers.setDraft(id, long);
      fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 500, body: {} });
      assert.equal(await sending.send(id, { text: long, context: [], overflow: 'document' }), 'notUploaded');
      assert.deepEqual(getSentTexts(), []);
      assert.equal(getConversation().draft, long);
    });

    describe('whose upload lost its answer', () => {
      const message = { text: long, context: [], overflow: 'document' } as const;
      const reference = 'See “Of zebras.md”. It begins: # Of zebras';
      const find = () => getConversation().turns.find((turn) => turn.kind === 'document') ?? assert.fail();
      const hideList = () =>
        fixture.service.inject({
          ...{ name: 'status', on: 'GET /documents', status: 500 },
          times: Number.POSITIVE_INFINITY,
        });

      beforeEach(async () => {
        fixture.service.inject({ name: 'answer-lost', on: 'POST /documents/file' });
        assert.equal(await sending.send(id, message), 'notUploaded');
        assert.equal(find().state, 'failed');
      });

      it('is sent with the document that the service lists', async () => {
        assert.equal(await sending.send(id, message), 'sent');
        await fixture.ended(id);
        assert.deepEqual([getDocumentNames(), getSentTexts()], [['Of zebras.md'], [reference]]);
        assert.equal(find().state, 'attached');
      });

      it('is sent with the document that Retry found', async () => {
        fixture.chat.documents.setListed(id, { documents: [], canRemove: true });
        await fixture.uploads.retry(find().id, () => assert.fail('It asked.'));
        assert.equal(await sending.send(id, message), 'sent');
        await fixture.ended(id);
        assert.deepEqual([getDocumentNames(), getSentTexts()], [['Of zebras.md'], [reference]]);
      });

      it('is uploaded again only if the user agrees, while it can’t be looked up', async () => {
        hideList();
        const asked: string[] = [];
        const ask = (agrees: boolean) => async (turn: DocumentTurn) => {
          asked.push(turn.name);
          return agrees;
        };
        assert.equal(await createSender(fixture, ask(false)).send(id, message), 'notUploaded');
        assert.deepEqual([getDocumentNames().length, getSentTexts()], [1, []]);
        assert.equal(await createSender(fixture, ask(true)).send(id, message), 'sent');
        await fixture.ended(id);
        assert.deepEqual(asked, ['Of zebras.md', 'Of zebras.md']);
        assert.deepEqual(getDocumentNames(), ['Of zebras.md', 'Of zebras.md']);
        assert.deepEqual(getSentTexts(), [reference]);
        assert.equal(getConversation().turns.filter(({ kind }) => kind === 'document').length, 1);
      });

      it('is sent with the document that was found while the user was asked', async () => {
        hideList();
        const sender = createSender(fixture, async (turn) => {
          const documentId = [...fixture.service.documents.keys()][0] ?? assert.fail();
          fixture.chat.writer.putDocument(id, { ...turn, state: 'attached', documentId });
          return true;
        });
        assert.equal(await sender.send(id, message), 'sent');
        await fixture.ended(id);
        assert.deepEqual([getDocumentNames(), getSentTexts()], [['Of zebras.md'], [reference]]);
      });

      it('is not uploaded again if another window has done so, even if nothing reported it', async () => {
        await fixture.chat.whenSaved(id);
        const other = await fixture.otherWindow({ createStorage: (at) => new UnwatchedStorage(at) });
        await other.chat.openConversation(id);
        hideList();
        await fixture.uploads.retry(find().id, sendAgain);
        await fixture.chat.whenSaved(id);
        const count = fixture.service.documents.size;
        assert.equal(await createSender(other).send(id, message), 'sent');
        await other.ended(id);
        assert.equal(fixture.service.documents.size, count);
        await other.close();
      });

      it('is uploaded if it has changed', async () => {
        assert.equal(await sending.send(id, { ...message, text: `${long}!` }), 'sent');
        await fixture.ended(id);
        assert.deepEqual(getDocumentNames(), ['Of zebras.md', 'Of zebras-1.md']);
      });
    });

    it('keeps its question when it is sent again after its context’s upload lost its answer', async () => {
      const context = createChip('a', `a.ts:1\n${'1\n'.repeat(1000)}`.trim());
      fixture.chat.composers.addContext(id, [context]);
      // With a longer name of the document, the question would no longer fit.
      const text = 'x'.repeat(2000 - '\n\n(See “a.ts 1.md”.)'.length);
      const message = { text, context: ['a'], overflow: 'document' } as const;
      fixture.service.inject({ name: 'answer-lost', on: 'POST /documents/file' });
      assert.equal(await sending.send(id, message), 'notUploaded');
      assert.equal(await sending.send(id, message), 'sent');
      await fixture.ended(id);
      assert.deepEqual(
        [getDocumentNames(), getSentTexts()],
        [['a.ts 1.md'], [`${text}\n\n(See “a.ts 1.md”.)`]],
      );
    });

    const numbered = (count: number) =>
      Array.from({ length: count }, (_, index) => `${index} ${'x'.repeat(1500)}\n\n`);

    it('is sent in parts, each after the reply to the previous one', async () => {
      const parts = numbered(3);
      await sending.send(id, { text: parts.join(''), context: [], overflow: 'split' });
      await waitForReplies(3);
      assert.deepEqual(getSentTexts(), parts);
      assert.deepEqual(getEndings(), ['complete', 'complete', 'complete']);
      const order = getConversation().turns.map(({ kind }) => kind);
      assert.deepEqual(order, ['message', 'reply', 'message', 'reply', 'message', 'reply']);
      assert.equal(getConversation().draft, '');
    });

    it('keeps the remaining parts queued when a reply is stopped', async () => {
      const parts = numbered(3);
      const script = fixture.service.script();
      await sending.send(id, { text: parts.join(''), context: [], overflow: 'split' });
      script.chunk('Be');
      await fixture.until((event) => event.type === 'chunk');
      assert.deepEqual(getQueuedTexts(), parts.slice(1));
      fixture.replies.stop(id);
      await waitForReplies(1);
      assert.deepEqual(getSentTexts(), parts.slice(0, 1));
      assert.deepEqual(getQueuedTexts(), parts.slice(1));
      assert.equal(getConversation().queue?.paused, 'stopped');
    });

    it('keeps the refused part and the rest queued when the quota is reached', async () => {
      const parts = numbered(3);
      await fixture.close();
      await start({ quota: 1 });
      await sending.send(id, { text: parts.join(''), context: [], overflow: 'split' });
      await fixture.until(() => getQueuedTexts().length === 2 && getEndings().at(-1) === 'failed');
      assert.deepEqual(getEndings(), ['complete', 'failed']);
      assert.deepEqual(getQueuedTexts(), parts.slice(1));
      assert.equal(getConversation().queue?.paused, 'quotaReached');
      assert.equal(getConversation().draft, '');
    });
  });

  describe('web search', () => {
    beforeEach(() => fixture.chat.composers.setState(id, { webSearch: true }));

    const lastPost = () => fixture.service.requests.findLast(({ method }) => method === 'POST');

    it('sends with POST /messages, and shows and marks the whole reply', async () => {
      const { ended, events } = fixture;
      await sending.send(id, { text: 'What is new?', context: [] });
      const reply = await ended(id);
      assert.equal(lastPost()?.path.split('?')[0]?.endsWith('/messages'), true);
      assert.match(JSON.stringify(lastPost()?.body), /"is_web_search":true/);
      assert.deepEqual([reply.ending, reply.webSearch, reply.text], ['complete', true, 'What is new?']);
      assert.equal(events.filter(({ type }) => type === 'chunk').length, 1);
      assert.equal(getComposing().webSearch, true);
    });

    it('stores the sources of the response without requesting others', async () => {
      await sending.send(id, { text: 'Read this', context: [] });
      await fixture.ended(id);
      ({ id } = fixture.newConversation('guide'));
      await sending.send(id, {
        text: `# Zebras\n\n${'The zebra sleeps standing up. '.repeat(100)}`,
        context: [],
        overflow: 'document',
      });
      await fixture.ended(id);
      fixture.chat.composers.setState(id, { webSearch: true });
      await sending.send(id, { text: 'How does the zebra sleep?', context: [] });
      const { id: turnId } = await fixture.ended(id);
      const turn = getConversation().turns.find((each) => each.id === turnId) as ReplyTurn;
      assert.deepEqual(
        turn.sources?.map(({ name }) => name),
        ['Zebras.md'],
      );
    });

    it('ends as stopped, closes the connection, and sends the message only once', async () => {
      const script = fixture.service.script();
      await sending.send(id, { text: 'Slow', context: [] });
      await script.opened;
      fixture.replies.stop(id);
      await script.closed;
      assert.equal((await fixture.ended(id)).ending, 'stopped');
      assert.equal(getSentTexts().length, 1);
    });

    it('does not retry automatically, and searches again on Retry', async () => {
      fixture.service.inject({ name: 'status', on: 'POST /messages', status: 503, body: {} });
      await sending.send(id, { text: 'Hm', context: [] });
      const failed = await fixture.ended(id);
      assert.equal(failed.ending, 'failed');
      assert.deepEqual(getSentTexts(), []);
      fixture.chat.composers.setState(id, { webSearch: false });
      await fixture.replies.retry(id, failed.id, sendAgain);
      assert.equal((await fixture.ended(id)).webSearch, true);
      assert.match(JSON.stringify(lastPost()?.body), /"is_web_search":true/);
    });
  });
});
