import assert from 'node:assert/strict';
import { collectItems, readPages } from '../../src/client/pages';
import { ServiceClient } from '../../src/client/serviceClient';
import { assertLogged, createClient, getServiceError, KEY, TRANSPORTS } from './support/clients';
import { json, startServer, stopServers } from './support/servers';

interface Operation {
  readonly operation: string;
  readonly call: (client: ServiceClient) => Promise<unknown>;
  /** Method, path and query. */
  readonly request: string;
  readonly body?: object;
  readonly answer: unknown;
  readonly result: unknown;
}

const conversation = { id: 'c1', name: 'Plan', bot_id: 'b1', created_at: 1739534400, extra: { deep: true } };
const readConversation = { id: 'c1', name: 'Plan', botId: 'b1', createdAt: 1739534400 };
const message = {
  id: 'm1',
  content: 'Hello',
  conversation_id: 'c1',
  machine: true,
  failed_responding: false,
  flagged: false,
  created_at: 1739534401,
  is_web_search: true,
  sources: {
    data: [
      {
        type: 'file',
        document_id: 'd1',
        document_name: 'a.txt',
        document_url: 'https://x.example/a',
        created_at: 1,
      },
    ],
  },
};
/** A list that says nothing about its pages. */
const unpaged = { skipped: 0, next: undefined, lastPage: undefined, total: undefined };
const readMessage = {
  id: 'm1',
  content: 'Hello',
  conversationId: 'c1',
  machine: true,
  failedResponding: false,
  flagged: false,
  createdAt: 1739534401,
  isWebSearch: true,
  sources: [
    {
      type: 'file',
      documentId: 'd1',
      documentName: 'a.txt',
      documentUrl: 'https://x.example/a',
      createdAt: 1,
    },
  ],
  usage: undefined,
};
const document = {
  id: 'd1',
  name: 'a.txt',
  status: 'syncing',
  content_url: 'https://x.example/a',
  created_at: 5,
};
const readDocument = {
  conversationId: undefined,
  id: 'd1',
  name: 'a.txt',
  status: 'syncing',
  contentUrl: 'https://x.example/a',
  createdAt: 5,
};

