import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Bot } from './bots/bot';
import { demoBots } from './demo/demoBots';
import { createModelBot } from './demo/openAi';
import { type LocalServiceOptions, type ServiceAddress, startLocalService } from './localService';
import { type ProfileName, profiles } from './profiles';
import { parseRecording } from './replay/recording';
import { type ReplayOptions, startReplay } from './replay/startReplay';

type StartedService = ServiceAddress & { close(): Promise<void> };
type Start = (ports: Pick<LocalServiceOptions, 'ports'>) => Promise<StartedService>;

const DEFAULT_PORT = 4180;

const limits = { requests: 1000, requestBytes: 10_000_000, objectBytes: 500_000_000 };
/** Long enough to see a document being converted and to ask too early. */
const CONVERSION_MS = 5000;

/**
 * Runs the local service until Ctrl+C: `npm run service -- [options]`, described in README.md in this folder.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      key: { type: 'string' },
      profile: { type: 'string', default: 'hosted' },
      replay: { type: 'string' },
      pace: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (!isProfileName(values.profile)) {
    throw new Error(`--profile takes ${Object.keys(profiles).join(', ')}, not “${values.profile}”.`);
  }
  const port = values.port === undefined ? DEFAULT_PORT : Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_533) {
    throw new Error(`--port takes a number from 0 to 65533, not “${values.port}”.`);
  }
  const chosenKey = values.key === undefined ? {} : { key: values.key };
  const service = await startOnPort(
    port,
    values.replay === undefined
      ? prepareService({ profile: values.profile, ...chosenKey })
      : await prepareReplay(values.replay, { paced: values.pace, ...chosenKey }),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void service.close());
  }
  const { baseUrl, key, bots } = service;
  const address: ServiceAddress = { baseUrl, key, bots };
  console.log(values.json ? JSON.stringify(address) : formatBanner(address));
}

function prepareService(options: LocalServiceOptions & { readonly profile: ProfileName }): Start {
  const demo: LocalServiceOptions = {
    ...{ pace: 'human', bots: [...demoBots, ...createModelBots()], limits },
    ...(!profiles[options.profile].readsUnconverted && { conversionMs: CONVERSION_MS }),
  };
  return (ports) => startLocalService({ ...demo, ...options, ...ports });
}

/** Reads a recording. Throws an error that names the file if it isn't one. */
async function prepareReplay(file: string, options: ReplayOptions): Promise<Start> {
  try {
    const recording = parseRecording(await readFile(file, 'utf8'));
    return (ports) => startReplay(recording, { ...options, ...ports });
  } catch (error) {
    throw new Error(`${file} can’t be replayed. ${error instanceof Error ? error.message : error}`);
  }
}

function isProfileName(name: string): name is ProfileName {
  return name in profiles;
}

/** Starts on `port` and the two following ports, or on free ones if those are in use. */
async function startOnPort(port: number, start: Start): Promise<StartedService> {
  if (port === 0) return start({});
  try {
    return await start({ ports: { api: port, stream: port + 1, storage: port + 2 } });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return start({});
  }
}

/** Returns the bot Model if the environment names an OpenAI-compatible server. */
function createModelBots(): readonly Bot[] {
  const { PARLEY_OPENAI_URL: url, PARLEY_OPENAI_KEY: key, PARLEY_OPENAI_MODEL: model } = process.env;
  return url ? [createModelBot({ url, ...(key && { key }), ...(model && { model }) })] : [];
}

function formatBanner({ baseUrl, key, bots }: ServiceAddress): string {
  return [
    "Parley's local service",
    `  Service URL  ${baseUrl}`,
    `  API key      ${key}`,
    `  Bots         ${bots.map(({ id, name }) => `${id} (${name})`).join(', ')}`,
    'Ctrl+C stops it.',
  ].join('\n');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
