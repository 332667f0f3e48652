/**
 * Streams 50 conversations at once for two minutes, 200 chunks a second each, with the service in another
 * process; then creates and deletes a thousand. Counts what is lost and what remains of memory, timers and
 * sockets.
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

const STREAM_COUNT = 50;
/** The time between two chunks of a conversation: 200 a second. */
const CHUNK_GAP_MS = 5;
/**
 * The limits: delay in ms, memory growth as a share, resources left open, and KiB per deleted conversation,
 * half of which is recompiled code.
 */
const LIMITS = { delay: 50, memory: 0.1, left: 0, gone: 4 };
/** How many of the thousand run at a time. */
const PARALLEL_CONVERSATIONS = 20;
/** The interval of the histogram's timer, which is included in its values. */
const RESOLUTION_MS = 5;
const MIB = 1024 * 1024;
/** An idle thread: its p99 is the delay of the machine itself. */
const IDLE_SCRIPT = `
  const { parentPort } = require('node:worker_threads');
  const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: ${RESOLUTION_MS} });
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
    // A small warm-up, so that one-time compilation and allocation don't count as growth.
    await stream(server, 2, 50);
    await createAndDelete(server, 10 * PARALLEL_CONVERSATIONS);
    const rows = await stream(server, Number(values.seconds), STREAM_COUNT);
    rows.push(...(await createAndDelete(server, Number(values.conversations))));
    rows.push({ what: 'warnings of Node', ours: warnings.length, limit: 0, unit: '' });
    for (const warning of warnings) console.log(warning);
    report(rows, Number(values.seconds), values.json);
  } finally {
    server.lines.close();
    await server.group.stop();
  }
}

/** Streams into this many conversations at once, in a window that is opened for them and closed. */
async function stream(server: Server, seconds: number, streams: number): Promise<Row[]> {
  const before = await memory();
  const rows = await streamInWindow(server, Math.round((seconds * 1000) / CHUNK_GAP_MS), streams);
  // Measured here, after the last reference to the window is gone.
  const after = await memory();
  return [
    ...rows,
    { what: 'memory before', ours: before / MIB, limit: Number.NaN, unit: 'MiB' },
    { what: 'memory after', ours: after / MIB, limit: (before * (1 + LIMITS.memory)) / MIB, unit: 'MiB' },
  ];
}

async function streamInWindow(server: Server, chunks: number, streams: number): Promise<Row[]> {
  const window = await openWindow(await server.address);
  await ask(server, { do: 'script', replies: streams, chunks, gapMs: CHUNK_GAP_MS });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const idle = new Worker(IDLE_SCRIPT, { eval: true });
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
  const wrong = await countDifferences(server, window, ids, chunks);
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

/**
 * Creates, answers and deletes conversations in a window; measures what the window still holds before it
 * closes.
 */
async function createAndDelete(server: Server, conversations: number): Promise<Row[]> {
  const window = await openWindow(await server.address);
  await window.chat.load();
  const runBatch = async () => {
    await ask(server, { do: 'script', replies: PARALLEL_CONVERSATIONS, chunks: 3, gapMs: 0 });
    const ids = await Promise.all(Array.from({ length: PARALLEL_CONVERSATIONS }, () => window.talk()));
    await Promise.all(ids.map((id) => window.forget(id)));
  };
  await runBatch();
  await waitUntilSettled();
  const [resources, heap] = [countOpenResources(), await memory()];
  const sockets = (await ask<ServiceReport>(server, { do: 'report' })).sockets;
  for (let done = PARALLEL_CONVERSATIONS; done < conversations; done += PARALLEL_CONVERSATIONS)
    await runBatch();
  await waitUntilSettled();
  const [left, grown] = [countOpenResources(), (await memory()) - heap];
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

/** Counts the conversations that don't contain exactly what the service sent, once each and in order. */
async function countDifferences(
  server: Server,
  window: SoakWindow,
  ids: readonly string[],
  chunks: number,
): Promise<number> {
  const { texts } = await ask<ServiceReport>(server, { do: 'report' });
  const seen = new Set<string>();
  const wrong = ids.filter((id) => {
    const conversation = window.chat.findConversation(id);
    const reply = conversation?.turns.at(-1);
    if (reply?.kind !== 'reply' || reply.ending !== 'complete') return true;
    const script = /^\[(\d+):/.exec(reply.text)?.[1] ?? '';
    const isFirst = !seen.has(script);
    seen.add(script);
    const inOrder = reply.text.split(/\[\d+:(\d+)\] a few words /).filter((_, index) => index % 2 === 1);
    const hash = createHash('sha256').update(reply.text).digest('hex');
    const isWhole = inOrder.length === chunks && inOrder.every((number, index) => Number(number) === index);
    return !(isFirst && isWhole && texts[conversation?.remote?.id ?? ''] === hash);
  });
  return wrong.length;
}

function report(rows: readonly Row[], seconds: number, json: string | undefined): void {
  console.log(
    `${STREAM_COUNT} conversations, ${1000 / CHUNK_GAP_MS} chunks a second each, ${seconds} seconds`,
  );
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
    writeFileSync(
      json,
      `${JSON.stringify({ name: 'soak', seconds, streams: STREAM_COUNT, rows }, null, 2)}\n`,
    );
  if (over.length > 0) process.exitCode = 1;
}

/** Resolves to the bytes in the heap and external memory after garbage collection. */
async function memory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  await waitUntilSettled();
  for (let round = 0; round < 4; round++) {
    gc();
    await sleep(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Waits for what ends by itself: closing sockets, and the index that is written some time after a change. */
async function waitUntilSettled(): Promise<void> {
  await sleep(3000);
}

/**
 * Samples the CPU time between two timer ticks, which is the delay on an otherwise idle machine. Returns a
 * function that stops it and returns the p99 in ms.
 */
function watchProcessor(): () => number {
  const times: number[] = [];
  let last = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    times.push((user + system) / 1000);
  }, RESOLUTION_MS);
  return () => {
    clearInterval(timer);
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  };
}

function countOpenResources(): Map<string, number> {
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
