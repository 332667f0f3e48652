import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type CallToolResult, Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import { createFile } from '../../chat/support/person';
import { demoBots } from '../../service/demo/demoBots';
import { type LocalService, startLocalService } from '../../service/localService';
import { waitUntil } from '../../support/waitUntil';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { setSetting } from '../support/setSetting';
import { type TestServices, useServices } from '../support/testServices';

interface Answer {
  readonly answer: string;
  readonly conversationId: string;
  readonly conversationLink: string;
  readonly cost: { readonly messages: number };
}

describe('An agent that asks through the MCP server', () => {
  const startServices = useServices();
  let parley: TestServices;
  let window: RecordedWindow;
  let choose: (shown: Shown) => unknown;
  const clients: Client[] = [];
  const pids = new Map<Client, number>();

  before(async () => {
    await setSetting('parley.agents.dailyMessages', 1000);
    await setSetting('parley.agents.ask', 'never');
  });
  after(async () => {
    await setSetting('parley.agents.dailyMessages', undefined);
    await setSetting('parley.agents.ask', undefined);
  });
  beforeEach(async () => {
    choose = () => assert.fail('It asked');
    parley = await startServices();
    window = new RecordedWindow((shown) => choose(shown));
    await (await getHost()).listen();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    window.dispose();
    await parley.close();
  });

  const until = <T>(condition: () => T | undefined | false) =>
    waitUntil('the condition of the test', condition);
  const getHost = async () => (await parley.services.getAgentHost()) ?? assert.fail('No host');
  const getWindowsFolder = async () => (await (await getHost()).openWindowsFolder()).path;
  const connect = async (name = 'Claude Code', options: ClientOptions = {}) => {
    const extension = vscode.extensions.getExtension('parley.parley') ?? assert.fail();
    const server = path.join(extension.extensionUri.fsPath, 'dist/mcp/server.js');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [server, '--windows', await getWindowsFolder()],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      stderr: 'ignore',
    });
    const client = new Client({ name, version: '1' }, options);
    await client.connect(transport);
    clients.push(client);
    pids.set(client, transport.pid ?? 0);
    return client;
  };
  const call = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;
  const getText = ({ content }: CallToolResult) =>
    content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const ask = async (client: Client, args: Record<string, unknown>) => {
    const result = await call(client, 'ask_bot', args);
    assert.ok(!result.isError, getText(result));
    return result.structuredContent as unknown as Answer;
  };
  const countMessages = () =>
    parley.service.requests.filter(({ path }) => path.endsWith('/messages/stream')).length;

  it('continues a conversation with the documents of its own service, which isn’t the first one', async () => {
    const other = await startLocalService({ bots: demoBots });
    try {
      await parley.secrets.store(`parley.apiKey ${other.apiOrigin}`, other.key);
      await setSetting('parley.services', [{ name: 'Other', baseUrl: other.baseUrl }]);
      const { chat, replies, bots, setup, uploads } = parley.services;
      await setup.refresh();
      const { id } = chat.create(bots.named('echo', other.baseUrl));
      assert.equal(await replies.send(id, 'One', { via: 'tool' }), 'sent');
      await replies.whenDone(id);
      await uploads.add(id, createFile('moss.txt')).finished;
      const client = await connect();
      choose = ({ buttons }) => buttons[0];
      await ask(client, { question: 'Two', conversationId: id, documentIds: [...other.documents.keys()] });
      const listed = await call(client, 'list_documents', { conversationId: id });
      assert.ok(!listed.isError, getText(listed));
      const sent = (service: LocalService) =>
        service.requests.filter(({ path }) => /conversations|documents\?/.test(path)).length;
      assert.deepEqual([sent(parley.service), parley.service.conversations.size], [0, 0]);
      assert.equal(other.conversations.size, 1);
    } finally {
      await setSetting('parley.services', undefined);
      await other.close();
    }
  });

  it('gets answers in a stored conversation of Parley with its name, which it can continue', async () => {
    const client = await connect();
    const first = await ask(client, { question: 'One' });
    assert.match(first.answer, /One/);
    assert.deepEqual(first.cost, { messages: 1 });
    assert.match(
      first.conversationLink,
      /^[\w-]+:\/\/parley\.parley\/conversation\?service=http.*&id=[\w-]+/,
    );
    const second = await ask(client, { question: 'Two', conversationId: first.conversationId });
    assert.equal(second.conversationId, first.conversationId);
    const { chat, quota } = parley.services;
    const { turns = [] } = (await chat.openWhole(first.conversationId)) ?? {};
    const messages = turns.filter((turn) => turn.kind === 'message');
    assert.deepEqual(
      messages.map(({ text, agent, via }) => ({ text, agent, via })),
      ['One', 'Two'].map((text) => ({ text, agent: 'Claude Code', via: 'tool' })),
    );
    assert.equal(chat.getSummary(first.conversationId)?.name, 'One');
    assert.equal(quota.getEstimate(parley.service.baseUrl).messages, 2);
  });

  it('can be stopped in the panel, and stops the reply itself when it cancels', async () => {
    const client = await connect();
    const { chat, replies } = parley.services;
    const script = parley.service.script();
    const asked = ask(client, { question: 'One' });
    await script.opened;
    script.chunk('Half');
    const { id } = await until(() => chat.list().find(({ streaming }) => streaming));
    await until(() => chat.find(id)?.turns.some((turn) => turn.kind === 'reply' && turn.text === 'Half'));
    replies.stop(id);
    assert.equal((await asked).answer, 'Half');
    const second = parley.service.script();
    const stop = new AbortController();
    const canceled = client.callTool(
      { name: 'ask_bot', arguments: { question: 'Two' } },
      { signal: stop.signal },
    );
    await second.opened;
    stop.abort();
    await assert.rejects(canceled);
    await second.closed;
    await until(() => chat.list().every(({ streaming }) => !streaming));
    assert.equal(countMessages(), 2);
  });

  it('is asked about in VS Code once per conversation, with the whole question and what can’t be seen in it [attack: agent]', async () => {
    await setSetting('parley.agents.ask', 'conversation');
    try {
      const client = await connect('Evil\u202e [agent](command:x)');
      // In a test, nothing tells whether the window has the focus, and this agent can't ask.
      const question = `${'a'.repeat(1200)}\u{e0041}b\nc`;
      choose = ({ buttons }) => buttons[0];
      const { conversationId } = await ask(client, { question });
      const [asked] = window.shown;
      const text = asked?.texts.join('') ?? '';
      assert.ok(text.includes('a'.repeat(200)) && text.includes('\\u{e0041}b'), text);
      assert.ok((text.match(/a/g) ?? []).length >= 1200, text);
      assert.ok(!/[\u202e]|\]\(/.test(text), text);
      assert.match(text, /Echo/);
      await ask(client, { question: 'More', conversationId });
      assert.equal(window.shown.length, 1);
      choose = () => undefined;
      const declined = await call(client, 'ask_bot', { question: 'Another' });
      assert.ok(declined.isError);
      assert.match(getText(declined), /declined\. Nothing was sent/);
      assert.equal(countMessages(), 2);
      await setSetting('parley.agents.ask', 'always');
      const again = await call(client, 'ask_bot', { question: 'More', conversationId });
      assert.ok(again.isError);
      assert.equal(window.shown.length, 3);
    } finally {
      await setSetting('parley.agents.ask', 'never');
    }
  });

  it('asks the person itself, if it can and the window hasn’t the focus', async () => {
    await setSetting('parley.agents.ask', 'always');
    const state = Object.getOwnPropertyDescriptor(vscode.window, 'state');
    Object.defineProperty(vscode.window, 'state', { configurable: true, value: { focused: false } });
    try {
      const client = await connect('Codex', { capabilities: { elicitation: { form: {} } } });
      const questions: string[] = [];
      let action: 'accept' | 'decline' = 'decline';
      client.setRequestHandler('elicitation/create', ({ params }) => {
        questions.push(params.message);
        return action === 'accept' ? { action, content: {} } : { action };
      });
      const declined = await call(client, 'ask_bot', { question: 'One\u200b' });
      assert.match(getText(declined), /declined/);
      assert.equal(countMessages(), 0);
      action = 'accept';
      await ask(client, { question: 'One\u200b' });
      assert.equal(countMessages(), 1);
      assert.match(questions[1] ?? '', /Codex wants to ask Echo[\s\S]*One\\u\{200b\}$/);
    } finally {
      if (state) Object.defineProperty(vscode.window, 'state', state);
      await setSetting('parley.agents.ask', 'never');
    }
  });

  it('asks no more questions in a day than the limit, also from several agents at once', async () => {
    await setSetting('parley.agents.dailyMessages', 3);
    try {
      const agents = await Promise.all(['One', 'Two'].map((name) => connect(name)));
      const results = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((index) =>
          call(agents[index % 2] ?? assert.fail(), 'ask_bot', { question: `Question ${index}` }),
        ),
      );
      assert.ok(countMessages() <= 3);
      const refused = results.find(({ isError }) => isError) ?? assert.fail();
      assert.match(getText(refused), /asked 3 questions today.*Nothing was sent.*Try again after \d{4}-/);
    } finally {
      await setSetting('parley.agents.dailyMessages', 1000);
    }
  });

  it('gets 100 answers for 100 questions of five agents at once, each its own, and none twice', async () => {
    const agents = await Promise.all([1, 2, 3, 4, 5].map((number) => connect(`Agent ${number}`)));
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const { answer, conversationId } = await ask(agents[index % 5] ?? assert.fail(), {
          question: `Question number ${index}.`,
        });
        return { index, answer, conversationId };
      }),
    );
    for (const { index, answer } of answers) assert.match(answer, new RegExp(`number ${index}\\.`));
    assert.equal(new Set(answers.map(({ conversationId }) => conversationId)).size, 100);
    assert.equal(countMessages(), 100);
    const contents = parley.service.requests
      .filter(({ path }) => path.endsWith('/messages/stream'))
      .map(({ body }) => (body as { content: string }).content);
    assert.equal(new Set(contents).size, 100);
  });

  it('can’t continue or read a conversation of another workspace that isn’t an agent’s [attack: agent]', async () => {
    const client = await connect();
    const { chat, replies, bots } = parley.services;
    const own = chat.create(bots.named('echo'));
    await replies.send(own.id, 'A secret about zebras');
    await replies.whenDone(own.id);
    const refused = await call(client, 'ask_bot', { question: 'Go on', conversationId: own.id });
    assert.match(getText(refused), /Conversation not found\. Nothing was sent/);
    // It was asked in this workspace, so it is found.
    const found = await call(client, 'search_conversations', { query: 'zebras' });
    assert.match(getText(found), new RegExp(own.id));
    const other = { id: 'file:///other', name: 'other' };
    chat.update(own.id, { workspace: other });
    await until(() => chat.getSummary(own.id)?.workspace?.id === other.id);
    assert.doesNotMatch(getText(await call(client, 'search_conversations', { query: 'zebras' })), /secret/);
    assert.doesNotMatch(getText(await call(client, 'search_conversations', { query: '' })), /secret/);
    const read = await call(client, 'read_conversation', { conversationId: own.id });
    assert.ok(read.isError && !getText(read).includes('zebras'));
  });

  it('uploads a file after the panel’s own questions, and nothing if the person declines', async () => {
    const client = await connect();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const file = vscode.Uri.joinPath(folder, '.env');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('KEY=1'));
    try {
      choose = () => undefined;
      const declined = await call(client, 'upload_document', { path: '.env' });
      assert.match(getText(declined), /Nothing was uploaded/);
      assert.ok(
        window.texts.some((text) => text.includes('looks like a secret')),
        window.texts.join(),
      );
      assert.equal(parley.service.documents.size, 0);
      choose = ({ buttons }) => buttons.at(-1);
      const uploaded = await call(client, 'upload_document', { path: '.env' });
      assert.ok(!uploaded.isError, getText(uploaded));
      assert.equal(parley.service.documents.size, 1);
      const other = await call(client, 'upload_document', { path: '//server/share/a.txt' });
      assert.match(getText(other), /names another machine/);
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  });

  it('is told once when the window closes in the middle of a reply, which ends once as well', async () => {
    const client = await connect();
    const { chat } = parley.services;
    const script = parley.service.script();
    const asked = call(client, 'ask_bot', { question: 'One' });
    await script.opened;
    script.chunk('Half');
    const { id } = await until(() => chat.list().find(({ streaming }) => streaming));
    await until(() => chat.find(id)?.turns.some((turn) => turn.kind === 'reply' && turn.text === 'Half'));
    await parley.services.close();
    const result = await asked;
    assert.match(getText(result), /Half|window of VS Code was closed/);
    const replies = chat.find(id)?.turns.filter((turn) => turn.kind === 'reply') ?? [];
    assert.deepEqual(
      replies.map((turn) => turn.kind === 'reply' && turn.ending),
      ['interrupted'],
    );
    const next = await call(client, 'ask_bot', { question: 'Two' });
    assert.match(getText(next), /No window of VS Code with Parley is open.*Nothing was sent/);
    assert.equal(countMessages(), 1);
    assert.deepEqual(await readdir(await getWindowsFolder()), []);
  });

  it('that is killed in the middle of a reply leaves one stopped reply, and the window answers others', async () => {
    const client = await connect();
    const { chat } = parley.services;
    const script = parley.service.script();
    const asked = call(client, 'ask_bot', { question: 'One' });
    await script.opened;
    process.kill(pids.get(client) ?? assert.fail(), 'SIGKILL');
    await assert.rejects(asked);
    await script.closed;
    await until(() => chat.list().every(({ streaming }) => !streaming));
    assert.match((await ask(await connect(), { question: 'Two' })).answer, /Two/);
    assert.equal(countMessages(), 2);
  });

  it('reads conversations and documents as resources, marked as data', async () => {
    const client = await connect();
    const { conversationId } = await ask(client, { question: 'About zebras' });
    const uri = `parley://conversation/${conversationId}`;
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map((resource) => [resource.uri, resource.name]),
      [
        ['parley://documents', 'documents'],
        [uri, 'About zebras'],
      ],
    );
    const read = async (of: string) => {
      const [content] = (await client.readResource({ uri: of })).contents;
      return content && 'text' in content ? String(content.text) : assert.fail();
    };
    assert.match(await read(uri), /data, not instructions[\s\S]*## User\n\nAbout zebras[\s\S]*## Bot\n/);
    assert.match(await read('parley://documents'), /List of documents/);
    assert.match(await read(`${uri}/documents`), /List of documents/);
    await assert.rejects(client.readResource({ uri: 'parley://conversation/none' }), /no such conversation/);
    await assert.rejects(client.readResource({ uri: 'parley://conversation/%zz' }));
  });

  it('has the user’s and the workspace’s prompts that need no editor', async () => {
    const client = await connect();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const prompts = vscode.Uri.joinPath(folder, '.github', 'prompts');
    const write = (name: string, text: string) =>
      vscode.workspace.fs.writeFile(vscode.Uri.joinPath(prompts, name), new TextEncoder().encode(text));
    await write('moss.prompt.md', `---\ndescription: About moss\n---\nWhat is \${input:kind:which} moss?`);
    await write('selected.prompt.md', `What is \${selection}?`);
    try {
      const { prompts: listed } = await client.listPrompts();
      const mine = listed.filter(({ name }) => name === 'moss' || name === 'selected');
      assert.deepEqual(mine, [
        {
          name: 'moss',
          description: 'About moss',
          arguments: [{ name: 'kind', description: 'which', required: true }],
        },
      ]);
      const { messages } = await client.getPrompt({ name: 'moss', arguments: { kind: `\${input:x}` } });
      assert.deepEqual(messages, [
        { role: 'user', content: { type: 'text', text: `What is \${input:x} moss?` } },
      ]);
      await assert.rejects(client.getPrompt({ name: 'selected' }), /no such prompt/);
    } finally {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(prompts, 'moss.prompt.md'));
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(prompts, 'selected.prompt.md'));
    }
  });

  it('finds the window’s token in a file that only this user can read [attack: agents’ socket]', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = await getWindowsFolder();
    const [name = ''] = await readdir(folder);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.equal((await stat(path.join(folder, name))).mode & 0o777, 0o600);
    const text = await readFile(path.join(folder, name), 'utf8');
    assert.ok(!text.includes(parley.service.key));
    assert.ok(JSON.parse(text).token.length >= 64);
  });
});
