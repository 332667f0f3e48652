import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { ensureFolderInstalled } from '../../scripts/installFolder';
import { AgentConnection } from '../../src/host/agents/agentConnection';
import type { LocalSocket } from '../../src/host/platform/localAccess';
import { localAccess, openPrivateFolder } from '../../src/host/platform/nodeLocalAccess';
import { AloneBackend } from '../../src/mcp/alone/aloneBackend';
import { AttachedBackend } from '../../src/mcp/attached/attachedBackend';
import type { Backend } from '../../src/mcp/backend';
import { createMcpServer } from '../../src/mcp/createMcpServer';
import { getWindowFileName, type WindowFile } from '../../src/shared/agents/windowFile';
import { type LocalService, startLocalService } from '../service/localService';
import { skipSuite } from '../support/skip';
import { installBrowserVSCode } from '../vscode/browserInstall';
import { repositoryRoot } from '../vscode/cacheDir';
import { buildServer } from './support/mcpServer';

const run = promisify(execFile);
const peers = path.join(repositoryRoot, 'test/mcp/peers');
const getScript = (place: string) => path.join(peers, 'node_modules/@modelcontextprotocol', place);
const TOKEN = 'a1'.repeat(32);
const TOOLS = [
  'ask_bot',
  'list_bots',
  'list_documents',
  'read_conversation',
  'search_conversations',
  'upload_document',
];
/** The scenarios for any server; the others call tools of their own. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list'];

describe('The MCP server for the official', () => {
  let service: LocalService;
  let folder: string;
  /** Both need 22.19 or later. */
  let node: string;

  before(async function () {
    try {
      node = isNewNode() ? process.execPath : (await installBrowserVSCode()).node;
      await ensureFolderInstalled(peers, 'the conformance suite and the inspector of MCP');
    } catch (error) {
      skipSuite(this, `The conformance suite and the inspector can't be installed: ${error}`);
    }
    service = await startLocalService();
    folder = await mkdtemp(path.join(tmpdir(), 'parley-peers-'));
  });
  after(async () => {
    await service?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  const inspect = async (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    method: string[],
  ) => {
    const script = getScript('inspector/clients/launcher/build/index.js');
    const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const server = [process.execPath, await buildServer(), ...args];
    const command = [script, '--cli', ...variables, '--method', ...method, '--', ...server];
    const { stdout } = await run(node, command, {
      // Its own list of servers is in the home folder.
      env: { PATH: process.env.PATH, HOME: folder },
    });
    return JSON.parse(stdout);
  };

  describe('inspector', () => {
    it('without VS Code', async () => {
      const env = { PARLEY_BASE_URL: service.baseUrl, PARLEY_API_KEY: service.key };
      const { tools } = await inspect([], env, ['tools/list']);
      assert.deepEqual(tools.map(({ name }: { name: string }) => name).sort(), TOOLS);
      const call = ['tools/call', '--tool-name', 'ask_bot', '--tool-arg', 'question=Hi', 'bot=Echo'];
      const { structuredContent } = await inspect([], env, call);
      assert.match(structuredContent.answer, /Hi/);
    });

    it('with a window', async () => {
      const { args, socket } = await openWindow(folder, 'inspected');
      try {
        const { tools } = await inspect(args, {}, ['tools/list']);
        assert.deepEqual(tools.map(({ name }: { name: string }) => name).sort(), TOOLS);
        const call = ['tools/call', '--tool-name', 'search_conversations', '--tool-arg', 'query=a'];
        const { structuredContent } = await inspect(args, {}, call);
        assert.deepEqual(structuredContent.conversations, [{ id: 'a', name: 'A' }]);
      } finally {
        await socket.close();
      }
    });
  });

  for (const how of ['without VS Code', 'with a window'] as const) {
    describe(`conformance suite, ${how}`, () => {
      let server: Server;
      let socket: LocalSocket | undefined;
      before(async () => {
        const window = how === 'with a window' ? await openWindow(folder, 'conforming') : undefined;
        socket = window?.socket;
        const { baseUrl, key } = service;
        server = await serveOverHttp(
          window
            ? new AttachedBackend({ windows: window.windows })
            : new AloneBackend({ baseUrl, apiKey: key, fetch, maxMessages: 20, folder }),
        );
      });
      after(async () => {
        await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
        await socket?.close();
      });

      for (const scenario of SCENARIOS) {
        it(scenario, async () => {
          const { port } = server.address() as AddressInfo;
          const url = `http://127.0.0.1:${port}/mcp`;
          const script = getScript('conformance/dist/index.js');
          const args = [script, 'server', '--url', url, '--scenario', scenario];
          const cwd = await mkdtemp(path.join(folder, 'run-'));
          // Its exit code tells whether a check failed.
          await run(node, [...args, '--output-dir', cwd], { cwd });
          const results = (await readdir(cwd, { recursive: true })).filter((name) =>
            name.endsWith('checks.json'),
          );
          assert.equal(results.length, 1);
          const checks = JSON.parse(await readFile(path.join(cwd, results[0] ?? ''), 'utf8'));
          assert.ok(checks.some(({ status }: { status: string }) => status === 'SUCCESS'));
        });
      }
    });
  }
});

/** Listens as a window with one conversation does. */
async function openWindow(folder: string, name: string) {
  const windows = await openPrivateFolder(path.join(folder, name));
  const answers: Readonly<Record<string, object>> = {
    describe_bots: { bots: [] },
    list_prompts: { prompts: [] },
    search_conversations: { conversations: [{ id: 'a', name: 'A' }] },
    list_documents: { documents: [] },
  };
  const socket: LocalSocket = await localAccess.listen(
    (connection) =>
      new AgentConnection(
        connection,
        TOKEN,
        async (asked) => (answers[asked] ?? assert.fail(asked)) as never,
        (error) => assert.fail(String(error)),
      ),
  );
  const file: WindowFile = { address: socket.address, token: TOKEN, name: 'a', folders: [] };
  await windows.writeFile(getWindowFileName('a'), JSON.stringify(file));
  return { windows: windows.path, args: ['--windows', windows.path], socket };
}

function isNewNode(): boolean {
  return Number(process.versions.node.split('.')[0]) > 22;
}

/** Serves the same server over HTTP, which is all that the suite speaks. */
async function serveOverHttp(backend: Backend): Promise<Server> {
  const handler = createMcpHandler(() => createMcpServer(backend, '1'));
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(incoming.headersDistinct))
      headers.set(name, values.join());
    const response = await handler.fetch(
      new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) for await (const chunk of response.body) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
