import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { waitUntil } from '../support/waitUntil';
import { describeInWorkbench } from './support/describeInWorkbench';

describeInWorkbench('An agent of another program', { bot: 'Echo', isolated: true }, (suite) => {
  const { workbench } = suite;
  const clients: Client[] = [];
  const getFolder = () =>
    path.join(workbench.userDataDir, 'User', 'globalStorage', 'parley.parley', 'agents');
  const listWindows = () => readdir(path.join(getFolder(), 'windows'));

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
  const ask = (client: Client, question: string) =>
    client.callTool({ name: 'ask_bot', arguments: { question } }) as Promise<CallToolResult>;
  const getText = ({ content }: CallToolResult) =>
    content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  /** Presses the button of the question that Parley asks. */
  const confirm = async (question: string) => {
    assert.ok((await workbench.dialog.text()).includes(question));
    await workbench.dialog.press('Send Question');
  };

  it('asks through the launcher once it is connected, when the user agrees, and its question is in the panel', async () => {
    await workbench.runCommand('Parley: Connect an Agent…');
    await workbench.quickInput.pick('Other');
    await waitUntil('the window listens', async () => (await listWindows().catch(() => [])).length === 1);
    const client = await connect(workbench.workspaceDir);
    const asked = ask(client, 'What is moss?');
    await confirm('What is moss?');
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
    await confirm('Before the end');
    await script.opened;
    const [before] = await listWindows();
    await workbench.killExtensionHost();
    const told = await asked;
    assert.ok(told.isError);
    assert.match(getText(told), /window of VS Code was closed\. The question may have been sent/);
    // What the crashed window left is gone, and the new window is there, which nobody had to open Parley in.
    await waitUntil('the next window listens', async () => {
      const windows = await listWindows();
      return windows.length === 1 && windows[0] !== before;
    });
    const again = ask(client, 'After it');
    await confirm('After it');
    assert.match(getText(await again), /After it/);
    const questions = suite.service.requests
      .filter(({ path }) => path.endsWith('/messages/stream'))
      .map(({ body }) => (body as { content: string }).content);
    for (const question of ['Before the end', 'After it'])
      assert.equal(questions.filter((each) => each === question).length, 1, questions.join('\n'));
  });

  it('is answered by the window whose workspace it works in', async () => {
    const other = await workbench.openWindow('second');
    await waitUntil('both windows listen', async () => (await listWindows()).length === 2);
    const client = await connect(workbench.workspaceDir);
    const asked = ask(client, 'Which window?');
    await confirm('Which window?');
    assert.ok(!(await asked).isError);
    await other.page.close();
  });
});
