/**
 * Measures in a real VS Code how long a chunk takes from the local service to the paint in the panel,
 * compared with a bare echo in the same window, and how a long reply affects typing. Usage: npm run bench --
 * stream [--seconds N] [--rounds N] [--rates 20,200,2000] [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { type LocalService, startLocalService } from '../../service/localService';
import { sendEvenly } from './chunks';
import { takePaints, watchPaints } from './paints';
import { measureTyping, type Typing } from './typing';
import { type BenchWindow, openWindow } from './window';

/** In ms, by chunk. */
type Latencies = readonly number[];

/**
 * The delays of a round, or their medians over all rounds, which reduces the influence of other processes.
 */
interface Delay {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** The median of the last tenth minus that of the first, in ms: it grows if chunks pile up. */
  readonly backlog: number;
}

interface Result {
  readonly rate: number;
  readonly ours: Delay;
  readonly echo: Delay;
}

/** The goal for Parley's p95 above the echo's. */
const FRAME_MS = 1000 / 60;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '5' },
      rates: { type: 'string', default: '20,200,2000' },
      json: { type: 'string' },
    },
    allowPositionals: true,
  });
  const rates = values.rates.split(',').map(Number);
  const service = await startLocalService();
  const echo = await startEchoSource();
  const window = await openWindow(service.baseUrl, echo.url);
  try {
    await window.person.setUp(service, 'Echo');
    const send = await echo.connected;
    // The first replies run cold code.
    await measureOurs(window, service, 400, 200);
    await measureEcho(window, send, 400, 200);
    const chunkToPixel: Result[] = [];
    for (const rate of rates) {
      const ours: Delay[] = [];
      const bare: Delay[] = [];
      for (let round = 0; round < Number(values.rounds); round++) {
        const count = rate * Number(values.seconds);
        ours.push(getDelay(await measureOurs(window, service, count, rate)));
        bare.push(getDelay(await measureEcho(window, send, count, rate)));
      }
      chunkToPixel.push({ rate, ours: getMedians(ours), echo: getMedians(bare) });
      console.error(`${rate} chunks/s are measured`);
    }
    const typing = await measureTyping(window, service);
    print(chunkToPixel, typing);
    if (values.json) writeFileSync(values.json, `${JSON.stringify({ chunkToPixel, typing }, null, 2)}\n`);
  } finally {
    await window.close();
    await service.close();
    echo.close();
  }
}

async function measureOurs(
  { person, panel }: BenchWindow,
  service: LocalService,
  count: number,
  rate: number,
): Promise<Latencies> {
  await person.newConversation();
  const script = service.script();
  await person.say('go on');
  await script.opened;
  const frame = await panel();
  const body = '.reply[aria-busy=true] .markdown';
  await frame.locator(body).waitFor({ state: 'attached' });
  await watchPaints(frame, body);
  const sent = await sendEvenly(count, rate, (text) => script.chunk(text));
  const paints = await takePaints(frame, count);
  script.end();
  await person.reply('Echo');
  return sent.map((at, n) => (paints[n] ?? Number.NaN) - at);
}

async function measureEcho(
  { echo }: BenchWindow,
  send: (text: string) => void,
  count: number,
  rate: number,
): Promise<Latencies> {
  await echo.evaluate(() => document.getElementById('echo')?.replaceChildren());
  await watchPaints(echo, '#echo');
  const sent = await sendEvenly(count, rate, (text) => send(`${text}\0`));
  const paints = await takePaints(echo, count);
  return sent.map((at, n) => (paints[n] ?? Number.NaN) - at);
}

/** Starts the echo's service: a single stream, which its host reads from the start. */
async function startEchoSource() {
  let connect: (send: (text: string) => void) => void;
  const connected = new Promise<(text: string) => void>((resolve) => {
    connect = resolve;
  });
  const server = createServer((_, res: ServerResponse) => {
    res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
    res.flushHeaders();
    connect((text) => res.write(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, connected, close };
}

function getDelay(run: Latencies): Delay {
  const tenth = Math.ceil(run.length / 10);
  return {
    p50: getQuantile(run, 0.5),
    p95: getQuantile(run, 0.95),
    p99: getQuantile(run, 0.99),
    backlog: getQuantile(run.slice(-tenth), 0.5) - getQuantile(run.slice(0, tenth), 0.5),
  };
}

function getMedians(rounds: readonly Delay[]): Delay {
  const median = (key: keyof Delay) =>
    getQuantile(
      rounds.map((round) => round[key]),
      0.5,
    );
  return { p50: median('p50'), p95: median('p95'), p99: median('p99'), backlog: median('backlog') };
}

function getQuantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

function print(results: readonly Result[], typing: Typing): void {
  console.log(
    `Chunk to pixel (ms). Goals: p95 at most ${formatMs(FRAME_MS)} over the echo at 200/s; no backlog at 2000/s`,
  );
  const all = ({ p50, p95, p99 }: Delay) => [p50, p95, p99].map(formatMs).join(' / ');
  console.table(
    results.map(({ rate, ours, echo }) => ({
      'chunks/s': rate,
      'Parley p50 / p95 / p99': all(ours),
      'echo p50 / p95 / p99': all(echo),
      'p95 over the echo': formatMs(ours.p95 - echo.p95),
      'backlog, Parley': formatMs(ours.backlog),
      'backlog, echo': formatMs(echo.backlog),
    })),
  );
  console.log('100 KB stream in 5.6 s while a person types. Goals: no key lost; no frame over 50 ms');
  console.table([
    {
      keys: typing.keys,
      lost: typing.lostKeys,
      frames: typing.frames,
      'longest frame': `${formatMs(typing.longestFrame)} ms`,
      'over 50 ms': typing.framesOver50,
      'slowest key to paint': typing.longestKey === undefined ? 'under 16 ms' : `${typing.longestKey} ms`,
    },
  ]);
}

function formatMs(ms: number): string {
  return ms.toFixed(1);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
