import { parseArgs } from 'node:util';

/** Questions that a server without VS Code sends unless told otherwise. */
const DEFAULT_MAX_MESSAGES = 20;

export interface ServerOptions {
  /** The folder with the windows' files, which the launcher names. */
  readonly windows?: string;
  /** The window that started this server. */
  readonly window?: string;
  readonly maxMessages: number;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

export const USAGE = `Usage: parley-mcp [--max-messages N]
       parley-mcp test --help
An MCP server for stdio, which asks the bots of a service.
  PARLEY_BASE_URL   the service's URL, including the version path, such as https://bots.example.com/api/v1
  PARLEY_API_KEY    the API key
  --max-messages N  the questions that it sends at most; ${DEFAULT_MAX_MESSAGES} by default`;

/** Reads the command line and the environment. Throws an Error with a sentence for the user. */
export function readServerOptions(args: readonly string[], env: NodeJS.ProcessEnv): ServerOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      windows: { type: 'string' },
      window: { type: 'string' },
      'max-messages': { type: 'string', default: String(DEFAULT_MAX_MESSAGES) },
    },
  });
  const { windows, window, 'max-messages': limit } = values;
  const maxMessages = Number(limit);
  if (!Number.isSafeInteger(maxMessages) || maxMessages < 0)
    throw new Error('--max-messages needs a whole number.');
  const { PARLEY_BASE_URL: baseUrl, PARLEY_API_KEY: apiKey } = env;
  if (windows === undefined && !(baseUrl && apiKey))
    throw new Error('Set PARLEY_BASE_URL and PARLEY_API_KEY.');
  return {
    ...(windows !== undefined && { windows }),
    ...(window !== undefined && { window }),
    ...(baseUrl && { baseUrl }),
    ...(apiKey && { apiKey }),
    maxMessages,
  };
}