const operations: readonly Operation[] = [
  {
    operation: 'POST /conversations',
    call: (client) => client.createConversation({ name: 'Plan', botId: 'b1' }),
    request: 'POST /api/v1/conversations',
    body: { name: 'Plan', bot_id: 'b1' },
    answer: { data: conversation },
    result: readConversation,
  },
  {
    operation: 'GET /conversations/{id}',
    call: (client) => client.getConversation('a/b c?'),
    request: 'GET /api/v1/conversations/a%2Fb%20c%3F?includes=sources',
    answer: { data: conversation },
    result: readConversation,
  },
  {
    operation: 'POST /conversations/{id}',
    call: (client) => client.updateConversation('c1', { name: 'Plan', botId: 'b1' }),
    request: 'POST /api/v1/conversations/c1?includes=sources',
    body: { name: 'Plan', bot_id: 'b1' },
    answer: { data: conversation },
    result: readConversation,
  },
  {
    operation: 'GET /conversations/{id}',
    call: (client) => client.getDocumentIds('c/1'),
    request: 'GET /api/v1/conversations/c%2F1?includes=document_ids',
    answer: { data: { ...conversation, document_ids: ['d1', 7] } },
    result: ['d1', '7'],
  },
  {
    operation: 'POST /conversations/{id}',
    call: (client) => client.updateConversation('c1', { name: 'Plan', botId: 'b1', documentIds: ['d1'] }),
    request: 'POST /api/v1/conversations/c1?includes=sources',
    body: { name: 'Plan', bot_id: 'b1', document_ids: ['d1'] },
    answer: { data: conversation },
    result: readConversation,
  },
  {
    operation: 'GET /conversations',
    call: (client) => client.listConversations({ botId: 'b1', keyword: 'a&b', page: 2 }),
    request: 'GET /api/v1/conversations?bot_id=b1&keyword=a%26b&page=2',
    answer: { data: [conversation], meta: { pagination: { total: 31, next_page: 3, per_page: 10 } } },
    result: { items: [readConversation], ...unpaged, next: 3, total: 31 },
  },
  {
    operation: 'POST /messages',
    call: (client) => client.createMessage({ conversationId: 'c1', content: 'Hi "you"', isWebSearch: true }),
    request: 'POST /api/v1/messages?includes=sources',
    body: { conversation_id: 'c1', content: 'Hi "you"', is_web_search: true },
    answer: { data: message },
    result: readMessage,
  },
  {
    operation: 'GET /messages',
    call: (client) => client.listMessages({ conversationId: 'c1' }),
    request: 'GET /api/v1/messages?conversation_id=c1&includes=sources%2Cusage',
    answer: [message],
    result: { items: [readMessage], ...unpaged },
  },
  {
    operation: 'GET /messages/{id}',
    call: (client) => client.getMessage('m1'),
    request: 'GET /api/v1/messages/m1?includes=sources%2Cusage',
    answer: { data: message },
    result: readMessage,
  },
  {
    operation: 'POST /uploads/signed-url',
    call: (client) => client.createSignedUpload({ fileName: 'a.txt', contentType: 'text/plain' }),
    request: 'POST /api/v1/uploads/signed-url',
    body: { file_name: 'a.txt', content_type: 'text/plain' },
    answer: { url: 'https://bucket.example/a?X-Sig=1', key: 'uploads/a' },
    result: { url: 'https://bucket.example/a?X-Sig=1', key: 'uploads/a' },
  },
  {
    operation: 'POST /documents/file',
    call: (client) => client.createDocument({ key: 'uploads/a', conversationId: 'c1', fileName: 'a.txt' }),
    request: 'POST /api/v1/documents/file',
    body: { key: 'uploads/a', conversation_id: 'c1', file_name: 'a.txt' },
    answer: { data: document },
    result: readDocument,
  },
  {
    operation: 'POST /documents/file',
    call: (client) =>
      client.createDocument({ key: 'k', conversationId: 'c1', fileName: 'a.txt', folderId: 'f1' }),
    request: 'POST /api/v1/documents/file',
    body: { key: 'k', conversation_id: 'c1', file_name: 'a.txt', folder_id: 'f1' },
    answer: { data: document },
    result: readDocument,
  },
  {
    operation: 'GET /folders',
    call: (client) => client.listFolders({ page: 2 }),
    request: 'GET /api/v1/folders?page=2',
    answer: { data: [{ id: 'f1', name: 'Plans' }, { id: 2, name: '\u200b' }, { name: 'No id' }] },
    result: {
      items: [
        { id: 'f1', name: 'Plans' },
        { id: '2', name: '' },
      ],
      ...unpaged,
      skipped: 1,
    },
  },
  {
    operation: 'POST /folders',
    call: (client) => client.createFolder({ name: 'Plans' }),
    request: 'POST /api/v1/folders',
    body: { name: 'Plans' },
    answer: { data: { id: 'f1', name: 'Plans' } },
    result: { id: 'f1', name: 'Plans' },
  },
  {
    operation: 'POST /folders',
    call: (client) => client.createFolder({ name: 'Plans' }),
    request: 'POST /api/v1/folders',
    body: { name: 'Plans' },
    answer: '',
    result: undefined,
  },
  {
    operation: 'GET /documents',
    call: (client) => client.listDocuments({ conversationId: 'c1' }),
    request: 'GET /api/v1/documents?conversation_id=c1',
    answer: { data: [document] },
    result: { items: [readDocument], ...unpaged },
  },
  {
    operation: 'DELETE /documents/{id}',
    call: (client) => client.deleteDocument('d/1'),
    request: 'DELETE /api/v1/documents/d%2F1',
    answer: '',
    result: undefined,
  },
  {
    operation: 'GET /messages',
    call: (client) => client.listMessages({ conversationId: 'c1', page: 2 }),
    request: 'GET /api/v1/messages?conversation_id=c1&page=2&includes=sources%2Cusage',
    answer: { data: [{ ...message, usage: { tokens: 9, credits: 2 } }] },
    result: {
      items: [{ ...readMessage, usage: { tokens: 9, credits: 2 } }],
      ...unpaged,
    },
  },
  {
    operation: 'GET /bots',
    call: (client) => client.listBots({ keyword: 'guide' }),
    request: 'GET /api/v1/bots?keyword=guide',
    answer: { data: [{ id: 'b1', name: 'Guide' }], meta: { pagination: { next_page: null, total: 1 } } },
    result: { items: [{ id: 'b1', name: 'Guide' }], ...unpaged, next: 'none', total: 1 },
  },
];

