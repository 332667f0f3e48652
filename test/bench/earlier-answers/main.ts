import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Chat } from '../../../src/chat/conversations/chat';
import { searchConversations } from '../../../src/chat/conversations/searchConversations';
import { EarlierAnswers } from '../../../src/chat/earlierAnswers/earlierAnswers';
import { readQuestion } from '../../../src/chat/earlierAnswers/question';
import { QuestionIndex } from '../../../src/chat/earlierAnswers/questionIndex';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import pairs from '../../chat/earlierAnswers/questionPairs.json';

const CONVERSATION_COUNT = 10_000;
const QUESTIONS_PER_CONVERSATION = 5;
/** In characters, with the chunks: 100 MB in all. */
const REPLY_LENGTH = 1600;
const CHUNK_LENGTH = 300;
const DRAFTS = 500;

/**
 * `npm run bench -- earlier-answers [--json FILE]`: how long it takes until the first earlier answer is found in 100 MB of
 * conversations, and each one after it, beside reading the files and a search for words; and how many of the fixture’s
 * questions are found, and rightly.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-bench-earlier-'));
  try {
    const bytes = await fill(folder);
    const rows = await measure(folder);
    const quality = measureQuality();
    console.log(`${(bytes / 1e6).toFixed(0)} MB in ${CONVERSATION_COUNT} conversations`);
    console.table(rows);
    console.table(quality);
    if (values.json) {
      const results = { name: 'earlier-answers', unit: 'ms', rows, quality };
      writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string): Promise<Readonly<Record<string, Readonly<Record<string, number>>>>> {
  const store = new ConversationStore(new NodeStorage(folder), 'bench', console.error);
  const chat = new Chat(store);
  await chat.load();
  await chat.readListChanges();
  const names = await readdir(folder);
  const readStart = performance.now();
  for (const name of names) await readFile(path.join(folder, name));
  const reading = performance.now() - readStart;
  const { signal } = new AbortController();
  const scanStart = performance.now();
  for await (const _ of searchConversations(
    chat.scan(signal, 'topic77 setting3'),
    'topic77 setting3',
    signal,
  ));
  const scanning = performance.now() - scanStart;

  const before = getHeap();
  const answers = new EarlierAnswers({ chat, store });
  const watch = watchBlocks();
  const cpuBefore = getCpu();
  const start = performance.now();
  await answers.findAnswer(createQuestion(1), { signal });
  const first = performance.now() - start;
  const cpu = getCpu() - cpuBefore;
  const longestBlock = await watch.end();
  const heap = getHeap() - before;

  const times: number[] = [];
  let found = 0;
  let occurrences = 0;
  for (let draft = 0; draft < DRAFTS; draft++) {
    // Every other draft was never asked.
    const text =
      draft % 2 === 0 ? createDraft(draft * 97) : `What about topic${draft} and nothing${draft} in the end?`;
    const draftStart = getCpu();
    if (await answers.findAnswer(text, { signal })) found++;
    times.push(getCpu() - draftStart);
    occurrences = Math.max(occurrences, answers.lastWork.occurrences);
  }
  times.sort((a, b) => a - b);
  const { questions } = answers.lastWork;
  answers.dispose();
  await store.dispose();
  return {
    'first answer': { time: first, cpu, longestBlock, questions, 'heap in MB': heap / 2 ** 20 },
    'reading all files': { time: reading },
    'a search for words': { time: scanning },
    'an answer, median': { cpu: times[DRAFTS / 2] ?? Number.NaN, found },
    'an answer, slowest': { cpu: times.at(-1) ?? Number.NaN, occurrences },
  };
}

/** How much of what is found is right, and how much is found, in percent. */
function measureQuality(): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const all = Object.values(pairs).flat();
  const index = new QuestionIndex<(typeof all)[number]>();
  for (const pair of all) {
    const question = readQuestion(pair.earlier);
    if (question) index.addQuestion(pair, pair.earlier, question);
  }
  const measurePart = (part: readonly (typeof all)[number][]) => {
    let [right, shown] = [0, 0];
    for (const pair of part) {
      const question = readQuestion(pair.draft);
      const found = question && index.findQuestions(question).toSorted((a, b) => b.share - a.share)[0]?.entry;
      if (!found) continue;
      shown++;
      const isTopic = 'topic' in pair && 'topic' in found && pair.topic === found.topic;
      if (pair.same && (found === pair || isTopic)) right++;
    }
    const same = part.filter((pair) => pair.same).length;
    return { shown, right, 'precision in %': (100 * right) / shown, 'recall in %': (100 * right) / same };
  };
  return Object.fromEntries(Object.entries(pairs).map(([name, part]) => [name, measurePart(part)]));
}

/** CPU time of the process in ms: on a busy machine, the clock also counts what others do. */
function getCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Measures the longest CPU time for which nothing else could run. */
function watchBlocks() {
  let longest = 0;
  let last = getCpu();
  let isRunning = true;
  const tick = () => {
    const now = getCpu();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setImmediate(tick);
  };
  setImmediate(tick);
  return {
    async end(): Promise<number> {
      isRunning = false;
      await new Promise((resolve) => setImmediate(resolve));
      return longest;
    },
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function getHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const VERBS = ['configure', 'install', 'export', 'rotate', 'archive', 'restore', 'migrate'];

/** Every question has frequent words and rare ones, as those of a user have. */
function createQuestion(index: number): string {
  const verb = VERBS[index % VERBS.length];
  return `How do I ${verb} the topic${index % 997} of setting${index % 13} for the module${index % 2003} in our project?`;
}

function createDraft(index: number): string {
  const verb = VERBS[index % VERBS.length];
  return `How can I ${verb} topic${index % 997} of the setting${index % 13} for module${index % 2003} in a project?`;
}

async function fill(folder: string): Promise<number> {
  let bytes = 0;
  const answer = 'An answer has words, and lines of code, and more words. '.repeat(REPLY_LENGTH / 50);
  for (let conversation = 0; conversation < CONVERSATION_COUNT; conversation++) {
    const id = `c${conversation}`;
    const records: object[] = [
      { parley: 1, id, createdAt: conversation },
      { type: 'about', name: `Conversation ${conversation}`, bot: { id: 'b', name: 'Guide' } },
    ];
    for (let turn = 0; turn < QUESTIONS_PER_CONVERSATION; turn++) {
      const at = conversation * 100 + turn;
      const text = createQuestion(conversation * QUESTIONS_PER_CONVERSATION + turn);
      const reply = { kind: 'reply', id: `r${turn}`, messageId: `m${turn}`, bot: 'Guide', at };
      records.push({ type: 'turn', turn: { kind: 'message', id: `m${turn}`, text, at } });
      records.push({ type: 'turn', turn: { ...reply, text: '' } });
      for (let from = 0; from < answer.length; from += CHUNK_LENGTH)
        records.push({ type: 'chunk', turnId: reply.id, text: answer.slice(from, from + CHUNK_LENGTH) });
      records.push({ type: 'ended', turn: { ...reply, ending: 'complete' }, at });
    }
    const lines = records.map((record) => JSON.stringify(record)).join('\n');
    bytes += lines.length;
    await writeFile(path.join(folder, `${id}.jsonl`), lines);
  }
  return bytes;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
