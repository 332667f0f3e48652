import assert from 'node:assert/strict';
import type { DocumentNameStyle, FlagStyle, TimeStyle } from './api/styles';
import type { LocalService } from './localService';
import { call, createConversation, requestStreamUrl, sendRaw, upload } from './support/testCalls';
import { withLocalService } from './support/withLocalService';

describe('local service: captured', () => {
  let clock = Date.now();
  let service: LocalService;
  const restart = withLocalService(
    (started) => {
      service = started;
    },
    () => ({ profile: 'captured', now: () => clock, listingMs: 0, conversionMs: 0 }),
  );
  const list = async (path: string) => (await call(service, `GET ${path}`)).body;
  /** Sends a message; resolves to the ID of its reply. */
  const ask = async (content: string, conversation_id: string) => {
    await sendRaw(await requestStreamUrl(service, content, conversation_id));
    return [...service.messages.keys()].at(-1) ?? assert.fail();
  };
  const uploadTo = (folder_id: string | undefined, conversation_id: string, name = 'a.txt') =>
    upload(service, conversation_id, name, 'x', 'text/plain', folder_id ? { folder_id } : {});

  it('a page has 10 messages, newest first, or 15 of anything else, and a link to the next page', async () => {
    const conversations = await Promise.all(Array.from({ length: 16 }, () => createConversation(service)));
    const id = conversations[0] ?? '';
    for (let i = 1; i <= 6; i++) await ask(`Question ${i}`, id);
    const messages = await list(`/messages?conversation_id=${id}`);
    const next = 'https://api.internal.example/api/v1/list?page=2';
    assert.deepEqual(messages.meta.pagination, {
      ...{ total: 12, count: 10, per_page: 10, current_page: 1, total_pages: 2 },
      links: { next },
    });
    assert.equal(messages.data[0].content, 'Question 6');
    const { meta, data } = await list('/conversations');
    assert.deepEqual([data.length, meta.pagination.links], [15, { next }]);
    const last = await list('/conversations?page=2');
    assert.deepEqual([last.data.length, last.meta.pagination.links.next], [1, undefined]);
  });

  it('a list that ignores conversation_id has the items of all conversations', async () => {
    for (const [ignoresConversation, counts] of [
      [[], [2, 1]],
      [
        ['GET /messages', 'GET /documents'],
        [4, 2],
      ],
    ] as const) {
      await restart({ ignoresConversation });
      const ids = [await createConversation(service), await createConversation(service)];
      for (const id of ids) {
        await ask('x', id);
        await uploadTo('projects', id);
      }
      const count = async (path: string) => (await list(`${path}?conversation_id=${ids[1]}`)).data.length;
      assert.deepEqual([await count('/messages'), await count('/documents')], counts);
    }
  });

  it('a document is listed without its extension, or under another name than the one that was sent', async () => {
    const names: Readonly<Record<DocumentNameStyle, readonly string[]>> = {
      asSent: ['knowledge.txt', 'app.ts.txt', 'release-notes_2.md'],
      withoutExtension: ['knowledge', 'app.ts', 'release-notes_2'],
      changed: ['Knowledge.txt', 'App Ts.txt', 'Release Notes 2.md'],
    };
    await restart({ sourceAsObject: false });
    const id = await createConversation(service);
    for (const name of names.asSent) await uploadTo('projects', id, name);
    assert.deepEqual(await getNames(), names.withoutExtension);
    const [document] = service.documents.keys();
    service.script().end({ sources: [document ?? ''] });
    await ask('x', id);
    const [reply] = (await list('/messages?includes=sources')).data;
    assert.equal(reply.sources.data[0].document_name, 'knowledge');
    for (const [documentNames, expected] of Object.entries(names)) {
      await restart({ documentNames: documentNames as DocumentNameStyle });
      const other = await createConversation(service);
      for (const name of names.asSent) await uploadTo('projects', other, name);
      assert.deepEqual(await getNames(), expected);
      assert.equal((await list(`/documents?keyword=${expected[0]}`)).data.length, 1);
    }
  });
  const getNames = async () => (await list('/documents')).data.map(({ name }: { name: string }) => name);

  it('a file is accepted only with the ID of a folder, and then with an empty body', async () => {
    const id = await createConversation(service);
    for (const folder_id of [undefined, 'none']) {
      const { status, body } = await uploadTo(folder_id, id);
      assert.deepEqual(
        [status, Object.keys(body), Object.keys(body.errors)],
        [422, ['message', 'errors'], ['folder_id']],
      );
      assert.equal(typeof body.errors.folder_id[0], 'string');
    }
    assert.equal(service.documents.size, 0);
    const [folder] = (await list('/folders')).data;
    const accepted = await uploadTo(folder.id, id);
    assert.deepEqual([accepted.status, accepted.body], [200, '']);
    assert.equal((await list('/documents')).data[0].folder_id, folder.id);
  });

  it('a list shows one of a reply’s sources as an object, and the single message all of them', async () => {
    const sources = [
      { type: 'written', document_id: 'k3J9xQ2mZp0a', document_name: 'Prices' },
      { type: 'file', file_name: 'prices.pdf' },
      { type: 'webpage', webpage_url: 'https://example.com/prices' },
    ];
    const shown = {
      first: sources[0],
      all: sources,
      numbered: { 0: sources[0], 1: sources[1], 2: sources[2] },
    };
    for (const [listedSources, expected] of Object.entries(shown)) {
      await restart({
        ...(listedSources !== 'first' && { listedSources: listedSources as 'all' | 'numbered' }),
      });
      service.script().end({ sources });
      const reply = await ask('x', await createConversation(service));
      assert.deepEqual((await list('/messages?includes=sources')).data[0].sources, { data: expected });
      assert.deepEqual((await list(`/messages/${reply}?includes=sources`)).data.sources, { data: sources });
    }
  });

  it('times are sent as text, or in another form', async () => {
    const seconds = Math.floor(clock / 1000);
    const times: Readonly<Record<TimeStyle, unknown>> = {
      text: String(seconds),
      seconds,
      milliseconds: seconds * 1000,
      iso: new Date(seconds * 1000).toISOString(),
    };
    for (const [style, expected] of Object.entries(times)) {
      await restart({ ...(style !== 'text' && { times: style as TimeStyle }) });
      const id = await createConversation(service);
      await uploadTo('projects', id);
      service.script().end({ sources: [...service.documents.keys()] });
      await ask('x', id);
      for (const path of ['/bots', '/conversations', '/documents', '/folders', '/messages']) {
        assert.deepEqual((await list(path)).data[0].created_at, expected, path);
      }
      const [{ sources }] = (await list('/messages?includes=sources')).data;
      assert.deepEqual(sources.data.created_at, expected);
    }
  });

  it('the optional booleans of a message are sent as numbers, or in another form', async () => {
    const flags: Readonly<Record<FlagStyle, readonly unknown[]>> = {
      number: [1, 0],
      boolean: [true, false],
      text: ['true', 'false'],
    };
    for (const [style, [yes, no]] of Object.entries(flags)) {
      await restart({ ...(style !== 'number' && { flags: style as FlagStyle }) });
      await ask('x', await createConversation(service));
      const [reply, question] = (await list('/messages')).data;
      assert.deepEqual([reply.machine, question.machine, reply.flagged], [yes, no, no]);
      assert.equal(reply.is_web_search, false);
    }
  });

  it('a conversation that the service opened itself has the name null, and an update with an empty name is refused', async () => {
    await requestStreamUrl(service, 'A question');
    const [{ id, name }] = (await list('/conversations')).data;
    assert.equal(name, null);
    assert.equal((await list(`/conversations/${id}`)).data.name, null);
    const rename = (to: string) => call(service, `POST /conversations/${id}`, { name: to, bot_id: 'echo' });
    const refused = await rename('');
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['name']]);
    assert.equal((await rename('New')).body.data.name, 'New');
    const [conversation] = service.conversations.values();
    if (conversation) conversation.name = '';
    assert.equal((await list(`/conversations/${id}`)).data.name, null);
  });

  it('concurrent conversions are limited as in the hosted profile', async () => {
    await restart({ maxConversions: 1, conversionMs: 1000 });
    const id = await createConversation(service);
    const add = async () => (await uploadTo('projects', id)).status;
    assert.deepEqual([await add(), await add()], [200, 429]);
    clock += 1000;
    assert.equal(await add(), 200);
  });
});
