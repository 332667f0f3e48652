import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createNodeFetch } from '../../host/platform/nodeFetch';
import { AloneBackend } from '../alone/aloneBackend';
import { AttachedBackend } from '../attached/attachedBackend';
import type { Backend } from '../backend';
import { runTestCommand } from '../botTests/testCommand';
import { readTestOptions, TEST_USAGE } from '../botTests/testOptions';
import { createMcpServer } from '../createMcpServer';
import { readServerOptions, type ServerOptions, USAGE } from '../serverOptions';

declare const PARLEY_VERSION: string;

/** Standard output is the protocol: everything else goes to standard error. */
function main(): void {
  let backend: Backend;
  try {
    if (process.argv.includes('--help')) throw new Error(USAGE);
    const options = readServerOptions(process.argv.slice(2), process.env);
    backend = createBackend(options);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
    return;
  }
  // The key isn't needed by anything that this process could start.
  delete process.env.PARLEY_API_KEY;
  serveStdio(() => createMcpServer(backend, PARLEY_VERSION), {
    onerror: (error) => process.stderr.write(`${error.message}\n`),
  });
  // The client is gone: nothing that is under way has anyone to answer.
  process.stdin.once('close', () => void backend.close().finally(() => process.exit()));
}

/** `parley-mcp test`: runs bot tests instead of a server, and ends with its exit code. */
async function mainOfTests(args: readonly string[]): Promise<void> {
  const stop = new AbortController();
  // Once: a second signal ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    if (args.includes('--help')) throw new Error(TEST_USAGE);
    const options = readTestOptions(args, process.env);
    delete process.env.PARLEY_API_KEY;
    process.exitCode = await runTestCommand(options, {
      fetch: createNodeFetch(),
      folder: process.cwd(),
      signal: stop.signal,
      print: (line) => process.stdout.write(`${line}\n`),
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 2;
  }
}

function createBackend(options: ServerOptions): Backend {
  const { baseUrl, apiKey, maxMessages, windows, window } = options;
  const folder = process.cwd();
  const alone =
    baseUrl && apiKey
      ? new AloneBackend({ baseUrl, apiKey, maxMessages, fetch: createNodeFetch(), folder })
      : undefined;
  if (windows !== undefined) {
    return new AttachedBackend({ windows, ...(window !== undefined && { window }), ...(alone && { alone }) });
  }
  // `readServerOptions` has refused.
  if (!alone) throw new Error(USAGE);
  return alone;
}

if (process.argv[2] === 'test') void mainOfTests(process.argv.slice(3));
else main();
