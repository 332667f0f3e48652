/**
 * Measures the conversation store in a real folder, compared with rewriting a whole JSON file, as chat panels
 * commonly store their history: appending a turn, listing and opening; with `--kills N`, also the loss after
 * a SIGKILL during a reply.
 * Usage: npm run bench -- store [--kills N] [--json FILE]
 */
import { appendFileSync, closeSync, fdatasyncSync, openSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { TranscriptRecord } from '../../../src/chat/model/record';
import type { Turn } from '../../../src/chat/model/turn';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { createStoreFolder } from '../../chat/store/support/folders';
import { killWhileStreaming } from '../../chat/store/support/killed';
import { createWindowProcesses } from '../../chat/store/support/processes';
import { measureWebAppend } from './webAppend';

const TURN_COUNTS = [10, 100, 1000, 5000];
const CONVERSATION_COUNTS = [10, 100, 1000, 10_000];
/** The length of the transcript to which the web worker's host appends. */
const LONG_TRANSCRIPT_BYTES = 5_000_000;
const ROUNDS = 15;
/** The limit for listing 10,000 conversations, in ms of host time. */
const MAX_LIST_MS = 50;

interface Row {
  readonly what: string;
  readonly size: number;
  readonly ours: number;
  readonly peer: number;
  readonly limit: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '0' }, json: { type: 'string' } },
    allowPositionals: true,
  });
  const dir = await mkdtemp(path.join(os.tmpdir(), 'parley-bench-store-'));
  try {
    const rows: Row[] = [];
    for (const length of TURN_COUNTS) rows.push(await measureAppend(dir, length));
    for (const count of CONVERSATION_COUNTS) rows.push(await measureList(dir, count));
    for (const length of TURN_COUNTS) rows.push(...(await measureOpen(dir, length)));
    print(rows);
    const web = await measureWebAppend(await mkdtemp(path.join(dir, 'web-')), LONG_TRANSCRIPT_BYTES);
    console.log(
      `Web host, append 1 KB to 5 MB: ${Math.round(web.ours)} bytes are transferred, with a single file ${web.peer}.`,
    );
    const loss = await measureKills(dir, Number(values.kills));
    if (values.json)
      await writeFile(
        values.json,
        `${JSON.stringify({ name: 'store', unit: 'ms', rows, webAppendBytes: web, ...loss }, null, 2)}\n`,
      );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Measures a durable append of a user's message. The limit: appending the same bytes with plain synchronous
 * calls.
 */
async function measureAppend(dir: string, length: number): Promise<Row> {
  const folder = path.join(dir, `append${length}`);
  const store = await fill(folder, 'c', length);
  const ours = await measureMedian(async (round) => {
    store.appendToTranscript('c', createRecord(`later${round}`, length + round));
    await store.flush('c');
  });
  await store.dispose();

  const turns = Array.from({ length }, (_, index) => createTurn(`m${index}`, index));
  const file = path.join(folder, 'peer.json');
  const peer = await measureMedian(async (round) => {
    turns.push(createTurn(`later${round}`, length + round));
    await writeFile(`${file}.tmp`, JSON.stringify(turns), { flush: true });
    await rename(`${file}.tmp`, file);
  });
  const plain = path.join(folder, 'plain');
  const limit = await measureMedian(async (round) => {
    const descriptor = openSync(plain, 'a');
    appendFileSync(descriptor, JSON.stringify(createTurn(`later${round}`, round)));
    fdatasyncSync(descriptor);
    closeSync(descriptor);
  });
  return { what: 'append a turn, durable', size: length, ours, peer, limit };
}

/** Measures the list in a new window. The peer reads every conversation; the limit is the product's goal. */
async function measureList(dir: string, count: number): Promise<Row> {
  const folder = path.join(dir, `list${count}`);
  const rounds = count > 1000 ? 5 : ROUNDS;
  const first = await fill(folder, 'c0', 20);
  await first.dispose();
  const bytes = await readFile(path.join(folder, 'c0.jsonl'));
  await mkdir(path.join(folder, 'peers'));
  for (let index = 0; index < count; index++) {
    writeFileSync(path.join(folder, `c${index}.jsonl`), bytes);
    writeFileSync(
      path.join(folder, 'peers', `c${index}.json`),
      JSON.stringify(Array.from({ length: 20 }, (_, at) => createTurn(`m${at}`, at))),
    );
  }
  const indexed = createStore(folder);
  await indexed.listConversations();
  await indexed.dispose();
  const ours = await measureMedian(async () => {
    const store = createStore(folder);
    await store.listConversations();
    return () => store.dispose();
  }, rounds);
  const peer = await measureMedian(async () => {
    const names = Array.from({ length: count }, (_, index) => path.join(folder, 'peers', `c${index}.json`));
    await Promise.all(names.map(async (name) => JSON.parse(await readFile(name, 'utf8')).at(-1)));
  }, rounds);
  return { what: 'list conversations', size: count, ours, peer, limit: MAX_LIST_MS };
}

/**
 * Measures opening in a new window with an index: the last screen, and all turns. The limit for both: reading
 * and parsing one JSON file with all turns.
 */
async function measureOpen(dir: string, length: number): Promise<Row[]> {
  const folder = path.join(dir, `append${length}`);
  const file = path.join(folder, 'peer.json');
  const screen = await measureMedian(async () => {
    const store = createStore(folder);
    await store.openTranscript('c');
    return () => store.dispose();
  });
  const all = await measureMedian(async () => {
    const store = createStore(folder);
    const found = await store.openTranscript('c');
    if (found?.kind !== 'conversation') throw new Error('Nothing to open');
    await found.earlier();
    return () => store.dispose();
  });
  const peer = await measureMedian(async () => {
    JSON.parse(await readFile(file, 'utf8'));
  });
  return [
    { what: 'open: last screen', size: length, ours: screen, peer, limit: peer },
    { what: 'open: all turns', size: length, ours: all, peer, limit: peer },
  ];
}

async function measureKills(
  dir: string,
  kills: number,
): Promise<{ kills: number; missing: number; behind: number }> {
  const loss = { kills, missing: 0, behind: 0 };
  if (kills === 0) return loss;
  const processes = await createWindowProcesses();
  const folder = await createStoreFolder(dir);
  for (let round = 0; round < kills; round++) {
    const { missing, behind } = await killWhileStreaming(
      processes,
      folder,
      `killed${round}`,
      (round * 29) % 75,
    );
    loss.missing += missing.length;
    loss.behind = Math.max(loss.behind, behind);
  }
  await Promise.all([folder.close(), processes.close()]);
  console.log(
    `${kills} SIGKILLs in a reply: ${loss.missing} durable turns missing, the text on disk at most ${loss.behind.toFixed(0)} ms behind the screen.`,
  );
  return loss;
}

async function fill(folder: string, id: string, length: number): Promise<ConversationStore> {
  const store = createStore(folder);
  store.createTranscript(id, 0);
  for (let index = 0; index < length; index++) store.appendToTranscript(id, createRecord(`m${index}`, index));
  await store.flush(id);
  return store;
}

function createStore(folder: string): ConversationStore {
  return new ConversationStore(new NodeStorage(folder), 'bench', (error) => console.error(error));
}

function createTurn(id: string, at: number): Turn {
  return {
    kind: 'message',
    id,
    text: `${at} `.padEnd(800, 'What would a person say at such a length? '),
    at,
  };
}

function createRecord(id: string, at: number): TranscriptRecord {
  return { type: 'turn', turn: createTurn(id, at) };
}

/**
 * Resolves to the median time of the rounds in ms, after two warm-up rounds. A function returned by a round
 * runs after its time is taken.
 */
async function measureMedian(
  run: (round: number) => Promise<undefined | (() => Promise<void>) | void>,
  rounds = ROUNDS,
): Promise<number> {
  const times: number[] = [];
  for (let round = -2; round < rounds; round++) {
    const from = performance.now();
    const cleanUp = await run(round);
    if (round >= 0) times.push(performance.now() - from);
    await cleanUp?.();
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

function print(rows: readonly Row[]): void {
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  console.table(
    rows.map((row) => ({
      what: row.what,
      size: row.size,
      Parley: ms(row.ours),
      'growth from the smallest': `× ${(row.ours / (rows.find(({ what }) => what === row.what)?.ours ?? 1)).toFixed(2)}`,
      'whole JSON file': ms(row.peer),
      limit: ms(row.limit),
      'Parley / limit': (row.ours / row.limit).toFixed(2),
    })),
  );
}

main().catch((error: unknown) => {
  console.error(error);
  // A store that wasn't disposed would keep the process alive.
  process.exit(1);
});
