import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import fc from 'fast-check';
import { cases } from '../support/fuzz';
import type { ChatFixture } from './support/chatFixture';
import { isUploading, type ModelConversation, ModelWindows } from './support/modelWindows';

const WINDOWS = 3;
const window = fc.nat(WINDOWS - 1);
const conversation = fc.nat(1);
const at = { window, conversation };

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), ...at }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('upload' as const), ...at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('stop' as const, 'resume' as const), ...at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('rename' as const, 'pin' as const), ...at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const), ...at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('import' as const), window }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), ...at, undo: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), window, steps: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), window }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('newerVersion' as const), conversation }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('setClock' as const), ms: fc.constantFrom(-6000, 6000) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'rest' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function run(windows: ModelWindows, each: Step, setClock: (ms: number) => void): Promise<void> {
  const { conversations } = windows;
  const find = (index: number) => conversations[index % conversations.length] ?? assert.fail();
  switch (each.do) {
    case 'import':
      return windows.import(each.window);
    case 'delete':
      return windows.delete(each.window, find(each.conversation), each.undo);
    case 'crash':
      return windows.crash(each.window, each.steps);
    case 'restart':
      return windows.restart(each.window);
    case 'newerVersion':
      return windows.addUnknownItem(find(each.conversation));
    case 'setClock':
      return setClock(each.ms);
    case 'rest':
      return windows.rest();
    default:
      return windows[each.do](each.window, find(each.conversation));
  }
}

/** What a window shows of a conversation, as far as all windows must agree on it. */
async function describeConversation({ chat }: ChatFixture, id: string) {
  const found = await chat.openWhole(id);
  if (!found) return undefined;
  const { name, pinned, remote, queue, turns } = found;
  return {
    about: { name, pinned, remote },
    queue: (queue?.messages ?? []).map(({ text }) => text),
    turns: turns.map((turn) => {
      if (turn.kind === 'message') return turn.text;
      if (turn.kind === 'reply') return [turn.text, turn.ending];
      // Until it opens the conversation again, a window shows the upload of another one that has ended as it was.
      return [turn.name, isUploading(turn) ? 'cancelled' : turn.state];
    }),
  };
}

async function check(windows: ModelWindows): Promise<void> {
  const { service, live } = windows;
  const fresh = await windows.openNew();
  // A window needs some time to know that the holder of a lease has ended.
  for (const { chat } of [...live, fresh])
    for (const { id } of windows.conversations) await chat.openWhole(id);
  await windows.rest();
  const texts = [...service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));
  assert.deepEqual(texts, [...new Set(texts)], 'a message was sent twice');
  const names = [...service.documents.values()].map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)], 'a file was registered twice');
  for (const each of windows.conversations) {
    // A window may have ended before or after it stored or hid the conversation.
    const mayBeThere = each.state === 'new' || each.state === 'hidden';
    const isThere = mayBeThere
      ? (await fresh.chat.openConversation(each.id)) !== undefined
      : each.state === 'there';
    await (isThere ? checkThere : checkDeleted)(windows, each, [...live, fresh]);
  }
  // One that is deleted while it is created, by a window that ends, stays on the service.
  const deletions = windows.conversations.reduce((sum, each) => sum + each.deletions, 0);
  const most = windows.conversations.length + windows.crashes + deletions;
  assert.ok(service.conversations.size <= most, 'a conversation was created twice');
}

async function checkThere(
  { folder, service }: ModelWindows,
  { id, accepted, hasUnknownItem }: ModelConversation,
  fixtures: readonly ChatFixture[],
): Promise<void> {
  const [first, ...others] = await Promise.all(fixtures.map((each) => describeConversation(each, id)));
  for (const other of others) assert.deepEqual(other, first, 'the windows show different conversations');
  assert.ok(first, 'a conversation is gone');
  const known = [...first.turns, ...first.queue];
  for (const text of accepted) assert.ok(known.includes(text), `lost “${text}”`);
  for (const { conversation_id, machine, content } of service.messages.values()) {
    if (!machine && conversation_id === first.about.remote?.id)
      assert.ok(known.includes(content), `lost “${content}”`);
  }
  if (!hasUnknownItem) return;
  const queue = await readFile(path.join(folder, `${id}.queue`), 'utf8');
  assert.ok(queue.includes('"spoken"'), 'an item of a newer version is gone');
}

async function checkDeleted(
  { folder }: ModelWindows,
  { id }: ModelConversation,
  fixtures: readonly ChatFixture[],
) {
  for (const { chat } of fixtures)
    assert.equal(await chat.openConversation(id), undefined, 'a deleted conversation is back');
  const left = (await readdir(folder)).filter((name) => name.startsWith(id) && !name.includes('.lease'));
  assert.deepEqual(left, [], 'a deleted conversation has files');
}

describe('Three windows on one folder', () => {
  it('send and lose nothing by mistake, restore nothing deleted, and show the same, whichever window ends when', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        let offset = 0;
        const { now } = Date;
        const clock = mock.method(Date, 'now', () => now() + offset);
        const windows = await ModelWindows.start(WINDOWS);
        try {
          for (const index of [0, 1]) await windows.import(index);
          await windows.rest();
          for (const each of steps)
            await run(windows, each, (ms) => {
              offset += ms;
            });
          await windows.rest();
          await check(windows);
        } finally {
          await windows.close();
          clock.mock.restore();
        }
      }),
      cases(20),
    );
  });
});
