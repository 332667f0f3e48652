import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { RemoteConversations } from '../../../src/chat/remote/remoteConversations';
import {
  ServiceError,
  type ServiceErrorCode,
  type ServiceErrorDetails,
} from '../../../src/client/serviceError';
import { type ChatFixture, startChat } from '../support/chatFixture';

const createError = (details: Partial<ServiceErrorDetails> = {}) =>
  new ServiceError('notFound', { operation: 'GET', message: 'no', maySend: true, ...details });

describe('RemoteConversations', () => {
  let fixture: ChatFixture;
  let id: string;
  /** The names of the requests that were made. */
  let requests: string[];
  beforeEach(async () => {
    fixture = await startChat();
    ({ id } = fixture.newConversation());
    fixture.chat.update(id, { remote: { baseUrl: fixture.service.baseUrl, id: 'c' } });
    requests = [];
    const conversation = { id: 'new', name: '', botId: 'echo' };
    const record = (name: string) => async () => {
      requests.push(name);
      return conversation as never;
    };
    Object.assign(fixture.connect().client, {
      createConversation: record('create'),
      getConversation: record('get'),
      updateConversation: record('update'),
      deleteConversation: record('delete'),
    });
  });
  afterEach(() => fixture.close());

  const find = () => fixture.chat.findConversation(id) ?? assert.fail();
  const failWith = (name: 'getConversation' | 'updateConversation' | 'deleteConversation', error: Error) => {
    fixture.connect().client[name] = async () => Promise.reject(error);
  };
  const setRemote = (about: { baseUrl?: string; id?: string; gone?: true }) =>
    fixture.chat.update(id, { remote: { baseUrl: fixture.service.baseUrl, id: 'c', ...about } });
  const elsewhere = { baseUrl: 'https://elsewhere.example/' };

  it('finds the service of a conversation, unless it was removed', () => {
    const { chat, remote } = fixture;
    const { baseUrl } = fixture.service;
    assert.equal(remote.findService({ baseUrl, id: 'c' })?.baseUrl, baseUrl);
    assert.equal(remote.findService({ ...elsewhere, id: 'c' }), undefined);
    const findNone = (error: Error) =>
      new RemoteConversations(chat, () => {
        throw error;
      }).findService({ ...elsewhere, id: 'c' });
    assert.equal(findNone(createError()), undefined);
    assert.throws(() => findNone(new TypeError('Bug')), TypeError);
  });

  it('creates no conversation without a bot', async () => {
    const { signal } = new AbortController();
    for (const unknown of ['unknown', fixture.chat.createConversation(undefined).id])
      await assert.rejects(fixture.remote.ensureCreated(unknown, fixture.connect(), signal), /with a bot/);
    assert.deepEqual(requests, []);
  });

  it('recreates only a conversation that is gone', async () => {
    await fixture.remote.recreate(id);
    await fixture.remote.recreate('unknown');
    await fixture.remote.recreate(fixture.newConversation().id);
    assert.deepEqual(requests, []);
    setRemote({ gone: true });
    await fixture.remote.recreate(id);
    assert.deepEqual([requests, find().remote], [['get'], { baseUrl: fixture.service.baseUrl, id: 'c' }]);
    setRemote({ gone: true });
    failWith('getConversation', createError({ status: 404 }));
    await fixture.remote.recreate(id);
    assert.deepEqual([requests, find().remote?.id], [['get', 'create'], 'new']);
  });

  describe('asks after an error whether a conversation is gone', () => {
    for (const { what, error, answer, state } of [
      { what: 'a 404, if the service doesn’t find it', error: { status: 404 }, answer: 404, state: 'gone' },
      { what: 'a 410, if the service had it', error: { status: 410 }, answer: 410, state: 'gone' },
      { what: 'a refused id', error: { fieldErrors: { conversation_id: [] } }, answer: 404, state: 'gone' },
      { what: 'a 404, if the service has it', error: { status: 404 }, answer: undefined, state: 'there' },
      { what: 'a 404, if the answer is unreadable', error: { status: 404 }, answer: 200, state: 'there' },
      { what: 'a 404, if the answer is a redirect', error: { status: 404 }, answer: 300, state: 'unknown' },
      { what: 'a 404, if that fails', error: { status: 404 }, answer: 500, state: 'unknown' },
      { what: 'a 404, if that fails without a status', error: { status: 404 }, answer: 0, state: 'unknown' },
    ])
      it(`reports ${state} after ${what}`, async () => {
        const status = answer || undefined;
        if (answer !== undefined) failWith('getConversation', createError({ status }));
        const checked = await fixture.remote.checkConversation(id, fixture.connect(), createError(error));
        assert.deepEqual([checked, find().remote?.gone], [state, state === 'gone' ? true : undefined]);
      });

    it('reports unknown, and marks nothing, if it has another place by then', async () => {
      for (const about of [{ id: 'new' }, elsewhere]) {
        setRemote({});
        fixture.connect().client.getConversation = async () => {
          setRemote(about);
          throw createError({ status: 404 });
        };
        const error = createError({ status: 404 });
        assert.equal(await fixture.remote.checkConversation(id, fixture.connect(), error), 'unknown');
        assert.deepEqual(find().remote, { baseUrl: fixture.service.baseUrl, id: 'c', ...about });
      }
    });

    it('doesn’t ask after other errors, or on another service', async () => {
      const check = (error: Error, conversationId = id) =>
        fixture.remote.checkConversation(conversationId, fixture.connect(), error);
      assert.equal(await check(createError({ status: 500 })), 'unknown');
      assert.equal(await check(Object.assign(new Error('Bug'), { status: 404 })), 'unknown');
      assert.equal(await check(createError({ status: 404 }), 'unknown'), 'unknown');
      setRemote(elsewhere);
      assert.equal(await check(createError({ status: 404 })), 'unknown');
      assert.deepEqual(requests, []);
    });
  });

  it('deletes only what is on the current service', async () => {
    const { remote } = fixture;
    setRemote(elsewhere);
    await remote.delete(find());
    await remote.delete(fixture.newConversation());
    assert.deepEqual(requests, []);
    setRemote({});
    await remote.delete(find());
    assert.deepEqual(requests, ['delete']);
  });

  it('doesn’t fail to delete what is gone, or marked as gone and another account’s', async () => {
    const fail = (code: ServiceErrorCode, status: number) =>
      failWith('deleteConversation', new ServiceError(code, { ...details, status }));
    const details = { operation: 'DELETE', message: 'no', maySend: true };
    fail('notFound', 410);
    await fixture.remote.delete(find());
    fail('forbidden', 403);
    await assert.rejects(fixture.remote.delete(find()), ServiceError);
    setRemote({ gone: true });
    await fixture.remote.delete(find());
    // The service may still have it.
    fail('service', 500);
    await assert.rejects(fixture.remote.delete(find()), ServiceError);
  });

  it('completes a deletion unless the conversation is on another service, which may still have it', async () => {
    const complete = () => fixture.remote.completeDeletions();
    fixture.chat.completeDeletions = (deleteRemotely) => deleteRemotely(find());
    await complete();
    assert.deepEqual(requests, ['delete']);
    setRemote(elsewhere);
    await assert.rejects(complete());
    setRemote({ ...elsewhere, gone: true });
    await complete();
    ({ id } = fixture.newConversation());
    await complete();
    assert.deepEqual(requests, ['delete']);
  });

  it('renames on the service only what is there, and everything here', async () => {
    const names = async (name: string, expected: string[]) => {
      requests.length = 0;
      await fixture.remote.rename(id, name);
      assert.deepEqual([find().name, requests], [name, expected]);
    };
    await names('a', ['update']);
    setRemote({ gone: true });
    await names('b', []);
    setRemote(elsewhere);
    await names('c', []);
    ({ id } = fixture.newConversation());
    await names('d', []);
    ({ id } = fixture.chat.createConversation(undefined));
    setRemote({});
    await names('e', []);
    await fixture.remote.rename('unknown', 'f');
  });

  it('names a conversation after a message on the service only if it is there', async () => {
    fixture.remote.nameAfter(id, 'One');
    assert.deepEqual([find().name, requests], ['One', ['update']]);
    requests.length = 0;
    for (const about of [{ gone: true }, elsewhere, undefined] as const) {
      ({ id } = fixture.newConversation());
      if (about) setRemote(about);
      fixture.remote.nameAfter(id, 'Two');
    }
    ({ id } = fixture.chat.createConversation(undefined));
    setRemote({});
    fixture.remote.nameAfter(id, 'Two');
    fixture.remote.nameAfter('unknown', 'Two');
    assert.deepEqual([find().name, requests], ['Two', []]);
  });

  it('names a conversation here when the service refuses the name or none is set', async () => {
    failWith('updateConversation', createError({ status: 500 }));
    fixture.remote.nameAfter(id, 'One');
    await setImmediate();
    assert.equal(find().name, 'One');
    const createUnset = (error: Error) =>
      new RemoteConversations(fixture.chat, () => {
        throw error;
      });
    ({ id } = fixture.newConversation());
    setRemote({});
    createUnset(createError()).nameAfter(id, 'Two');
    assert.equal(find().name, 'Two');
    ({ id } = fixture.newConversation());
    setRemote({});
    assert.throws(() => createUnset(new TypeError('Bug')).nameAfter(id, 'Three'), TypeError);
  });
});
