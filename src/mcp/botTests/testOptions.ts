import { parseArgs } from 'node:util';
import { BOT_TEST_EXTENSION } from '../../chat/botTests/botTest';

/** Messages that a run sends unless told otherwise. */
const DEFAULT_MAX_MESSAGES = 20;

export interface TestOptions {
  readonly globs: readonly string[];
  readonly junit?: string;
  readonly maxMessages: number;
  readonly baseUrl: string;
  readonly apiKey: string;
}

export const TEST_USAGE = `Usage: parley-mcp test [GLOB...] [--junit FILE] [--max-messages N]
Runs bot tests (*${BOT_TEST_EXTENSION}) and exits with 0 if all passed, 1 if not, and 2 if nothing was sent.
  GLOB              files or globs, such as "docs/**/*${BOT_TEST_EXTENSION}"; by default all below this folder
  PARLEY_BASE_URL   the service's URL, including the version path, such as https://bots.example.com/api/v1
  PARLEY_API_KEY    the API key
  --junit FILE      also writes the results as JUnit XML
  --max-messages N  refuses to start if more messages could be sent; ${DEFAULT_MAX_MESSAGES} by default`;

/** Reads the command line after `test`, and the environment. Throws an Error with a sentence for the user. */
export function readTestOptions(args: readonly string[], env: NodeJS.ProcessEnv): TestOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      junit: { type: 'string' },
      'max-messages': { type: 'string', default: String(DEFAULT_MAX_MESSAGES) },
    },
  });
  const { junit, 'max-messages': limit } = values;
  const maxMessages = /^\d+$/.test(limit) ? Number(limit) : Number.NaN;
  if (!Number.isSafeInteger(maxMessages)) throw new Error('--max-messages needs a whole number.');
  const { PARLEY_BASE_URL: baseUrl, PARLEY_API_KEY: apiKey } = env;
  if (!baseUrl || !apiKey) throw new Error('Set PARLEY_BASE_URL and PARLEY_API_KEY.');
  const globs = positionals.length > 0 ? positionals : [`**/*${BOT_TEST_EXTENSION}`];
  return { globs, maxMessages, baseUrl, apiKey, ...(junit !== undefined && { junit }) };
}
