import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { searchConversations } from '../../../src/chat/conversations/searchConversations';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { parseSearchWords } from '../../../src/shared/text/searchText';

const CONVERSATION_COUNT = 10_000;
const TURNS_PER_CONVERSATION = 10;
/** A chunk as it is written while a reply streams. */
const CHUNK_LENGTH = 300;
const ROUNDS = 3;

export interface ContentsRow {
  readonly query: string;
  readonly hits: number;
  /** In ms, as the others. */
  readonly first: number | undefined;
  readonly all: number;
  /** The longest time for which the extension host did nothing else. */
  readonly longestBlock: number;
  /** `grep -rli`, which neither joins chunks nor ignores accents. */
  readonly grep: number;
  /** Reading all files, four at a time. */
  readonly reading: number;
}

/** Searches 100 MB in 10,000 conversations on the disk. `createText` creates the text of a turn. */
export async function measureContents(
  queries: readonly string[],
  createText: (index: number) => string,
): Promise<ContentsRow[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-bench-search-'));
  try {
    await fill(folder, createText);
    const store = new ConversationStore(new NodeStorage(folder), 'bench', console.error);
    await store.listConversations();
    await store.readFolderChanges();
    const rows: ContentsRow[] = [];
    for (const query of queries) {
      const runs: ContentsRow[] = [];
      for (let round = 0; round < ROUNDS; round++) runs.push(await measureQuery(store, folder, query));
      const [, middle] = runs.toSorted((a, b) => a.all - b.all);
      if (middle) rows.push(middle);
    }
    await store.dispose();
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureQuery(store: ConversationStore, folder: string, query: string): Promise<ContentsRow> {
  let longestBlock = 0;
  let last = performance.now();
  let isRunning = true;
  const tick = () => {
    const now = performance.now();
    longestBlock = Math.max(longestBlock, now - last);
    last = now;
    if (isRunning) setImmediate(tick);
  };
  setImmediate(tick);
  const start = performance.now();
  let first: number | undefined;
  let hits = 0;
  const conversations = store.scan(undefined, parseSearchWords(query));
  for await (const _ of searchConversations(conversations, query, new AbortController().signal)) {
    first ??= performance.now() - start;
    hits++;
  }
  const all = performance.now() - start;
  isRunning = false;
  await new Promise((resolve) => setImmediate(resolve));
  const grepStart = performance.now();
  spawnSync('grep', ['-rli', '--', query.split(' ')[0] ?? '', folder]);
  const grep = performance.now() - grepStart;
  const readStart = performance.now();
  const indexes = Array.from({ length: CONVERSATION_COUNT }, (_, index) => index).values();
  const worker = async () => {
    for (const index of indexes) await readFile(path.join(folder, `c${index}.jsonl`));
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return { query, hits, first, all, longestBlock, grep, reading: performance.now() - readStart };
}

async function fill(folder: string, createText: (index: number) => string): Promise<void> {
  for (let index = 0; index < CONVERSATION_COUNT; index++) {
    const records: object[] = [
      { parley: 1, id: `c${index}`, createdAt: index },
      { type: 'about', name: `Conversation ${index}`, bot: { id: 'b', name: 'Guide' } },
    ];
    for (let turn = 0; turn < TURNS_PER_CONVERSATION; turn += 2) {
      const at = index + turn;
      const [text, answer] = [turn, turn + 1].map((each) =>
        createText(index * TURNS_PER_CONVERSATION + each),
      );
      const reply = { kind: 'reply', id: `r${turn}`, messageId: `m${turn}`, bot: 'Guide', at };
      records.push({ type: 'turn', turn: { kind: 'message', id: `m${turn}`, text, at } });
      records.push({ type: 'turn', turn: { ...reply, text: '' } });
      for (let from = 0; answer && from < answer.length; from += CHUNK_LENGTH) {
        records.push({ type: 'chunk', turnId: reply.id, text: answer.slice(from, from + CHUNK_LENGTH) });
      }
      records.push({ type: 'ended', turn: { ...reply, ending: 'complete' }, at });
    }
    const lines = records.map((record) => JSON.stringify(record)).join('\n');
    await writeFile(path.join(folder, `c${index}.jsonl`), lines);
  }
}
