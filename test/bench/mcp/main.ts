/**
 * Measures the MCP server: how long it takes to start, what it adds to a question that is asked of the service directly, and
 * its memory with 10 MB of answers. With a window, the window's side is the socket alone, without VS Code.
 * Usage: npm run bench -- mcp [--questions N] [--json FILE]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ServiceClient } from '../../../src/client/serviceClient';
import { AgentConnection } from '../../../src/host/agents/agentConnection';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';
import { localAccess, openPrivateFolder } from '../../../src/host/platform/nodeLocalAccess';
import { getWindowFileName, type WindowFile } from '../../../src/shared/agents/windowFile';
import { startAgent, type TestAgent } from '../../mcp/support/mcpServer';
import { type LocalService, startLocalService } from '../../service/localService';
import { endProcess } from '../../support/processEnd';

interface Row {
  readonly what: string;
  readonly p50: number;
  readonly p95: number;
}

const STARTS = 10;
/** More than the agents ask. */
const LIMIT = ['--max-messages', '100000'];
const TOKEN = 'a1'.repeat(32);
/** 100 answers of 100 KB. */
const LARGE_ANSWERS = 100;
const LARGE_LENGTH = 100_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { questions: { type: 'string', default: '200' }, json: { type: 'string' } },
    allowPositionals: true,
  });
  const count = Number(values.questions);
  const service = await startLocalService();
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-bench-mcp-'));
  const env = { PARLEY_BASE_URL: service.baseUrl, PARLEY_API_KEY: service.key };
  const startAlone = () => startAgent({ args: LIMIT, env });
  const rows: Row[] = [];
  // The first start builds the server.
  await (await startAlone()).close();
  rows.push(
    await measure('the start of the server, to its list of tools (ms)', STARTS, async () => {
      const agent = await startAlone();
      await agent.client.listTools();
      return () => agent.close();
    }),
  );
  const agent = await startAlone();
  const client = createClient(service);
  const { id: conversationId } = await client.createConversation({ name: 'a', botId: 'echo' });
  rows.push(
    await measure('a question to the service (ms)', count, async () => {
      for await (const _ of client.streamReply({ conversationId, content: 'Hi' }, {}));
      // The server looks for the sources as well.
      await client.listMessages({ conversationId });
    }),
    await measure('the same question through the server, alone (ms)', count, () =>
      ask(agent, { question: 'Hi', bot: 'Echo' }),
    ),
  );
  await agent.close();
  const window = await openWindow(folder);
  const attached = await startAgent({ args: ['--windows', window.folder] });
  rows.push(
    await measure('what the server and the socket add, with a window (ms)', count, () =>
      ask(attached, { question: 'Hi' }),
    ),
  );
  const before = readMemory(attached.pid);
  for (let index = 0; index < LARGE_ANSWERS; index++) await ask(attached, { question: 'large' });
  const memory = { before, after: readMemory(attached.pid) };
  await attached.close();
  await window.close();
  await service.close();
  await rm(folder, { recursive: true });
  await endProcess();
  console.table(rows.map(({ what, p50, p95 }) => ({ what, p50: p50.toFixed(1), p95: p95.toFixed(1) })));
  console.log(`Memory: ${memory.before.toFixed(0)} MB, after 10 MB of answers ${memory.after.toFixed(0)} MB`);
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ name: 'mcp', rows, memory }, null, 2)}\n`);
}

/** Runs work several times, one after the other. What it returns is run without being measured. */
async function measure(
  what: string,
  count: number,
  work: () => Promise<undefined | (() => Promise<void>) | void>,
): Promise<Row> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const startedAt = performance.now();
    const end = await work();
    times.push(performance.now() - startedAt);
    await end?.();
  }
  times.sort((a, b) => a - b);
  const pick = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return { what, p50: pick(0.5), p95: pick(0.95) };
}

async function ask({ client }: TestAgent, args: Record<string, unknown>): Promise<void> {
  const result = await client.callTool({ name: 'ask_bot', arguments: args });
  if (result.isError) throw new Error(JSON.stringify(result.content));
}

function createClient({ baseUrl, key }: LocalService): ServiceClient {
  return new ServiceClient({ baseUrl, apiKey: async () => key, fetch: createNodeFetch() });
}

/** Listens as a window does, and answers at once. */
async function openWindow(parent: string): Promise<{ folder: string; close(): Promise<void> }> {
  const folder = await openPrivateFolder(path.join(parent, 'windows'));
  const socket = await localAccess.listen(
    (connection) =>
      new AgentConnection(
        connection,
        TOKEN,
        async (_, input) => ({
          answer: (input as { question: string }).question === 'large' ? 'a'.repeat(LARGE_LENGTH) : 'Hi',
          ending: 'complete',
          bot: { id: 'a', name: 'A' },
          conversationId: 'a',
          sources: [],
          cost: { messages: 1 },
        }),
        (error) => console.error(error),
      ),
  );
  const file: WindowFile = { address: socket.address, token: TOKEN, name: 'a', folders: [] };
  await folder.writeFile(getWindowFileName('a'), JSON.stringify(file));
  return { folder: folder.path, close: () => socket.close() };
}

/** Returns the resident memory of a process in MB; NaN where there is no /proc. */
function readMemory(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}

main().catch((error: Error) => {
  console.error(error);
  process.exitCode = 1;
});