for (const { name, fetch } of TRANSPORTS) {
  describe(`ServiceClient operations over ${name}`, () => {
    afterEach(stopServers);

    for (const { operation, call, request, body, answer, result } of operations) {
      it(operation, async () => {
        const server = await startServer(json(answer));
        const { client, log } = createClient(server.origin, { fetch });
        const startedAt = Date.now();
        assert.deepEqual(await call(client), result);

        const [seen] = server.requests;
        assert.ok(seen);
        assert.equal(`${seen.method} ${seen.url}`, request);
        assert.equal(seen.headers.authorization, `Bearer ${KEY}`);
        assert.equal(seen.headers.accept, 'application/json');
        assert.equal(seen.headers['content-type'], body && 'application/json');
        assert.deepEqual(seen.body === '' ? undefined : JSON.parse(seen.body), body);
        assert.equal(server.requests.length, 1);
        assertLogged(log, [{ operation, status: 200 }], startedAt);
      });
    }

    it('logs how long a response took', async () => {
      const { operation, call, answer } = operations[0] ?? assert.fail();
      let took = 0;
      const server = await startServer((request, response) => {
        const receivedAt = Date.now();
        setTimeout(() => {
          took = Date.now() - receivedAt;
          json(answer)(request, response);
        }, 20);
      });
      const { client, log } = createClient(server.origin, { fetch });
      const startedAt = Date.now();
      await call(client);
      assertLogged(log, [{ operation, status: 200 }], startedAt);
      assert.ok(
        (log[0]?.durationMs ?? 0) >= took,
        `${log[0]?.durationMs} ms, of which ${took} were the server's`,
      );
    });

    it('DELETE /conversations/{id} succeeds with any content of a successful response', async () => {
      const bodies = ['', '{"data":null}', '<p>gone</p>'];
      for (const [index, status] of [204, 200, 202].entries()) {
        const server = await startServer((_request, response) =>
          response.writeHead(status).end(bodies[index]),
        );
        const { client, log } = createClient(server.origin, { fetch });
        const startedAt = Date.now();
        assert.equal(await client.deleteConversation('c1'), undefined);
        assert.equal(
          `${server.requests[0]?.method} ${server.requests[0]?.url}`,
          'DELETE /api/v1/conversations/c1?includes=sources',
        );
        assert.equal(server.requests[0]?.headers.authorization, `Bearer ${KEY}`);
        assertLogged(log, [{ operation: 'DELETE /conversations/{id}', status }], startedAt);
      }
    });
  });
}

