import MiniSearch from 'minisearch';
import { searchConversations } from '../../../src/chat/conversations/search';
import { foldText } from '../../../src/shared/searchText';

const MESSAGES = 10_000;
const MESSAGES_PER_CONVERSATION = 20;
const WORDS_PER_MESSAGE = 60;
const QUERIES = ['deploy', 'wo12 wo7', 'wo4999', 'nowhere', 'ü3'];
const ROUNDS = 7;

/**
 * `npm run bench -- search`: compares a plain scan of 10,000 messages with MiniSearch, including the cost of
 * its index.
 */
async function main(): Promise<void> {
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
  console.log(`${MESSAGES} messages, ${(characters / 1e6).toFixed(1)} million characters`);
  console.log(`MiniSearch's index: ${formatMs(build)} to build, ${(grown / 2 ** 20).toFixed(0)} MB to keep`);
  console.table(rows);
}

/**
 * Creates messages with the word frequencies of a language: few frequent words, many rare ones; a tenth of
 * the messages has non-ASCII words.
 */
function createCorpus() {
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
  return Array.from({ length: MESSAGES / MESSAGES_PER_CONVERSATION }, (_, conversation) => ({
    id: `${conversation}`,
    name: `Conversation ${conversation}`,
    turns: Array.from({ length: MESSAGES_PER_CONVERSATION }, (__, turn) => {
      const index = conversation * MESSAGES_PER_CONVERSATION + turn;
      return { kind: 'message' as const, id: `${index}`, at: index, text: text(index) };
    }),
  }));
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
