/**
 * Fifty conversations that stream at once for two minutes, 200 chunks a second each, with the service in another process; then
 * a thousand that come and go. Counts what is lost, and what is left of memory, timers and sockets.
 * Usage: npm run bench -- soak [--seconds N] [--conversations N] [--json FILE]
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { type ProcessGroup, spawnGroup } from '../../vscode/processGroup';
import type { ServiceReport, ToServer } from './server';
import { openWindow, type SoakWindow } from './window';

const STREAMS = 50;
/** ms from one chunk of a conversation to its next: 200 a second. */
const GAP = 5;
/** ms; a share of the memory before; things left open; KiB, of which code that is compiled anew takes half. */
const LIMITS = { delay: 50, memory: 0.1, left: 0, gone: 4 };
/** Of the thousand, so many at a time. */
const AT_ONCE = 20;
/** ms between two timers of the histogram, which are part of what it counts. */
const RESOLUTION = 5;
const MIB = 1024 * 1024;
/** A thread that does nothing: its p99 is what the machine itself adds. */
const IDLE = `
  const { parentPort } = require('node:worker_threads');
  const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: ${RESOLUTION} });
  delay.enable();
  parentPort.once('message', () => parentPort.postMessage(delay.percentile(99)));
`;

interface Row {
  readonly what: string;
  readonly ours: number;
  readonly limit: number;
  readonly unit: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '120' },
      conversations: { type: 'string', default: '1000' },
      json: { type: 'string' },
    },
    allowPositionals: true,
  });
  const warnings: string[] = [];
  process.on('warning', ({ message }) => warnings.push(message));
  const server = startServer();
  try {
    // Once small: what is compiled and made once is no growth.
    await stream(server, 2, 50);
    await comeAndGo(server, 10 * AT_ONCE);
    const rows = await stream(server, Number(values.seconds), STREAMS);
    rows.push(...(await comeAndGo(server, Number(values.conversations))));
    rows.push({ what: 'warnings of Node', ours: warnings.length, limit: 0, unit: '' });
    for (const warning of warnings) console.log(warning);
    report(rows, Number(values.seconds), values.json);
  } finally {
    server.lines.close();
    await server.group.stop();
  }
}

/** Streams into so many conversations at once; a window is opened for them, and closed. */
async function stream(server: Server, seconds: number, streams: number): Promise<Row[]> {
  const before = await memory();
  const rows = await streamInWindow(server, Math.round((seconds * 1000) / GAP), streams);
  // Here, where nothing holds the window any more.
  const after = await memory();
  return [
    ...rows,
    { what: 'memory before', ours: before / MIB, limit: Number.NaN, unit: 'MiB' },
    { what: 'memory after', ours: after / MIB, limit: (before * (1 + LIMITS.memory)) / MIB, unit: 'MiB' },
  ];
}

async function streamInWindow(server: Server, chunks: number, streams: number): Promise<Row[]> {
  const window = await openWindow(await server.address);
  await ask(server, { do: 'script', replies: streams, chunks, gapMs: GAP });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  const idle = new Worker(IDLE, { eval: true });
  const cpu = process.cpuUsage();
  const started = performance.now();
  delay.enable();
  const busy = watchProcessor();
  const ids = await Promise.all(Array.from({ length: streams }, () => window.talk()));
  delay.disable();
  const busiest = busy();
  idle.postMessage('');
  const [noise] = (await once(idle, 'message')) as [number];
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const wrong = await differences(server, window, ids, chunks);
  const open = await memory();
  const failed = window.errors.length;
  await window.close();
  return [
    { what: `replies of ${streams} lost or mixed up`, ours: wrong, limit: 0, unit: '' },
    { what: 'errors in the background', ours: failed, limit: 0, unit: '' },
    { what: 'event-loop delay, p99', ours: delay.percentile(99) / 1e6, limit: LIMITS.delay, unit: 'ms' },
    { what: 'the same of an idle thread', ours: noise / 1e6, limit: Number.NaN, unit: 'ms' },
    { what: 'with a processor of its own, p99', ours: busiest, limit: LIMITS.delay, unit: 'ms' },
    { what: 'event-loop delay, most', ours: delay.max / 1e6, limit: Number.NaN, unit: 'ms' },
    { what: 'chunks a second', ours: (streams * chunks) / (took / 1000), limit: Number.NaN, unit: '' },
    { what: 'processor', ours: (user + system) / 10 / took, limit: Number.NaN, unit: '%' },
    { what: 'memory with all replies open', ours: open / MIB, limit: Number.NaN, unit: 'MiB' },
  ];
}

