import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { exportJson } from '../../../src/chat/export/conversationFile';
import { type ExportWords, exportMarkdown } from '../../../src/chat/export/exportMarkdown';
import type { Conversation } from '../../../src/chat/model/conversation';
import type { Turn } from '../../../src/chat/model/turn';
import type { ConversationStore } from '../../../src/chat/store/store';
import { cases, damaged, inTime, mutated, toJson } from '../../support/fuzz';
import {
  about,
  chunk,
  createStoreFolder,
  ended,
  message,
  openConversation,
  reply,
  type StoreFolder,
} from './support/folders';

const words: ExportWords = {
  ...{ untitled: 'New', you: 'You', bot: 'Bot', document: 'Document', sources: 'Sources' },
  about: ({ createdAt }) => `Since ${new Date(createdAt).toISOString()}`,
  time: (at) => new Date(at).toISOString(),
  ending: ({ ending }) => ending,
  state: ({ size, state }) => `${size} ${state}`,
};

const rich: readonly object[] = [
  { parley: 1, id: 'c', createdAt: 1_700_000_000_000 },
  about('Grüße 👋'),
  message('m1', 'Hello\nthere'),
  reply('r1'),
  chunk('r1', 'ja, ñ '),
  chunk('r1', 'and more'),
  ended('r1'),
  {
    type: 'turn',
    turn: {
      ...{ kind: 'reply', id: 'r2', messageId: 'm1', bot: 'Guide', text: 'Hi', at: 3, ending: 'interrupted' },
      failure: { code: 'validation', status: 422, fieldErrors: { name: ['bad'] }, retryAt: 5, maySend: true },
      sources: [{ id: '7', name: 'a.txt', url: 'https://x.y' }],
      ...{ skipped: true, webSearch: true, remoteId: '1', whole: 'Hi there' },
    },
  },
  {
    type: 'turn',
    before: 'r2',
    turn: {
      ...{
        kind: 'document',
        id: 'd',
        name: 'a.txt',
        size: 9,
        sent: 3,
        at: 4,
        state: 'failed',
        documentId: '7',
      },
      ...{
        failedAt: 'signing',
        status: 'syncing',
        file: 'changed',
        updateOnSave: true,
        replaces: 'e',
        waitsUntil: 9,
      },
    },
  },
  { type: 'turnRemoved', turnId: 'm9' },
];

describe('Fuzzing of transcript files', () => {
  let folder: StoreFolder;
  before(async () => {
    folder = await createStoreFolder();
  });
  after(() => folder.close());
  let count = 0;

  const getFilePath = (id: string) => path.join(folder.path, `${id}.jsonl`);

  /** Opens a file like a window does, within a time limit, and runs all operations on its conversation. */
  const exerciseConversation = (store: ConversationStore, id: string): Promise<Conversation | undefined> =>
    inTime(async () => {
      const found = await store.openTranscript(id);
      assert.ok(found);
      if (found.kind === 'newerVersion') return;
      const turns = [...(await found.earlier()).turns, ...found.conversation.turns];
      const conversation = { ...found.conversation, turns };
      JSON.parse(exportJson(conversation));
      exportMarkdown(conversation, words);
      return conversation;
    });

  it('opens files with any damage to their bytes, leaves them as they are, and appends to them', async () => {
    const turns = Array.from({ length: 12 }, (_, index) => message(`m${index}`, `number ${index} 👋`));
    const lines = [rich[0], ...turns].map((each) => Buffer.from(JSON.stringify(each)));
    await fc.assert(
      fc.asyncProperty(
        damaged(Buffer.concat(lines.slice(1).flatMap((line) => [line, Buffer.from('\n')]))),
        async (rest) => {
          const id = `bytes${count++}`;
          // A file without its header still opens, unless its version is a newer one: then nothing is
          // changed.
          const bytes = Buffer.concat(
            [lines[0] ?? '', Buffer.from('\n'), rest].map((part) => Buffer.from(part)),
          );
          await writeFile(getFilePath(id), bytes);
          const { store, errors } = folder.window();
          const conversation = await exerciseConversation(store, id);
          assert.ok(conversation);
          const whole = bytes.toString('latin1').split('\n');
          const intact = turns.filter((_, index) =>
            whole.includes(lines[index + 1]?.toString('latin1') ?? ''),
          );
          const shown = new Map(conversation.turns.map((turn) => [turn.id, turn]));
          for (const record of intact)
            if (record.type === 'turn') assert.deepEqual(shown.get(record.turn.id), record.turn);
          assert.deepEqual(await readFile(getFilePath(id)), bytes);
          store.appendToTranscript(id, message('later', 'after the damage'));
          await store.closeTranscript(id);
          await store.dispose();
          const again = folder.window().store;
          const reopened = await openConversation(again, id);
          await again.dispose();
          assert.equal(reopened.conversation.turns.at(-1)?.id, 'later');
          assert.deepEqual((await readFile(getFilePath(id))).subarray(0, bytes.length), bytes);
          assert.deepEqual(errors, []);
        },
      ),
      cases(30),
    );
  });

  it('opens files with any content in their records', async () => {
    const records = fc.tuple(...rich.map((record) => fc.oneof(fc.constant(record), mutated(record))));
    await fc.assert(
      fc.asyncProperty(records, async (all) => {
        const id = `records${count++}`;
        await writeFile(getFilePath(id), all.map((record) => toJson(record)).join('\n'));
        const { store } = folder.window();
        await exerciseConversation(store, id);
        await store.dispose();
      }),
      cases(30, 1),
    );
  });

  it('lists and opens conversations with any damage to the index', async () => {
    const summary = {
      id: 'c',
      name: 'x',
      pinned: false,
      unread: false,
      createdAt: 1,
      at: 1,
      turns: 1,
      damaged: 0,
    };
    const index = { c: { size: 9, mtime: 1, read: 9, summary }, gone: { size: 9, mtime: 1, read: 3 } };
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated(index).map(toJson), damaged(toJson(index))), async (bytes) => {
        const each = await createStoreFolder();
        try {
          const first = each.window().store;
          first.createTranscript('c', 1000);
          first.appendToTranscript('c', message('m', 'x'));
          await first.dispose();
          await writeFile(path.join(each.path, 'index.json'), bytes);
          const again = each.window().store;
          const { conversations } = await again.listConversations();
          assert.deepEqual(
            conversations.map(({ id }) => id),
            ['c'],
          );
          assert.deepEqual(getTurnIds((await openConversation(again, 'c')).conversation.turns), ['m']);
        } finally {
          await each.close();
        }
      }),
      cases(30, 2),
    );
  });

  it('opens 10 MB without a line end, 10 MB of line ends, and 10,000 levels of nesting in time', async () => {
    const hostile = [
      Buffer.alloc(10_000_000, 'x'),
      Buffer.alloc(10_000_000, 0),
      Buffer.alloc(1_000_000, '\n'),
      Buffer.alloc(200_000, '{}\n'),
      Buffer.from(`{"type":"turn","turn":${'['.repeat(10_000)}${']'.repeat(10_000)}}\n`.repeat(20)),
    ];
    for (const bytes of hostile) {
      const id = `hostile${count++}`;
      await writeFile(getFilePath(id), bytes);
      const { store } = folder.window();
      await exerciseConversation(store, id);
      await store.dispose();
    }
  });
});

function getTurnIds(turns: readonly Turn[]): string[] {
  return turns.map(({ id }) => id);
}
