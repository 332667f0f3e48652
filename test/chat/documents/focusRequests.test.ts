import assert from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import type { Chat } from '../../../src/chat/conversations/chat';
import { DocumentStore } from '../../../src/chat/conversations/documentStore';
import { FocusSync, LastDocumentError } from '../../../src/chat/documents/focusSync';
import type { ChatEvent } from '../../../src/chat/model/chatEvent';
import type { Conversation } from '../../../src/chat/model/conversation';
import type { MutableConversation } from '../../../src/chat/model/conversationChange';
import type { DocumentTurn, Turn } from '../../../src/chat/model/turn';
import { Capabilities } from '../../../src/chat/remote/capabilities';
import type { RemoteConversations } from '../../../src/chat/remote/remoteConversations';
import type { Service } from '../../../src/chat/remote/service';
import { ServiceError } from '../../../src/client/serviceError';
import { conversationOf } from '../support/conversations';

const BASE_URL = 'https://service.invalid';

interface Read {
  readonly remoteId: string;
  readonly signal: AbortSignal | undefined;
  answer(documentIds: readonly string[] | undefined): void;
  fail(error: unknown): void;
}

/** Without a local service, so that a test answers each request when it wants. */
describe('FocusSync’s requests', () => {
  let conversations: Map<string, MutableConversation>;
  let listeners: Set<(event: ChatEvent) => void>;
  let finds: number;
  let capabilities: Capabilities;
  let onGetDelay: () => void;
  let reads: Read[];
  let conversationReads: string[];
  let conversationError: Error | undefined;
  let updates: unknown[];
  let updateError: Error | undefined;
  let goneChecks: unknown[];
  let errors: unknown[];
  let focusSync: FocusSync;

  const fire = (event: ChatEvent) => {
    for (const listener of listeners) listener(event);
  };
  const find = (id = 'c1') => conversations.get(id) ?? assert.fail();
  const change = (about: Partial<Conversation>, id = 'c1') => {
    conversations.set(id, { ...find(id), ...about } as MutableConversation);
  };
  const documentTurn = (documentId: string, about: Partial<DocumentTurn> = {}): DocumentTurn => ({
    ...{ kind: 'document', id: `turn of ${documentId}`, name: documentId, size: 1, sent: 1, at: 1 },
    ...{ state: 'attached', documentId },
    ...about,
  });
  const create = (id: string, turns: readonly Turn[], about: Partial<Conversation> = {}) =>
    conversations.set(id, {
      ...conversationOf(turns),
      id,
      remote: { baseUrl: BASE_URL, id: `remote ${id}` },
      ...about,
    } as MutableConversation);
  const show = (...ids: string[]) => focusSync.setVisible(new Set(ids));
  const fail = (about: { status?: number } = {}) =>
    new ServiceError('service', { operation: 'GET', message: 'no', maySend: true, ...about });
  /** Shows `c1` and answers its read. */
  const showWithFocus = async (...documentIds: string[]) => {
    show('c1');
    await tick();
    reads.splice(0)[0]?.answer(documentIds);
    await tick();
  };
  const document = (id: string) => ({ id, name: id });
  const getExcludedIds = () => find().excluded?.map(({ id }) => id);

  beforeEach(() => {
    conversations = new Map();
    listeners = new Set();
    finds = 0;
    capabilities = new Capabilities();
    onGetDelay = () => undefined;
    reads = [];
    conversationReads = [];
    conversationError = undefined;
    updates = [];
    updateError = undefined;
    goneChecks = [];
    errors = [];
    const client = {
      rateLimit: {
        getDelay: () => {
          onGetDelay();
          return 0;
        },
      },
      getDocumentIds: (remoteId: string, signal?: AbortSignal) =>
        new Promise<readonly string[] | undefined>((answer, fail) =>
          reads.push({ remoteId, signal, answer, fail }),
        ),
      getConversation: async (remoteId: string) => {
        conversationReads.push(remoteId);
        if (conversationError) throw conversationError;
      },
      updateConversation: async (remoteId: string, { documentIds }: { documentIds: readonly string[] }) => {
        updates.push([remoteId, documentIds]);
        if (updateError) throw updateError;
      },
    } as unknown as Service['client'];
    const service: Service = { baseUrl: BASE_URL, client, capabilities };
    const chat = {
      findConversation: (id: string) => {
        finds++;
        return conversations.get(id);
      },
      reportError: (error: unknown) => errors.push(error),
      onChatEvent: (listener: (event: ChatEvent) => void) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
      documents: new DocumentStore(
        (id) => conversations.get(id),
        (id, about) => Object.assign(find(id), about),
        fire,
      ),
    } as unknown as Chat;
    const remote = {
      isGone: async (...args: unknown[]) => {
        goneChecks.push(args);
        return false;
      },
    } as unknown as RemoteConversations;
    focusSync = new FocusSync(chat, remote, () => service);
    create('c1', [documentTurn('a'), documentTurn('b'), documentTurn('c')]);
  });
  afterEach(async () => {
    focusSync.dispose();
    assert.deepEqual([errors, listeners.size], [[], 0]);
  });

  describe('reading', () => {
    it('asks once while the conversation is shown, and again when it is shown again', async () => {
      show('c1');
      show('c1');
      fire({ type: 'changed', conversationId: 'c1' });
      await tick();
      assert.deepEqual(
        reads.map(({ remoteId }) => remoteId),
        ['remote c1'],
      );
      reads[0]?.answer(['a', 'c']);
      await tick();
      assert.deepEqual([find().focus?.included, getExcludedIds()], [['a', 'c'], ['b']]);
      show();
      show('c1');
      await tick();
      assert.equal(reads.length, 2);
    });

    it('aborts for the conversation that is hidden only, and ignores its answer', async () => {
      create('c2', [documentTurn('x')]);
      show('c1', 'c2');
      await tick();
      show('c2');
      assert.deepEqual(
        reads.map(({ signal }) => signal?.aborted),
        [true, false],
      );
      for (const read of reads) read.answer([]);
      await tick();
      assert.deepEqual([find('c1').focus, find('c2').focus?.included], [undefined, []]);
    });

    it('asks for a conversation that gets its first document or its place on the service, or is listed', async () => {
      const turn = documentTurn('x');
      const starts: [about: Partial<Conversation>, event: ChatEvent][] = [
        [{ turns: [turn] }, { type: 'turn', turn, conversationId: 'c2' }],
        [
          { listed: { documents: [document('x')], canRemove: false } },
          { type: 'documents', conversationId: 'c2' },
        ],
        [{ excluded: [document('x')] }, { type: 'changed', conversationId: 'c2' }],
        [{ turns: [turn] }, { type: 'earlierTurns', turns: [turn], conversationId: 'c2' }],
      ];
      for (const [about, event] of starts) {
        create('c2', []);
        show('c2');
        await tick();
        assert.equal(reads.length, 0);
        change(about, 'c2');
        fire({ ...event, conversationId: 'c1' });
        await tick();
        assert.equal(reads.length, 0);
        fire(event);
        await tick();
        assert.equal(reads.length, 1, event.type);
        reads.pop()?.fail(fail());
        show();
      }
    });

    it('starts again when earlier turns with documents arrive', async () => {
      show('c1');
      await tick();
      fire({ type: 'earlierTurns', turns: [], conversationId: 'c1' });
      await tick();
      assert.equal(reads[0]?.signal?.aborted, true);
      reads[0].fail(fail());
      await tick();
      assert.deepEqual(
        reads.map(({ signal }) => signal?.aborted),
        [true, false],
      );
    });

    it('looks at nothing for the events of a reply', () => {
      show('c1');
      finds = 0;
      const [turn = assert.fail()] = conversationOf([{ kind: 'message', id: 'm', text: 'Hi', at: 1 }]).turns;
      fire({ type: 'chunk', turnId: 'r', text: 'x', conversationId: 'c1' });
      fire({ type: 'turn', turn, conversationId: 'c1' });
      assert.equal(finds, 0);
    });

    it('doesn’t ask about a conversation that is gone, elsewhere, without a bot or without documents', async () => {
      const failed = documentTurn('x', { state: 'cancelled' });
      create('gone', [documentTurn('x')], { remote: { baseUrl: BASE_URL, id: 'r', gone: true } });
      create('elsewhere', [documentTurn('x')], { remote: { baseUrl: 'https://other.invalid', id: 'r' } });
      create('new', [documentTurn('x')]);
      delete find('new').remote;
      create('botless', [documentTurn('x')]);
      delete find('botless').bot;
      create('empty', [failed], { excluded: [], listed: { documents: [], canRemove: true } });
      show('gone', 'elsewhere', 'new', 'botless', 'empty', 'unknown');
      await tick();
      assert.equal(reads.length, 0);
    });

    it('neither asks nor fails when the conversation disappears while the rate limit is waited for', async () => {
      for (const disappear of [() => conversations.delete('c2'), () => delete find('c2').remote]) {
        create('c2', [documentTurn('x')]);
        onGetDelay = disappear;
        show('c2');
        await tick();
        assert.equal(reads.length, 0);
        show();
      }
    });

    it('doesn’t ask for a conversation that was hidden while a change was sent', async () => {
      const changing = focusSync.setIncluded('c1', document('a'), false);
      await tick();
      show('c1');
      show();
      reads.splice(0)[0]?.answer(['a', 'b']);
      await changing;
      await tick();
      assert.equal(reads.length, 0);
    });

    it('ignores the answer about a conversation that was deleted in the meantime', async () => {
      show('c1');
      await tick();
      conversations.clear();
      reads[0]?.answer(['a']);
      await tick();
    });

    it('asks again if other documents are excluded by the time of the answer', async () => {
      for (const excluded of [[], [document('x'), document('y')]]) {
        create('c1', [documentTurn('a')], { excluded: [document('x')] });
        show('c1');
        await tick();
        change({ excluded });
        reads.shift()?.answer(['a', 'y']);
        await tick();
        assert.deepEqual([find().focus, find().excluded], [undefined, excluded]);
        reads.shift()?.answer(['a']);
        await tick();
        assert.deepEqual([find().focus?.included, find().excluded], [['a'], excluded]);
        show();
      }
    });

    it('excludes only what is attached and has an id', async () => {
      const { documentId: _, ...accepted } = documentTurn('y');
      create('c1', [
        documentTurn('a'),
        documentTurn('b'),
        documentTurn('x', { state: 'cancelled' }),
        accepted,
      ]);
      await showWithFocus('a');
      assert.deepEqual(getExcludedIds(), ['b']);
    });

    it('reports a failure that isn’t the service’s, unless it was aborted', async () => {
      show('c1');
      await tick();
      reads[0]?.fail(fail());
      await tick();
      assert.deepEqual(errors, []);
      show();
      show('c1');
      await tick();
      const bug = new TypeError('Bug');
      reads[1]?.fail(bug);
      await tick();
      assert.deepEqual(errors.splice(0), [bug]);
      show();
      show('c1');
      await tick();
      show();
      reads[2]?.fail(bug);
      await tick();
    });

    for (const status of [400, 422]) {
      it(`takes ${status} for a missing feature if the conversation can be read otherwise`, async () => {
        show('c1');
        await tick();
        reads[0]?.fail(fail({ status }));
        await tick();
        assert.deepEqual([conversationReads, capabilities.has('document_ids')], [['remote c1'], false]);
        show();
        show('c1');
        await tick();
        assert.deepEqual([reads.length, find().focus], [1, undefined]);
      });
    }

    it('takes no other failure for a missing feature', async () => {
      for (const status of [403, 500]) {
        show('c1');
        await tick();
        reads.splice(0)[0]?.fail(fail({ status }));
        await tick();
        show();
      }
      assert.deepEqual(conversationReads, []);
      show('c1');
      await tick();
      conversationError = fail({ status: 500 });
      reads[0]?.fail(fail({ status: 400 }));
      await tick();
      assert.deepEqual([conversationReads, capabilities.has('document_ids')], [['remote c1'], true]);
    });

    it('stops reading the focus on dispose', async () => {
      show('c1');
      await tick();
      focusSync.dispose();
      assert.deepEqual([reads[0]?.signal?.aborted, listeners.size], [true, 0]);
    });
  });

  describe('changing', () => {
    const exclude = (id: string) => focusSync.setIncluded('c1', document(id), false);
    const include = (id: string) => focusSync.setIncluded('c1', document(id), true);
    const answerRead = async (...documentIds: string[]) => {
      await tick();
      (reads.shift() ?? assert.fail('Nothing was read.')).answer(documentIds);
      await tick();
    };

    it('keeps the changes that are still sent when another one is done', async () => {
      await showWithFocus('a', 'b', 'c');
      const changing = [exclude('a'), exclude('b')];
      assert.deepEqual(
        find().focus?.changes.map((each) => each.document.id),
        ['a', 'b'],
      );
      await answerRead('a', 'b', 'c');
      assert.deepEqual(find().focus, {
        included: ['b', 'c'],
        changes: [{ document: document('b'), included: false }],
      });
      assert.deepEqual(getExcludedIds(), ['a']);
      await answerRead('b', 'c');
      await Promise.all(changing);
      assert.deepEqual([find().focus, getExcludedIds()], [{ included: ['c'], changes: [] }, ['a', 'b']]);
      const including = include('a');
      await answerRead('c');
      await including;
      assert.deepEqual([find().focus, getExcludedIds()], [{ included: ['c', 'a'], changes: [] }, ['b']]);
    });

    it('includes a document once that is already included', async () => {
      await showWithFocus('a', 'b');
      const including = include('a');
      await answerRead('a', 'b');
      await including;
      assert.deepEqual(find().focus?.included, ['b', 'a']);
      assert.deepEqual(updates, [['remote c1', ['b', 'a']]]);
    });

    it('is sent before the focus was read, and then shows none', async () => {
      const changing = exclude('a');
      await answerRead('a', 'b');
      await changing;
      assert.deepEqual([updates, find().focus], [[['remote c1', ['b']]], undefined]);
    });

    it('adds an included document to the list once, and an excluded one never', async () => {
      const listed = { documents: [document('b'), document('c')], canRemove: true };
      change({ listed });
      const getListedIds = () => find().listed?.documents.map(({ id }) => id);
      for (const [id, isIncluded, expected] of [
        ['a', false, ['b', 'c']],
        ['b', true, ['b', 'c']],
        ['a', true, ['b', 'c', 'a']],
      ] as const) {
        const changing = focusSync.setIncluded('c1', document(id), isIncluded);
        await answerRead('a', 'b', 'c');
        await changing;
        assert.deepEqual(getListedIds(), expected);
      }
    });

    it('reads the focus again after a failure, only while the conversation is shown', async () => {
      updateError = fail({ status: 500 });
      const failing = assert.rejects(exclude('a'), updateError);
      await answerRead('a', 'b');
      await failing;
      await tick();
      assert.deepEqual([reads.length, goneChecks.length], [0, 1]);
      await showWithFocus('a', 'b');
      const again = assert.rejects(exclude('a'), updateError);
      await answerRead('a', 'b');
      await again;
      await tick();
      assert.equal(reads.length, 1);
      assert.deepEqual([find().focus, getExcludedIds()], [{ included: ['a', 'b'], changes: [] }, ['c']]);
    });

    it('fails for a conversation that is unknown or not on this service, without a request', async () => {
      create('c2', [], { remote: { baseUrl: 'https://other.invalid', id: 'r' } });
      create('c3', []);
      delete find('c3').remote;
      for (const id of ['unknown', 'c2', 'c3']) {
        await assert.rejects(focusSync.setIncluded(id, document('a'), true), {
          ...{ name: 'ServiceError', code: 'notFound', operation: 'POST /conversations/{id}' },
          maySend: true,
        });
      }
      assert.deepEqual([reads, updates], [[], []]);
    });

    it('fails when the service doesn’t offer the focus', async () => {
      capabilities.setMissing('document_ids');
      await assert.rejects(include('a'), {
        ...{ name: 'ServiceError', code: 'invalidResponse', operation: 'POST /conversations/{id}' },
        maySend: true,
      });
      assert.deepEqual(updates, []);
    });

    it('sends nothing for a conversation that was deleted in the meantime', async () => {
      const changing = include('a');
      await tick();
      conversations.clear();
      reads[0]?.answer(['b']);
      await changing;
      assert.deepEqual(updates, []);
    });

    it('refuses to exclude the last document', async () => {
      const failing = assert.rejects(exclude('a'), LastDocumentError);
      await answerRead('a');
      await failing;
      assert.deepEqual(updates, []);
    });

    it('waits for files that are registered, before the read and after it, and reads again then', async () => {
      const { turns } = find();
      const register = () => change({ turns: [...turns, documentTurn('d', { state: 'registering' })] });
      const finish = () => {
        change({ turns });
        fire({ type: 'changed', conversationId: 'c1' });
      };
      register();
      const changing = exclude('a');
      await tick();
      assert.equal(reads.length, 0);
      fire({ type: 'changed', conversationId: 'c1' });
      await tick();
      assert.equal(reads.length, 0);
      finish();
      await tick();
      assert.equal(reads.length, 1);
      register();
      await answerRead('a', 'b');
      assert.deepEqual([reads.length, updates], [0, []]);
      finish();
      await answerRead('a', 'b', 'd');
      await changing;
      assert.deepEqual(updates, [['remote c1', ['b', 'd']]]);
    });

    it('doesn’t wait for a file that itself waits for the service', async () => {
      change({ turns: [documentTurn('a'), documentTurn('d', { state: 'registering', waitsUntil: 2 })] });
      const changing = exclude('a');
      await answerRead('a', 'b');
      await changing;
      assert.deepEqual(updates, [['remote c1', ['b']]]);
    });
  });
});