describe('ServiceClient parsing of responses', () => {
  afterEach(stopServers);

  async function createAnsweringClient(answer: unknown): Promise<ServiceClient> {
    return createClient((await startServer(json(answer))).origin).client;
  }

  it('finds url and key at the top level or under data', async () => {
    const upload = { url: 'https://bucket.example/a', key: 'k' };
    for (const answer of [upload, { data: upload }, { data: null, ...upload }]) {
      const client = await createAnsweringClient(answer);
      assert.deepEqual(
        await client.createSignedUpload({ fileName: 'a.txt', contentType: 'text/plain' }),
        upload,
      );
    }
  });

  it('reads a list as an array or under data, with any meta', async () => {
    for (const [answer, next, total] of [
      [[{ id: 'm1' }], undefined, undefined],
      [{ data: [{ id: 'm1' }] }, undefined, undefined],
      [{ data: [{ id: 'm1' }], meta: null }, undefined, undefined],
      [{ data: [{ id: 'm1' }], meta: { pagination: 7 } }, undefined, undefined],
      [{ data: [{ id: 'm1' }], meta: { pagination: { next_page: '3', total: '41' } } }, 3, 41],
      [{ data: [{ id: 'm1' }], meta: { pagination: { next_page: {}, total: 41.5 } } }, 'none', undefined],
    ] as const) {
      const page = await (await createAnsweringClient(answer)).listMessages({ conversationId: 'c1' });
      assert.deepEqual(
        [page.items[0]?.id, page.next, page.total],
        ['m1', next, total],
        JSON.stringify(answer),
      );
    }
  });

  it('accepts numbers as ids', async () => {
    const client = await createAnsweringClient({ data: { id: 42, name: 'Plan', bot_id: 7 } });
    assert.deepEqual(await client.getConversation('42'), {
      id: '42',
      name: 'Plan',
      botId: '7',
      createdAt: undefined,
    });
  });

  it('returns no document ids if the service omits them or they have another type', async () => {
    for (const document_ids of [undefined, null, 'd1', [{}]]) {
      const client = await createAnsweringClient({ data: { id: 'c1', document_ids } });
      assert.equal(await client.getDocumentIds('c1'), undefined, JSON.stringify(document_ids));
    }
    assert.deepEqual(
      await (await createAnsweringClient({ id: 'c1', document_ids: [] })).getDocumentIds('c1'),
      [],
    );
  });

  it('ignores properties that are missing or have another type', async () => {
    const odd = {
      id: 'm1',
      content: null,
      machine: 'yes',
      created_at: 'yesterday',
      is_web_search: 2,
      sources: { data: 'none' },
    };
    for (const answer of [
      { data: odd },
      { data: { id: 'm1' } },
      { data: { id: 'm1', sources: { data: [null] } } },
    ]) {
      assert.deepEqual(await (await createAnsweringClient(answer)).getMessage('m1'), {
        id: 'm1',
        content: '',
        conversationId: undefined,
        machine: undefined,
        failedResponding: undefined,
        flagged: undefined,
        createdAt: undefined,
        isWebSearch: undefined,
        sources: [],
        usage: undefined,
      });
    }
  });

  it('reads sources of any form: one or many, wrapped or bare, of unknown kinds', async () => {
    const file = { type: 'document', document_id: 'd1', document_name: 'a.txt' };
    const page = { type: 'web', url: 'https://x.example/a', title: 'A page' };
    const readFile = {
      type: 'document',
      documentId: 'd1',
      documentName: 'a.txt',
      documentUrl: undefined,
      createdAt: undefined,
    };
    const readPage = {
      type: 'web',
      documentId: undefined,
      documentName: 'A page',
      documentUrl: 'https://x.example/a',
      createdAt: undefined,
    };
    for (const [sources, read] of [
      [{ data: file }, [readFile]],
      [{ data: [file, page] }, [readFile, readPage]],
      [file, [readFile]],
      [
        [page, 7, null, {}, file],
        [readPage, readFile],
      ],
      [{ data: null }, []],
      ['none', []],
    ] as const) {
      const { sources: seen } = await (
        await createAnsweringClient({ data: { id: 'm1', sources } })
      ).getMessage('m1');
      assert.deepEqual(seen, read, JSON.stringify(sources));
    }
  });

  it('reads the cost of a reply, wrapped or not, as far as it is present', async () => {
    for (const [usage, read] of [
      [
        { tokens: 120, credits: 2.5 },
        { tokens: 120, credits: 2.5 },
      ],
      [{ data: { credits: 0 } }, { credits: 0 }],
      [{ tokens: 'many', credits: -1 }, undefined],
      [7, undefined],
    ] as const) {
      const client = await createAnsweringClient({ data: [{ id: 'm1', usage }] });
      const { items } = await client.listMessages({ conversationId: 'c1' });
      assert.deepEqual(items[0]?.usage, read, JSON.stringify(usage));
    }
  });

  for (const [what, status, errors, sent] of [
    ['a list, until it is accepted', 422, {}, ['sources,usage', 'sources', 'null', 'null']],
    ['a list that answers 400', 400, {}, ['sources,usage', 'sources', 'null', 'null']],
    ['a list, unless that isn’t why it fails', 500, {}, ['sources,usage', 'sources,usage']],
  ] as const)
    it(`asks for less of includes after a refusal of ${what}`, async () => {
      const refused = status === 500 ? ['sources,usage', 'sources', 'null'] : ['sources,usage', 'sources'];
      const asked: string[] = [];
      const server = await startServer((request, response) => {
        const includes = String(new URL(request.url, server.origin).searchParams.get('includes'));
        asked.push(includes);
        if (refused.includes(includes)) json({ message: 'No', errors }, status)(request, response);
        else json([])(request, response);
      });
      const { client } = createClient(server.origin);
      for (let count = 0; count < 2; count++) {
        const listed = client.listMessages({ conversationId: 'c1' });
        if (status === 500) await assert.rejects(listed, { status });
        else assert.deepEqual((await listed).items, []);
      }
      assert.deepEqual([...new Set(asked)], [...new Set(sent)]);
      if (status !== 500) assert.deepEqual(asked, sent);
    });

  it('repeats a write without includes only if the service names them', async () => {
    for (const [errors, count] of [
      [{ includes: ['Not allowed.'] }, 2],
      [{ bot_id: ['Unknown.'] }, 1],
    ] as const) {
      const server = await startServer((request, response) =>
        request.url.includes('includes')
          ? json({ message: 'No', errors }, 422)(request, response)
          : json({ data: conversation })(request, response),
      );
      const { client } = createClient(server.origin);
      const updated = client.updateConversation('c1', { name: 'Plan', botId: 'b1' });
      if (count === 1) await assert.rejects(updated, { code: 'validation' });
      else assert.equal((await updated)?.id, 'c1');
      assert.equal(server.requests.length, count);
    }
  });

  it('skips invalid items of a list and keeps the others', async () => {
    const client = await createAnsweringClient({
      data: [7, { name: 'no id' }, { id: 'b1', name: 'Guide' }, null],
    });
    assert.deepEqual((await client.listBots()).items, [{ id: 'b1', name: 'Guide' }]);
  });

  it('truncates long names', async () => {
    const client = await createAnsweringClient({ data: [{ id: 'b1', name: 'x'.repeat(100_000) }] });
    assert.equal((await client.listBots()).items[0]?.name.length, 1000);
  });

  it('lists the documents of all pages and requests no page twice', async () => {
    const pages: Record<string, unknown> = {
      '': { data: [{ id: 'd1' }], meta: { pagination: { next_page: 2 } } },
      '&page=2': { data: [{ id: 'd2' }], meta: { pagination: { next_page: 3 } } },
      '&page=3': { data: [{ id: 'd3' }], meta: { pagination: { next_page: 3 } } },
    };
    const server = await startServer((request, response) =>
      json(pages[request.url.replace(/.*conversation_id=c1/, '')])(request, response),
    );
    const { client } = createClient(server.origin);
    const documents = await collectItems(
      readPages((page) => client.listDocuments({ conversationId: 'c1', page })),
    );
    assert.deepEqual([documents.map(({ id }) => id), server.requests.length], [['d1', 'd2', 'd3'], 3]);
  });

  it('accepts any 2xx of an upload or update, with any content', async () => {
    const bodies = ['', 'null', '[]', '{"data":{"name":"a.txt"}}', '<p>ok</p>', '{"data":'];
    for (const status of [200, 201, 202, 204]) {
      for (const body of bodies) {
        const server = await startServer((_request, response) =>
          response.writeHead(status).end(status === 204 ? undefined : body),
        );
        const { client, log } = createClient(server.origin);
        assert.equal(
          await client.createDocument({ key: 'k', conversationId: 'c1', fileName: 'a.txt' }),
          undefined,
        );
        assert.equal(await client.updateConversation('c1', { name: 'Plan', botId: 'b1' }), undefined);
        assert.deepEqual(
          log.map(({ errorCode }) => errorCode),
          [undefined, undefined],
        );
      }
    }
  });

  it('accepts an upload whose response breaks off after its 2xx', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('{"data":{', () => response.destroy());
    });
    const { client } = createClient(server.origin);
    assert.equal(
      await client.createDocument({ key: 'k', conversationId: 'c1', fileName: 'a.txt' }),
      undefined,
    );
    assert.equal(server.requests.length, 1);
  });

  it('reports which field of which operation is missing', async () => {
    const missing: readonly (readonly [
      answer: unknown,
      call: (client: ServiceClient) => Promise<unknown>,
      says: string,
    ])[] = [
      [
        { data: { name: 'Plan' } },
        (client) => client.getConversation('c1'),
        'GET /conversations/{id}: the response has no valid "id"',
      ],
      [
        { data: { id: '' } },
        (client) => client.createConversation({ name: 'a', botId: 'b' }),
        'POST /conversations: the response has no valid "id"',
      ],
      [
        { data: { key: 'k' } },
        (client) => client.createSignedUpload({ fileName: 'a.b', contentType: 'c' }),
        'POST /uploads/signed-url: the response has no valid "url"',
      ],
      [
        { url: 'https://a.example' },
        (client) => client.createSignedUpload({ fileName: 'a.b', contentType: 'c' }),
        'POST /uploads/signed-url: the response has no valid "key"',
      ],
      [{ data: {} }, (client) => client.listBots(), 'GET /bots: the response has no valid "data"'],
      ['text', (client) => client.getMessage('m1'), 'GET /messages/{id}: the response has no valid "data"'],
      [null, (client) => client.getMessage('m1'), 'GET /messages/{id}: the response has no valid "data"'],
    ];
    for (const [answer, call, says] of missing) {
      const error = await getServiceError(call(await createAnsweringClient(answer)), 'invalidResponse');
      assert.deepEqual([error.message, error.reason], [says, 'field']);
    }
  });

  it('sends nothing for an id that would lead to another path', async () => {
    const server = await startServer(json({}));
    const { client } = createClient(server.origin);
    for (const id of ['', '.', '..']) {
      await getServiceError(client.deleteConversation(id), 'notFound');
      await getServiceError(client.getConversation(id), 'notFound');
      await getServiceError(client.getMessage(id), 'notFound');
    }
    assert.equal(server.requests.length, 0);
  });
});

