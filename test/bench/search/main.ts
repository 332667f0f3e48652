import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import MiniSearch from 'minisearch';
import { searchConversations } from '../../../src/chat/conversations/searchConversations';
import { foldText } from '../../../src/shared/text/searchText';
import { measureContents } from './contents';

const MESSAGE_COUNT = 10_000;
const MESSAGES_PER_CONVERSATION = 20;
const WORDS_PER_MESSAGE = 60;
const QUERIES = ['deploy', 'wo12 wo7', 'wo4999', 'nowhere', 'ü3'];
const ROUNDS = 7;

/**
 * `npm run bench -- search [--json FILE]`: compares a plain scan of 10,000 messages with MiniSearch, including
 * the cost of its index; then searches 100 MB of conversations on the disk.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true });
  const { createText, createCorpus } = createWords();
  const conversations = createCorpus();
  const memory = () => {
    global.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = memory();
  const start = performance.now();
  const index = new MiniSearch({
    fields: ['text'],
    processTerm: (term) => foldText(term),
    searchOptions: { combineWith: 'AND', prefix: true },
  });
  for (const { turns } of conversations) index.addAll(turns);
  const build = performance.now() - start;
  const grown = memory() - before;
  const rows: Record<string, Record<string, string>> = {};
  for (const query of QUERIES) {
    const scan = await measureMedian(async () => {
      for await (const _ of searchConversations(conversations, query, new AbortController().signal));
    });
    const indexed = await measureMedian(async () => {
      index.search(query).slice(0, 100);
    });
    rows[query] = { 'plain scan': formatMs(scan), MiniSearch: formatMs(indexed) };
  }
  const characters = conversations.reduce(
    (sum, { turns }) => sum + turns.reduce((inner, { text }) => inner + text.length, 0),
    0,
  );
  console.log(`${MESSAGE_COUNT} messages, ${(characters / 1e6).toFixed(1)} million characters`);
  console.log(`MiniSearch's index: ${formatMs(build)} to build, ${(grown / 2 ** 20).toFixed(0)} MB to keep`);
  console.table(rows);
  const contents = await measureContents(['deploy', 'wo12 wo7', 'wo4999', 'nowhere', 'ü3'], (index) =>
    [createText(index), createText(index + 1), createText(index + 2)].join(' '),
  );
  console.log('100 MB in 10,000 conversations. Goals: the first result in 100 ms, all in 1 s');
  console.table(
    Object.fromEntries(
      contents.map(({ query, hits, first, all, longestBlock, grep, reading }) => [
        query,
        {
          hits,
          first: first === undefined ? '' : formatMs(first),
          all: formatMs(all),
          'longest block': formatMs(longestBlock),
          'grep -rli': formatMs(grep),
          'reading all files': formatMs(reading),
          'all / reading': (all / reading).toFixed(2),
        },
      ]),
    ),
  );
  if (values.json) {
    writeFileSync(
      values.json,
      `${JSON.stringify({ name: 'search', unit: 'ms', rows: contents }, null, 2)}\n`,
    );
  }
}

/**
 * Creates messages with the word frequencies of a language: few frequent words, many rare ones; a tenth of
 * the messages has non-ASCII words.
 */
function createWords() {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const word = () => `wo${Math.floor(5000 ** random())}`;
  const text = (index: number) => {
    const words = Array.from({ length: WORDS_PER_MESSAGE }, word);
    if (index % 1000 === 0) words.push('Deploy');
    if (index % 10 === 0) words.push(`Ü${index % 7}`);
    return words.join(' ');
  };
  const createCorpus = () =>
    Array.from({ length: MESSAGE_COUNT / MESSAGES_PER_CONVERSATION }, (_, conversation) => ({
      id: `${conversation}`,
      name: `Conversation ${conversation}`,
      turns: Array.from({ length: MESSAGES_PER_CONVERSATION }, (__, turn) => {
        const index = conversation * MESSAGES_PER_CONVERSATION + turn;
        return { kind: 'message' as const, id: `${index}`, at: index, text: text(index) };
      }),
    }));
  return { createText: text, createCorpus };
}

async function measureMedian(run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[(ROUNDS - 1) / 2] ?? Number.NaN;
}

function formatMs(time: number): string {
  return `${time.toFixed(1)} ms`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