/** Conversations that begin, answer and are taken away in one window; what it still holds then, before it closes. */
async function comeAndGo(server: Server, conversations: number): Promise<Row[]> {
  const window = await openWindow(await server.address);
  await window.chat.load();
  const gone = async () => {
    await ask(server, { do: 'script', replies: AT_ONCE, chunks: 3, gapMs: 0 });
    const ids = await Promise.all(Array.from({ length: AT_ONCE }, () => window.talk()));
    await Promise.all(ids.map((id) => window.forget(id)));
  };
  await gone();
  await settled();
  const [resources, heap] = [openResources(), await memory()];
  const sockets = (await ask<ServiceReport>(server, { do: 'report' })).sockets;
  for (let done = AT_ONCE; done < conversations; done += AT_ONCE) await gone();
  await settled();
  const [left, grown] = [openResources(), (await memory()) - heap];
  const held = (await ask<ServiceReport>(server, { do: 'report' })).sockets - sockets;
  await window.close();
  const more = [...left].map(([name, count]) => Math.max(0, count - (resources.get(name) ?? 0)));
  return [
    {
      what: `timers, sockets and files after ${conversations}`,
      ours: sum(more),
      limit: LIMITS.left,
      unit: '',
    },
    { what: 'connections at the service', ours: Math.max(0, held), limit: LIMITS.left, unit: '' },
    {
      what: 'memory of each that is gone',
      ours: grown / conversations / 1024,
      limit: LIMITS.gone,
      unit: 'KiB',
    },
  ];
}

/** How many conversations don't have what the service said in them, once each and in order. */
async function differences(
  server: Server,
  window: SoakWindow,
  ids: readonly string[],
  chunks: number,
): Promise<number> {
  const { texts } = await ask<ServiceReport>(server, { do: 'report' });
  const seen = new Set<string>();
  const wrong = ids.filter((id) => {
    const conversation = window.chat.find(id);
    const reply = conversation?.turns.at(-1);
    if (reply?.kind !== 'reply' || reply.ending !== 'complete') return true;
    const whose = /^\[(\d+):/.exec(reply.text)?.[1] ?? '';
    const isFirst = !seen.has(whose);
    seen.add(whose);
    const inOrder = reply.text.split(/\[\d+:(\d+)\] a few words /).filter((_, index) => index % 2 === 1);
    const hash = createHash('sha256').update(reply.text).digest('hex');
    const isWhole = inOrder.length === chunks && inOrder.every((number, index) => Number(number) === index);
    return !(isFirst && isWhole && texts[conversation?.remote?.id ?? ''] === hash);
  });
  return wrong.length;
}

function report(rows: readonly Row[], seconds: number, json: string | undefined): void {
  console.log(`${STREAMS} conversations, ${1000 / GAP} chunks a second each, ${seconds} seconds`);
  const shown = rows.map(({ what, ours, limit, unit }) => [
    what,
    {
      ours: `${Number(ours.toFixed(1))} ${unit}`.trim(),
      limit: Number.isNaN(limit) ? '' : `${Number(limit.toFixed(1))} ${unit}`.trim(),
      ratio: Number.isNaN(limit) || limit === 0 ? '' : Number((ours / limit).toFixed(2)),
    },
  ]);
  console.table(Object.fromEntries(shown));
  const over = rows.filter(({ ours, limit }) => ours > limit);
  console.log(
    over.length === 0 ? 'Within the limits.' : `NOT within: ${over.map(({ what }) => what).join(', ')}`,
  );
  if (json)
    writeFileSync(json, `${JSON.stringify({ name: 'soak', seconds, streams: STREAMS, rows }, null, 2)}\n`);
  if (over.length > 0) process.exitCode = 1;
}

/** Bytes of the heap and beside it, once all that is garbage is gone. */
async function memory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  await settled();
  for (let round = 0; round < 4; round++) {
    gc();
    await sleep(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What ends by itself has had its time: closing sockets, the index that is written a while after a change. */
async function settled(): Promise<void> {
  await sleep(3000);
}

/** Processor time between two timers: what delays the second where nobody else has work. Returns what ends it: the p99, in ms. */
function watchProcessor(): () => number {
  const times: number[] = [];
  let last = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    times.push((user + system) / 1000);
  }, RESOLUTION);
  return () => {
    clearInterval(timer);
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  };
}

function openResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

interface Server {
  readonly group: ProcessGroup;
  readonly lines: Interface;
  readonly address: Promise<{ baseUrl: string; key: string }>;
}

function startServer(): Server {
  const group = spawnGroup(process.execPath, ['--import', 'tsx', path.join(__dirname, 'server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!group.child.stdout) throw new Error('No output to read');
  const lines = createInterface({ input: group.child.stdout });
  return { group, lines, address: nextLine(lines) };
}

async function ask<T>({ group, lines }: Server, order: ToServer): Promise<T> {
  const answer = nextLine<T>(lines);
  group.child.stdin?.write(`${JSON.stringify(order)}\n`);
  return answer;
}

async function nextLine<T>(lines: Interface): Promise<T> {
  const [line] = await once(lines, 'line');
  return JSON.parse(line) as T;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
});
