import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { echo } from '../bots/echo';
import type { LocalService } from '../localService';
import { call, createConversation, requestStreamUrl, sendRaw, upload } from '../support/testCalls';
import { withLocalService } from '../support/withLocalService';
import { createModelBot } from './openAi';

interface CompletionRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { model: string; stream: boolean; messages: { role: string; content: string }[] };
}

const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

describe('Model', () => {
  let server: Server;
  let url: string;
  let requests: CompletionRequest[];
  let answer: (res: ServerResponse) => void;
  let service: LocalService;

  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const path = req.url ?? '';
    if (path === '/v1/models') return res.end(JSON.stringify({ data: [{ id: 'tiny' }, { id: 'large' }] }));
    requests.push({ path, authorization: req.headers.authorization, body: JSON.parse(text) });
    return answer(res);
  };

  beforeEach(async () => {
    requests = [];
    answer = (res) => res.end(`${delta('Hello ')}: ping\n\n${delta('wörld')}data: [DONE]\n\n`);
    server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => void handle(req, res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  withLocalService(
    (started) => {
      service = started;
    },
    () => ({ bots: [echo, createModelBot({ url, key: 'sk-local' })] }),
  );
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const ask = async (content: string, conversation_id: string) =>
    (await call(service, 'POST /messages?includes=sources', { content, conversation_id })).body.data;

  it('streams the model’s chunks and sends the conversation’s history', async () => {
    assert.deepEqual(service.bots.at(-1), { id: 'model', name: 'Model' });
    const conversation_id = await createConversation(service, 'model');
    const { body } = await sendRaw(await requestStreamUrl(service, 'First', conversation_id));
    assert.match(body, /"Hello "[\s\S]*"wörld"[\s\S]*\[END\]/);
    assert.equal((await ask('Second', conversation_id)).content, 'Hello wörld');
    const [, second] = requests;
    assert.deepEqual(
      [second?.path, second?.authorization, second?.body.model, second?.body.stream],
      ['/v1/chat/completions', 'Bearer sk-local', 'tiny', true],
    );
    assert.deepEqual(second?.body.messages, [
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'Hello wörld' },
      { role: 'user', content: 'Second' },
    ]);
  });

  it('sends the relevant passages to the model and lists their documents as sources', async () => {
    const conversation_id = await createConversation(service, 'model');
    const { body } = await upload(service, conversation_id, 'notes.txt', 'The cat is called Ada.');
    await upload(service, conversation_id, 'other.txt', 'Something else.');
    const reply = await ask('What is the cat called?', conversation_id);
    assert.equal(requests[0]?.body.messages[0]?.role, 'system');
    assert.match(
      requests[0]?.body.messages[0]?.content ?? '',
      /notes\.txt, lines? 1[\s\S]*The cat is called Ada\./,
    );
    const ids = reply.sources.data.map((source: { document_id: string }) => source.document_id);
    assert.deepEqual(ids, [body.data.id]);
    const [source] = reply.sources.data;
    assert.deepEqual(Object.keys(source).sort(), [
      'created_at',
      'document_id',
      'document_name',
      'document_url',
      'type',
    ]);
    assert.equal(await (await fetch(source.document_url)).text(), 'The cat is called Ada.');
  });

  it('says in the reply why the model can’t reply, and marks the reply as failed', async () => {
    const conversation_id = await createConversation(service, 'model');
    const failures: [(res: ServerResponse) => void, RegExp][] = [
      [
        (res) => res.writeHead(404).end(JSON.stringify({ error: { message: 'No such model' } })),
        /No such model \(404\)/,
      ],
      [(res) => res.writeHead(500).end('<html>'), /answers 500/],
      [(res) => res.end(delta('Half ')), /^Half [\s\S]*ended in the middle/],
      [(res) => res.end('data: {"error":{"message":"Out of memory"}}\n\n'), /Out of memory/],
      [(res) => res.end('data: not json\n\n'), /can’t reply/],
      [(res) => res.destroy(), /can’t reply: .+/],
    ];
    for (const [failure, text] of failures) {
      answer = failure;
      const reply = await ask('x', conversation_id);
      assert.match(reply.content, text);
      assert.equal(reply.failed_responding, true);
    }
  });

  it('closes its request when the client stops the reply', async () => {
    const requestClosed = new Promise<void>((resolve) => {
      answer = (res) => {
        res.write(delta('A long '));
        res.once('close', () => resolve());
      };
    });
    const conversation_id = await createConversation(service, 'model');
    const controller = new AbortController();
    const response = await fetch(await requestStreamUrl(service, 'x', conversation_id), {
      signal: controller.signal,
    });
    const reader = response.body?.getReader();
    for (let text = ''; !text.includes('long'); )
      text += new TextDecoder().decode((await reader?.read())?.value);
    controller.abort();
    await requestClosed;
    const reply = [...service.messages.values()].at(-1);
    assert.deepEqual([reply?.content, reply?.failed_responding], ['A long ', true]);
  });
});
