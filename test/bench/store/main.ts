/**
 * Measures the store of conversations on a real folder, beside what a file of plain JSON that is written whole costs, as
 * chat panels commonly keep their history: appending a turn, the list, opening; and with `--kills N` what a SIGKILL in a reply loses.
 * Usage: npm run bench -- store [--kills N] [--json FILE]
 */
import { appendFileSync, closeSync, fdatasyncSync, openSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Turn } from '../../../src/chat/model/conversation';
import type { TranscriptRecord } from '../../../src/chat/model/record';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { createStoreFolder } from '../../chat/store/support/folders';
import { killWhileStreaming } from '../../chat/store/support/killed';
import { createWindowProcesses } from '../../chat/store/support/processes';

const LENGTHS = [10, 100, 1000, 5000];
const COUNTS = [10, 100, 1000];
const ROUNDS = 15;
/** ms of host time in which 1,000 conversations are listed. */
const LIST_LIMIT = 50;

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
    for (const length of LENGTHS) rows.push(await append(dir, length));
    for (const count of COUNTS) rows.push(await list(dir, count));
    for (const length of LENGTHS) rows.push(...(await open(dir, length)));
    print(rows);
    const loss = await kill(dir, Number(values.kills));
    if (values.json)
      await writeFile(
        values.json,
        `${JSON.stringify({ name: 'store', unit: 'ms', rows, ...loss }, null, 2)}\n`,
      );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** A message of the person, durable. The limit: the same bytes appended by the plainest calls there are. */
async function append(dir: string, length: number): Promise<Row> {
  const folder = path.join(dir, `append${length}`);
  const store = await fill(folder, 'c', length);
  const ours = await median(async (round) => {
    store.append('c', record(`later${round}`, length + round));
    await store.flush('c');
  });
  await store.dispose();

  const turns = Array.from({ length }, (_, index) => turn(`m${index}`, index));
  const file = path.join(folder, 'peer.json');
  const peer = await median(async (round) => {
    turns.push(turn(`later${round}`, length + round));
    await writeFile(`${file}.tmp`, JSON.stringify(turns), { flush: true });
    await rename(`${file}.tmp`, file);
  });
  const plain = path.join(folder, 'plain');
  const limit = await median(async (round) => {
    const descriptor = openSync(plain, 'a');
    appendFileSync(descriptor, JSON.stringify(turn(`later${round}`, round)));
    fdatasyncSync(descriptor);
    closeSync(descriptor);
  });
  return { what: 'append a turn, durable', size: length, ours, peer, limit };
}

/** The list as a new window opens it. The peer reads every conversation; the limit is the product's own. */
async function list(dir: string, count: number): Promise<Row> {
  const folder = path.join(dir, `list${count}`);
  const first = await fill(folder, 'c0', 20);
  await first.dispose();
  const bytes = await readFile(path.join(folder, 'c0.jsonl'));
  await mkdir(path.join(folder, 'peers'));
  for (let index = 0; index < count; index++) {
    writeFileSync(path.join(folder, `c${index}.jsonl`), bytes);
    writeFileSync(
      path.join(folder, 'peers', `c${index}.json`),
      JSON.stringify(Array.from({ length: 20 }, (_, at) => turn(`m${at}`, at))),
    );
  }
  const indexed = newStore(folder);
  await indexed.list();
  await indexed.dispose();
  const ours = await median(async () => {
    const store = newStore(folder);
    await store.list();
    return () => store.dispose();
  });
  const peer = await median(async () => {
    const names = Array.from({ length: count }, (_, index) => path.join(folder, 'peers', `c${index}.json`));
    await Promise.all(names.map(async (name) => JSON.parse(await readFile(name, 'utf8')).at(-1)));
  });
  return { what: 'list conversations', size: count, ours, peer, limit: LIST_LIMIT };
}

/** In a new window with an index: the last screen, and all turns. The limit of all: reading and parsing one JSON of them. */
async function open(dir: string, length: number): Promise<Row[]> {
  const folder = path.join(dir, `append${length}`);
  const file = path.join(folder, 'peer.json');
  const screen = await median(async () => {
    const store = newStore(folder);
    await store.open('c');
    return () => store.dispose();
  });
  const all = await median(async () => {
    const store = newStore(folder);
    const found = await store.open('c');
    if (found?.kind !== 'conversation') throw new Error('Nothing to open');
    await found.earlier();
    return () => store.dispose();
  });
  const peer = await median(async () => {
    JSON.parse(await readFile(file, 'utf8'));
  });
  return [
    { what: 'open: last screen', size: length, ours: screen, peer, limit: peer },
    { what: 'open: all turns', size: length, ours: all, peer, limit: peer },
  ];
}

async function kill(dir: string, kills: number): Promise<{ kills: number; missing: number; behind: number }> {
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
  const store = newStore(folder);
  store.create(id, 0);
  for (let index = 0; index < length; index++) store.append(id, record(`m${index}`, index));
  await store.flush(id);
  return store;
}

function newStore(folder: string): ConversationStore {
  return new ConversationStore(new NodeStorage(folder), 'bench', (error) => console.error(error));
}

function turn(id: string, at: number): Turn {
  return {
    kind: 'message',
    id,
    text: `${at} `.padEnd(800, 'What would a person say at such a length? '),
    at,
  };
}

function record(id: string, at: number): TranscriptRecord {
  return { type: 'turn', turn: turn(id, at) };
}

/** ms, of rounds after two to warm up; what a round returns is done when its time is taken. */
async function median(
  run: (round: number) => Promise<undefined | (() => Promise<void>) | void>,
): Promise<number> {
  const times: number[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const from = performance.now();
    const after = await run(round);
    if (round >= 0) times.push(performance.now() - from);
    await after?.();
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
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
  // A store that nobody disposed of would keep the process.
  process.exit(1);
});