describe('ServiceClient', () => {
  afterEach(stopServers);

  it('reads the key again for each request', async () => {
    const server = await startServer(json({ data: [] }));
    const keys = ['first', ' second\n'];
    const client = new ServiceClient({
      baseUrl: `${server.origin}/api/v1/`,
      apiKey: async () => keys.shift(),
      fetch: globalThis.fetch,
    });
    await client.listBots();
    await client.listBots();
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      ['Bearer first', 'Bearer second'],
    );
  });

  it('sends nothing without a key, or with one that no header can contain', async () => {
    const server = await startServer(json({ data: [] }));
    for (const [key, code] of [
      [undefined, 'keyMissing'],
      ['', 'keyMissing'],
      ['  ', 'keyMissing'],
      ['a\nb', 'unauthorized'],
      ['schlüssel', 'unauthorized'],
    ] as const) {
      const { client, log } = createClient(server.origin, { key });
      const error = await getServiceError(
        client.createMessage({ conversationId: 'c', content: 'x', isWebSearch: false }),
        code,
      );
      assert.equal(error.maySend, true);
      assert.ok(!error.message.includes('schlüssel'));
      assert.deepEqual(log, []);
    }
    assert.equal(server.requests.length, 0);
  });

  it('refuses an invalid base URL', () => {
    assert.throws(() => createClient('http://example.com'), {
      code: 'refusedUrl',
      reason: 'notHttps',
      maySend: true,
    });
  });

  it('calls fetch as a plain function, which browsers require', async () => {
    let self: unknown = 'not called';
    const { client } = createClient('https://api.example.com', {
      fetch: async function (this: unknown) {
        self = this;
        return Response.json({ data: [] });
      },
    });
    await client.listBots();
    assert.ok(self === undefined || self === globalThis, 'it was called as a method');
  });
});
