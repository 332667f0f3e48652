import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type OpenWindow, readWindows } from '../../src/mcp/attached/windowList';
import { WAIT_LIMIT_MS } from '../service/hang';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';

const options = {
  bot: 'Echo',
  isolated: true,
  workspaceFiles: {
    'lichen.txt': 'Lichen is no plant.\n',
    'moss.txt': 'Moss is a plant without roots.\n',
  },
} as const;

describeInWorkbench('An agent of another program', options, (suite) => {
  const { workbench } = suite;
  const clients: Client[] = [];
  const getFolder = () =>
    path.join(workbench.userDataDir, 'User', 'globalStorage', 'parley.parley', 'agents');
  const listWindows = () => readWindows(path.join(getFolder(), 'windows'));

  after(() => Promise.all(clients.map((client) => client.close())));

  /** Starts the launcher as an agent does that works in this folder. */
  const connect = async (cwd: string) => {
    const client = new Client({ name: 'Test Agent', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: path.join(getFolder(), 'parley-mcp'), cwd, stderr: 'ignore' }),
    );
    clients.push(client);
    return client;
  };
  const call = (client: Client, tool: string, args = {}) =>
    client.callTool({ name: tool, arguments: args }, { timeout: WAIT_LIMIT_MS }) as Promise<CallToolResult>;
  const ask = (client: Client, question: string) => call(client, 'ask_bot', { question });
  const getText = ({ content }: CallToolResult) =>
    content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  /** Presses the button of the question that Parley asks; fails if the agent is answered without it. */
  const confirm = async (question: string, asked: Promise<CallToolResult>) => {
    const early = asked.then((answer) => assert.fail(`answered without the user: ${getText(answer)}`));
    assert.ok((await Promise.race([workbench.dialog.text(), early])).includes(question));
    await workbench.dialog.press('Send Question');
  };

  /** Waits until another window listens instead, and checks that the one before has left nothing. */
  const waitUntilNextListens = async (before: OpenWindow | undefined) => {
    await waitUntil('the next window listens', async () => {
      const windows = await listWindows();
      return windows.length === 1 && windows[0]?.id !== before?.id;
    });
    // A window writes its file with another name before it replaces it.
    await waitUntil(
      'only its file is left',
      async () => (await readdir(path.join(getFolder(), 'windows'))).length === 1,
    );
    if (process.platform !== 'win32') await assert.rejects(stat(path.dirname(before?.address ?? '')));
  };

  it('asks through the launcher once it is connected, when the user agrees, and its question is in the panel', async () => {
    await workbench.runCommand('Parley: Connect an Agent…');
    await workbench.quickInput.pick('Other');
    await waitUntil('the window listens', async () => (await listWindows()).length === 1);
    const client = await connect(workbench.workspaceDir);
    const asked = ask(client, 'What is moss?');
    await confirm('What is moss?', asked);
    const answer = await asked;
    assert.ok(!answer.isError, getText(answer));
    assert.match(getText(answer), /What is moss\?/);
    const { conversationId } = answer.structuredContent as { conversationId: string };
    await workbench.runCommand('Parley: Open Conversation…');
    await workbench.quickInput.pick('What is moss?');
    const panel = await workbench.panel();
    await panel.getByRole('article', { name: 'Test Agent (agent)' }).waitFor();
    assert.ok(conversationId !== '');
  });

  it('is told once when the extension host is killed, and asks the next one without a reload of its own', async () => {
    const client = await connect(workbench.workspaceDir);
    const script = suite.service.script();
    const asked = ask(client, 'Before the end');
    await confirm('Before the end', asked);
    await script.opened;
    const [before] = await listWindows();
    await workbench.killExtensionHost();
    const told = await asked;
    assert.ok(told.isError);
    assert.match(getText(told), /window of VS Code was closed\. The question may have been sent/);
    // What the crashed window left is gone, and the new window is there, which nobody had to open Parley in.
    await waitUntilNextListens(before);
    const again = ask(client, 'After it');
    await confirm('After it', again);
    assert.match(getText(await again), /After it/);
    const questions = suite.service.requests
      .filter(({ path }) => path.endsWith('/messages/stream'))
      .map(({ body }) => (body as { content: string }).content);
    for (const question of ['Before the end', 'After it'])
      assert.equal(questions.filter((each) => each === question).length, 1, questions.join('\n'));
  });

  for (const [tool, args, request] of [
    ['list_bots', {}, 'GET /bots'],
    ['list_documents', {}, 'GET /documents'],
    ['upload_document', { path: 'moss.txt' }, 'POST /uploads/signed-url'],
    ['upload_document', { path: 'moss.txt' }, 'PUT object'],
    ['upload_document', { path: 'moss.txt' }, 'POST /documents/file'],
  ] as const) {
    it(`is told once when the extension host is killed in ${tool} at ${request}, and can call it again`, async () => {
      const { service } = suite;
      const client = await connect(workbench.workspaceDir);
      const [before] = await listWindows();
      // The server connects to the window with its first call.
      assert.ok(!(await call(client, 'list_documents', {})).isError);
      const documents = service.documents.size;
      // Of this window's own as well, which may come first.
      service.inject({ name: 'hang', on: request, times: Number.POSITIVE_INFINITY });
      const earlier = new Set(service.requests);
      const called = call(client, tool, args);
      const [method, place = ''] = request.split(' ');
      await service.waitForRequest(
        (each) =>
          !earlier.has(each) &&
          each.method === method &&
          (place === 'object' ? each.origin === 'storage' : each.path.includes(place)),
      );
      await workbench.killExtensionHost();
      const told = await called;
      assert.ok(told.isError);
      const expected = tool === 'upload_document' ? /may have been uploaded: look for it/ : /Try again\./;
      assert.match(getText(told), expected);
      service.clearFaults();
      // VS Code starts no more than two of them by itself.
      await workbench.reload();
      await waitUntilNextListens(before);
      assert.equal(service.documents.size, documents);
      const again = await call(client, tool, args);
      assert.ok(!again.isError, getText(again));
      assert.equal(service.documents.size, documents + (tool === 'upload_document' ? 1 : 0));
    });
  }

  it('is told to look when the extension host is killed after a document was registered, and can ask about it without a second one', async () => {
    const { service } = suite;
    const client = await connect(workbench.workspaceDir);
    const [before] = await listWindows();
    const { size } = service.documents;
    service.inject({ name: 'answer-held', on: 'POST /documents/file' });
    const called = call(client, 'upload_document', { path: 'lichen.txt' });
    await waitUntil('the document is registered', () => service.documents.size === size + 1);
    await workbench.killExtensionHost();
    const told = await called;
    assert.ok(told.isError);
    assert.match(getText(told), /may have been uploaded: look for it with list_documents/);
    await workbench.reload();
    await waitUntilNextListens(before);
    const listed = await call(client, 'list_documents');
    const { documents } = listed.structuredContent as { documents: { id: string; name: string }[] };
    const documentIds = documents.filter(({ name }) => name === 'lichen.txt').map(({ id }) => id);
    assert.equal(documentIds.length, 1, getText(listed));
    // It needs no second upload.
    const asked = call(client, 'ask_bot', { question: 'What is lichen?', documentIds });
    await confirm('What is lichen?', asked);
    const answer = await asked;
    assert.ok(!answer.isError, getText(answer));
    assert.equal(service.documents.size, size + 1);
  });

  it('is answered by the window whose workspace it works in', async () => {
    const other = await workbench.openWindow('second');
    await waitUntil('both windows listen', async () => (await listWindows()).length === 2);
    const client = await connect(workbench.workspaceDir);
    const asked = ask(client, 'Which window?');
    await confirm('Which window?', asked);
    assert.ok(!(await asked).isError);
    await other.page.close();
  });
});
