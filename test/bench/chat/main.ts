/**
 * Measures the same reply in VS Code's own Chat, through `@parley`, and in Parley's panel, in turns in the same place
 * of the same window: from a chunk to its pixel, the time of the window's main thread, missed frames and memory.
 * Usage: npm run bench -- chat [--seconds N] [--rounds N] [--rates 20,200,2000] [--json FILE]
 */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Frame, Page } from 'playwright-core';
import { ChatView, withChat } from '../../e2e/support/chatView';
import { listPanelFrames } from '../../e2e/support/panelFrame';
import { Person } from '../../e2e/support/person';
import { vscodeDom } from '../../e2e/support/vscodeDom';
import { Workbench } from '../../e2e/support/workbench';
import { Wait } from '../../service/hang';
import { type LocalService, startLocalService } from '../../service/localService';
import { measureReply, type Place, type Reply } from './reply';

interface Row extends Reply {
  readonly rate: number;
  readonly name: string;
}

/** The figures of a reply in the table, each with its format. */
const COLUMNS = {
  p50: { title: 'p50', format: formatMs },
  p95: { title: 'p95', format: formatMs },
  p99: { title: 'p99', format: formatMs },
  mainThread: { title: 'main thread', format: formatMs },
  missedFrames: { title: 'missed frames', format: String },
  longestFrame: { title: 'longest frame', format: formatMs },
  heap: { title: 'heap', format: (bytes: number) => `${(bytes / 2 ** 20).toFixed(2)} MB` },
  nodes: { title: 'nodes', format: String },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      rates: { type: 'string', default: '20,200,2000' },
      json: { type: 'string' },
    },
    allowPositionals: true,
  });
  const service = await startLocalService();
  const settings = { ...withChat.settings, 'parley.baseUrl': service.baseUrl };
  const workbench = await Workbench.start({ ...withChat, settings });
  const rows: Row[] = [];
  try {
    const places = [await createPanel(workbench, service), createChat(workbench)];
    for (const rate of values.rates.split(',').map(Number)) {
      const replies = places.map((): Reply[] => []);
      for (let round = 0; round < Number(values.rounds); round++) {
        for (const [index, place] of places.entries()) {
          const reply = await measureReply(workbench, service, place, rate, Number(values.seconds));
          replies[index]?.push(reply);
          console.error(`${place.name}, ${rate} chunks/s: p95 ${formatMs(reply.p95)}`);
        }
      }
      for (const [index, { name }] of places.entries())
        rows.push({ rate, name, ...getMedians(replies[index] ?? []) });
    }
  } finally {
    await workbench.stop();
    await service.close();
  }
  print(rows, Number(values.seconds));
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ name: 'chat', rows }, null, 2)}\n`);
}

async function createPanel(workbench: Workbench, service: LocalService): Promise<Place> {
  const selector = '.reply[aria-busy=true] .markdown';
  const panel = () => findPanel(workbench.page);
  const { page, quickInput } = workbench;
  const runCommand = (title: string) => workbench.runCommand(title);
  const person = new Person({ page, quickInput, runCommand, panel });
  await person.setUp(service, 'Echo');
  return {
    name: 'Parley',
    selector,
    find: panel,
    startConversation: () => person.newConversation(),
    async send(text) {
      await person.say(text);
      await (await panel()).locator(selector).waitFor({ state: 'attached' });
    },
    async waitForEnd(turns) {
      await person.reply('Echo', turns);
    },
  };
}

/** Finds the page of the view: once the view was hidden and shown again, VS Code's URL of it is that of a tab. */
async function findPanel(page: Page): Promise<Frame> {
  for (const wait = new Wait(); !wait.isInVain; ) {
    for (const where of ['view', 'editor'] as const) {
      const [frame] = await listPanelFrames(page, where);
      if (frame) return frame;
    }
    await page.waitForTimeout(50);
  }
  throw new Error("Parley's page isn't there.");
}

function createChat(workbench: Workbench): Place {
  const chat = new ChatView(workbench);
  return {
    name: 'VS Code Chat',
    selector: vscodeDom.chat.listedResponse,
    textSelector: '.chat-markdown-part',
    find: async () => workbench.page.mainFrame(),
    startConversation: () => chat.startSession(),
    async send(text) {
      await chat.say(`@parley ${text}`);
    },
    async waitForEnd() {
      await chat.waitForText(chat.lastResponse);
    },
  };
}

/** Returns the median of each figure, which reduces the influence of other processes. */
function getMedians(replies: readonly Reply[]): Reply {
  const getMedian = (key: keyof Reply) =>
    replies.map((reply) => reply[key]).toSorted((a, b) => a - b)[Math.floor(replies.length / 2)] ??
    Number.NaN;
  const entries = (Object.keys(COLUMNS) as (keyof Reply)[]).map((key) => [key, getMedian(key)]);
  return Object.fromEntries(entries) as unknown as Reply;
}

function print(rows: readonly Row[], seconds: number): void {
  const keys = Object.keys(COLUMNS) as (keyof Reply)[];
  console.log(`A reply of ${seconds} s; memory is what it leaves behind after a garbage collection.`);
  console.table(
    rows.map(({ rate, name, ...reply }) => ({
      'chunks/s': rate,
      where: name,
      ...Object.fromEntries(keys.map((key) => [COLUMNS[key].title, COLUMNS[key].format(reply[key])])),
    })),
  );
  console.log("Chat's figures divided by the panel's:");
  const rates = [...new Set(rows.map(({ rate }) => rate))];
  console.table(
    rates.map((rate) => {
      const [panel, chat] = rows.filter((row) => row.rate === rate);
      const ratio = (key: keyof Reply) => formatRatio(chat?.[key], panel?.[key]);
      return { 'chunks/s': rate, ...Object.fromEntries(keys.map((key) => [COLUMNS[key].title, ratio(key)])) };
    }),
  );
}

function formatRatio(chat: number | undefined, panel: number | undefined): string {
  return chat === undefined || !panel ? '' : (chat / panel).toFixed(2);
}

function formatMs(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}

main().catch((error: unknown) => {
  console.error(error);
  // A service that was started before the error would keep the process alive.
  process.exit(1);
});
