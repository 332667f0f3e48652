import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { AgentConnection } from '../../src/host/agents/agentConnection';
import type { LocalConnection, LocalSocket, PrivateFolder } from '../../src/host/platform/localAccess';
import { localAccess, openPrivateFolder } from '../../src/host/platform/nodeLocalAccess';
import { SOCKET_VERSION } from '../../src/shared/agents/agentRequests';
import { getWindowFileName, type WindowFile } from '../../src/shared/agents/windowFile';
import { waitUntil } from '../support/waitUntil';
import { buildServer, getText, startAgent, type TestAgent } from './support/mcpServer';

const TOKEN = 'a1'.repeat(32);
/** How far the window that is killed gets with a server. */
const STEPS = ['connection', 'hello', 'request'] as const;
/** Listens as a window does, says when it has reached the step, and does nothing more. */
const HANGING_WINDOW = `
  const [step, address, version] = process.argv.slice(1);
  const server = require('node:net').createServer((socket) => {
    if (step === 'connection') return console.log(step);
    socket.on('data', (data) => {
      if (step === 'hello' || String(data).includes('"request"')) console.log(step);
      else socket.write(JSON.stringify({ type: 'welcome', version: Number(version) }) + '\\n');
    });
  });
  server.listen(address, () => console.log('listening'));
`;

