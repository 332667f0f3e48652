import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MCP_PACKAGE, packMcpServer } from '../../scripts/mcpPackage';
import { runNpm } from '../../scripts/run.mjs';
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

  it('is installed without a dependency and without a registry, and starts by its name', async function () {
    this.timeout(120_000);
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

  it('ends when its agent is gone, in the middle of a reply as well, and closes the stream', async () => {
    const env = { PARLEY_BASE_URL: service.baseUrl, PARLEY_API_KEY: service.key };
    for (const step of ['start', 'handshake', 'reply'] as const) {
      const { child, exited } = await start([], env);
      const script = step === 'reply' ? service.script() : undefined;
      const clientInfo = { name: 'a', version: '1' };
      if (step !== 'start') {
        child.stdin.write(
          send(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
        );
        await new Promise((resolve) => child.stdout.once('data', resolve));
      }
      if (script) {
        child.stdin.write(send(2, 'tools/call', { name: 'ask_bot', arguments: { question: 'Hi' } }));
        await script.opened;
      }
      // What happens to the pipes of an agent that is killed.
      child.stdin.end();
      child.stdout.destroy();
      await exited;
      await script?.closed;
    }
    assert.equal(service.requests.filter(({ path }) => path.endsWith('/messages/stream')).length, 1);
  });

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
