import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as esbuild from 'esbuild';
import { createShippedBundles } from '../../../scripts/bundles';
import { atProcessEnd } from '../../support/processEnd';

let built: Promise<string> | undefined;

/** Builds the server as it ships, once for this process; resolves to its path. */
export function buildServer(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-mcp-'));
  atProcessEnd(async () => rmSync(folder, { recursive: true }));
  const { mcp } = createShippedBundles(true);
  await esbuild.build({ ...mcp, outdir: folder, logLevel: 'error' });
  return path.join(folder, 'server.js');
}

/** The two kinds of the protocol, which the server speaks both: with a handshake, and since 2026-07-28 without. */
export const ERAS = ['legacy', { pin: '2026-07-28' }] as const;

export interface AgentOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly name?: string;
  readonly client?: ClientOptions;
}

/** An agent with a server of its own. */
export interface TestAgent {
  readonly client: Client;
  readonly pid: number;
  /** What the server wrote to standard error. */
  readonly errors: () => string;
  close(): Promise<void>;
}

/** Starts the server with the official SDK's client, which checks every result against the schema of its tool. */
export async function startAgent(options: AgentOptions): Promise<TestAgent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await buildServer(), ...(options.args ?? [])],
    env: { PATH: process.env.PATH ?? '', ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr?.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  const client = new Client({ name: options.name ?? 'Test Agent', version: '1' }, options.client);
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0, errors: () => errors, close: () => client.close() };
}

/** Returns the text of a tool's result. */
export function getText(result: { readonly content: readonly { readonly type: string }[] }): string {
  return result.content.map((part) => ('text' in part ? part.text : '')).join('\n');
}