describe('The MCP server for windows of VS Code', () => {
  let folder: string;
  let windows: PrivateFolder;
  let agent: TestAgent;
  const ends: (() => unknown)[] = [];
  /** What the answering window was told of who asks. */
  const agents = new Set<string>();

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-windows-'));
    windows = await openPrivateFolder(path.join(folder, 'windows'));
    agent = await startAgent({ args: ['--windows', windows.path], cwd: folder });
  });
  afterEach(async () => {
    await agent.close();
    await Promise.all(ends.splice(0).map((end) => end()));
    await rm(folder, { recursive: true });
  });

  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await agent.client.callTool({ name, arguments: args })) as CallToolResult;
  const addWindow = (id: string, address: string, focusedAt: number) => {
    const file: WindowFile = { address, token: TOKEN, name: id, folders: [], focusedAt };
    return windows.writeFile(getWindowFileName(id), JSON.stringify(file));
  };
  /** Opens a window in a process of its own, which had the focus last. */
  const openHangingWindow = async (step: string) => {
    const pipe = `\\\\.\\pipe\\parley-test-${crypto.randomUUID()}`;
    const address = process.platform === 'win32' ? pipe : path.join(folder, 's');
    const child = spawn(process.execPath, ['-e', HANGING_WINDOW, step, address, String(SOCKET_VERSION)]);
    ends.push(() => child.kill('SIGKILL'));
    await waitForLine(child, 'listening');
    await addWindow('hanging', address, 2);
    return child;
  };
  /** Opens a window that answers, and notes what it is asked. */
  const openAnsweringWindow = async () => {
    const asked: string[] = [];
    const socket: LocalSocket = await localAccess.listen(
      (connection) =>
        new AgentConnection(
          connection,
          TOKEN,
          async (name, _, { agent: asking }) => {
            asked.push(name);
            agents.add(asking);
            return { conversations: [] };
          },
          (error) => assert.fail(String(error)),
        ),
    );
    ends.push(() => socket.close());
    await addWindow('answering', socket.address, 1);
    return asked;
  };

  it('has all its tools without a window, and lists nothing then, because an agent drops a server that fails to', async () => {
    const { tools } = await agent.client.listTools();
    assert.equal(tools.length, 6);
    assert.deepEqual((await agent.client.listPrompts()).prompts, []);
    const { resources } = await agent.client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['parley://documents'],
    );
    const refused = await call('list_bots');
    assert.match(getText(refused), /No window of VS Code with Parley is open.*Nothing was sent/);
    const asked = await openAnsweringWindow();
    await call('search_conversations', { query: '' });
    assert.deepEqual(asked, ['search_conversations']);
  });

  it('names its agent in one short line, however the agent calls itself [attack: agent]', async () => {
    await openAnsweringWindow();
    const name = `Agent\n\u202e${'x'.repeat(1000)}`;
    const other = await startAgent({ args: ['--windows', windows.path], cwd: folder, name });
    ends.push(() => other.close());
    agents.clear();
    const { isError } = await other.client.callTool({
      name: 'search_conversations',
      arguments: { query: '' },
    });
    assert.ok(!isError);
    const [told = ''] = agents;
    assert.match(told, /^Agent x+…?$/);
    assert.ok(told.length <= 61, told);
  });

  it('connects again to a window that closed the connection, and tells its agent of one that was updated', async () => {
    const connections: LocalConnection[] = [];
    const listen = (version: number) =>
      localAccess.listen((connection) => {
        connections.push(connection);
        connection.onText((text) => {
          const [first] = text.split('\n');
          const { type, id } = JSON.parse(first ?? '');
          const output = { conversations: [] };
          const answer = type === 'hello' ? { type: 'welcome', version } : { type: 'result', id, output };
          connection.send(`${JSON.stringify(answer)}\n`);
        });
      });
    const window = await listen(SOCKET_VERSION);
    ends.push(() => window.close());
    await addWindow('window', window.address, 1);
    const search = () => call('search_conversations', { query: '' });
    assert.ok(!(await search()).isError);
    assert.ok(!(await search()).isError);
    assert.equal(connections.length, 1);
    connections[0]?.close();
    await waitUntil('it can connect again', async () => {
      await search();
      return connections.length === 2;
    });
    assert.ok(!(await search()).isError);
    const updated = await listen(SOCKET_VERSION + 1);
    ends.push(() => updated.close());
    await addWindow('updated', updated.address, 2);
    const refused = await search();
    assert.match(getText(refused), /Parley was updated.*restart.*Nothing was sent/);
  });

  it('ends when its agent is gone, although its window is still there', async () => {
    await openAnsweringWindow();
    const child = spawn(process.execPath, [await buildServer(), '--windows', windows.path]);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const send = (id: number, method: string, params: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const answered = new Promise<void>((resolve) => {
      let text = '';
      child.stdout.on('data', (data: Buffer) => {
        text += data.toString();
        if (text.includes('"id":2')) resolve();
      });
    });
    const clientInfo = { name: 'a', version: '1' };
    send(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    send(2, 'tools/call', { name: 'search_conversations', arguments: { query: '' } });
    await answered;
    // What happens to the pipes of an agent that is killed.
    child.stdin.end();
    child.stdout.destroy();
    await exited;
  });

  const calls = [
    ['list_bots', {}, /Try again/],
    ['list_documents', {}, /Try again/],
    ['ask_bot', { question: 'Hi' }, /may have been sent and counted: look for its answer/],
    ['upload_document', { path: 'a.txt' }, /may have been uploaded: look for it/],
  ] as const;
  for (const step of STEPS) {
    for (const [tool, args, expected] of calls) {
      it(`tells its agent once that a window was killed at its ${step}, for ${tool}`, async () => {
        const window = await openHangingWindow(step);
        const reached = waitForLine(window, step);
        const called = call(tool, args);
        await reached;
        window.kill('SIGKILL');
        const told = await called;
        assert.ok(told.isError);
        const text = getText(told);
        if (step === 'request') assert.match(text, expected);
        else assert.match(text, /No window of VS Code with Parley is open.*Nothing was sent/);
      });
    }

    it(`asks the next window only if the one that was killed at its ${step} can’t have the request`, async () => {
      const window = await openHangingWindow(step);
      const asked = await openAnsweringWindow();
      const reached = waitForLine(window, step);
      const called = call('search_conversations', { query: '' });
      await reached;
      window.kill('SIGKILL');
      assert.equal((await called).isError === true, step === 'request');
      assert.deepEqual(asked, step === 'request' ? [] : ['search_conversations']);
    });
  }
});

async function waitForLine({ stdout }: ChildProcess, line: string): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    stdout?.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.split('\n').includes(line)) resolve();
    });
    stdout?.once('close', () => reject(new Error(`It ended before “${line}”: ${text}`)));
  });
}
