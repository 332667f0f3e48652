import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MCP_PACKAGE, packMcpServer } from '../../scripts/mcpPackage';
import { runNpm } from '../../scripts/run.mjs';
import type { Operation } from '../service/api/operations';
import type { RecordedRequest } from '../service/http/recorder';
import { type LocalService, startLocalService } from '../service/localService';
import { repositoryRoot } from '../vscode/cacheDir';
import { buildServer } from './support/mcpServer';

describe('The npm package of the MCP server', () => {
  let folder: string;
  let service: LocalService;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-npm-'));
    service = await startLocalService();
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  it('is installed without a dependency and without a registry, and starts by its name', async () => {
    const file = path.join(folder, 'package.tgz');
    await packMcpServer(repositoryRoot, file);
    assert.ok((await stat(file)).size < 250_000, `${(await stat(file)).size} bytes`);
    await runNpm(['install', '--offline', '--no-audit', '--no-fund', file], { cwd: folder });
    const installed = path.join(folder, 'node_modules', MCP_PACKAGE);
    const about = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'));
    assert.deepEqual([about.name, about.dependencies], [MCP_PACKAGE, undefined]);
    const notices = await readFile(path.join(installed, 'ThirdPartyNotices.txt'), 'utf8');
    for (const name of ['@modelcontextprotocol/server', 'zod', 'valibot', 'mime'])
      assert.ok(notices.includes(name), name);
    assert.ok(!notices.includes('preact'));
    const windows = process.platform === 'win32';
    const client = new Client({ name: 'a', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: path.join(folder, 'node_modules', '.bin', `${MCP_PACKAGE}${windows ? '.cmd' : ''}`),
        env: {
          PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
          PARLEY_BASE_URL: service.baseUrl,
          PARLEY_API_KEY: service.key,
        },
        stderr: 'ignore',
      }),
    );
    const { structuredContent } = await client.callTool({ name: 'ask_bot', arguments: { question: 'Hi' } });
    assert.match(JSON.stringify(structuredContent), /Hi/);
    await client.close();
  });
});

describe('The process of the MCP server', () => {
  let service: LocalService;
  beforeEach(async () => {
    service = await startLocalService();
  });
  afterEach(() => service.close());

  const send = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const start = async (args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, [await buildServer(), ...args], { env });
    const output = { errors: '', text: '' };
    child.stderr.on('data', (data: Buffer) => {
      output.errors += data.toString();
    });
    child.stdout.on('data', (data: Buffer) => {
      output.text += data.toString();
    });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { child, output, exited };
  };

  const handshake = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  };
  for (const [step, tool, on] of [
    ['at its start'],
    ['after the handshake'],
    ['in list_bots', 'list_bots', 'GET /bots'],
    ['in list_documents', 'list_documents', 'GET /documents'],
    ['in ask_bot, at the conversation', 'ask_bot', 'POST /conversations'],
    ['in ask_bot, at the message', 'ask_bot', 'POST /messages/stream'],
    ['in ask_bot, in the reply', 'ask_bot', 'GET stream'],
    ['in upload_document, at the conversation', 'upload_document', 'POST /conversations'],
    ['in upload_document, at the URL', 'upload_document', 'POST /uploads/signed-url'],
    ['in upload_document, at the file', 'upload_document', 'PUT object'],
    ['in upload_document, at the registration', 'upload_document', 'POST /documents/file'],
  ] as const satisfies readonly (readonly [string, string?, Operation?])[]) {
    it(`ends when its agent is gone ${step}, and sends nothing more`, async () => {
      const env = { PARLEY_BASE_URL: service.baseUrl, PARLEY_API_KEY: service.key };
      const { child, exited } = await start([], env);
      if (step !== 'at its start') {
        child.stdin.write(send(1, 'initialize', handshake));
        await new Promise((resolve) => child.stdout.once('data', resolve));
      }
      let request: RecordedRequest | undefined;
      if (on) {
        service.inject({ name: 'hang', on });
        const [method, place = ''] = on.split(' ');
        const args = { ask_bot: { question: 'Hi' }, upload_document: { path: 'package.json' } }[String(tool)];
        child.stdin.write(send(2, 'tools/call', { name: tool, arguments: args ?? {} }));
        request = await service.waitForRequest(
          (each) =>
            each.method === method &&
            (place.startsWith('/') ? each.path.includes(place) : each.origin !== 'api'),
        );
      }
      const { length } = service.requests;
      // What happens to the pipes of an agent that is killed.
      child.stdin.end();
      child.stdout.destroy();
      await exited;
      if (request) await service.waitForRequest((each) => each === request && each.closed);
      assert.equal(service.requests.length, length);
      assert.equal(service.documents.size, 0);
    });
  }

  it('says what it needs on standard error, and nothing on standard output', async () => {
    const cases = [
      [[], /Set PARLEY_BASE_URL and PARLEY_API_KEY/],
      [['--help'], /Usage: parley-mcp/],
      [['--max-messages', 'x'], /whole number/],
      [['--unknown'], /--unknown/],
    ] as const;
    for (const [args, expected] of cases) {
      const { output, exited } = await start(args);
      assert.equal(await exited, 1);
      assert.match(output.errors, expected);
      assert.equal(output.text, '');
    }
  });
});
