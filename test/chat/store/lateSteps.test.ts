import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { inspect } from 'node:util';
import { MessageSender } from '../../../src/chat/replies/messageSender';
import { repeat } from '../../support/repetition';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { FailingFolder, type FailingStep } from '../support/failingStorage';
import { createFile } from '../support/person';

/** Folders that are worked in at the same time, each with a service. */
const LANES = 4;
/** Broken promises of two windows after which no more steps are late. */
const MAX_BROKEN = 3;

/** What a window did. */
interface Done {
  /** A message that was sent or queued. */
  readonly sent?: string;
  readonly draft?: string;
  readonly document?: string;
  readonly name?: string;
  readonly deletion?: 'completed' | 'undone';
}

const createSender = (window: ChatFixture) =>
  new MessageSender(window, {
    formatReference: (name) => name,
    formatContextNote: (name) => name,
    createFile: () => assert.fail('no message is that long'),
    confirmAddAgain: () => assert.fail(),
  });

/** What a person does with the conversation `moss`; `text` is like no other. */
const acts: Record<string, (window: ChatFixture, text: string) => Promise<Done>> = {
  async opens({ chat }) {
    await chat.openWhole('moss');
    return {};
  },
  async lists({ chat }) {
    await chat.load();
    await chat.readListChanges();
    return {};
  },
  async sends(window, text) {
    const { chat, replies } = window;
    if (!(await chat.openConversation('moss'))) return {};
    const result = await createSender(window).send('moss', { text, context: [] });
    await replies.whenDone('moss');
    await chat.queues.whenSettled();
    return result === 'sent' || result === 'queued' ? { sent: text } : {};
  },
  async types({ chat }, text) {
    if (!(await chat.openConversation('moss'))) return {};
    chat.composers.setDraft('moss', text);
    await chat.whenSaved('moss');
    return { draft: text };
  },
  async queues({ chat }, text) {
    if (!(await chat.openConversation('moss'))) return {};
    const message = { id: text, text, context: [] };
    const isQueued = await chat.queues.change('moss', (messages) => [...messages, message], 'stopped');
    return isQueued ? { sent: text } : {};
  },
  async renames({ chat }, text) {
    if (!(await chat.openConversation('moss'))) return {};
    chat.update('moss', { name: text });
    await chat.whenSaved('moss');
    return { name: text };
  },
  async uploads({ chat, uploads }, text) {
    if (!(await chat.openConversation('moss'))) return {};
    const document = `${text}.txt`;
    await uploads.add('moss', createFile(document)).finished;
    await chat.whenSaved('moss');
    return { document };
  },
  async deletes({ chat, remote }) {
    if (!(await chat.openConversation('moss'))) return {};
    if (!(await chat.deleteConversation('moss'))) return {};
    const deleted = (await chat.readDeleted('moss')) ?? assert.fail('it was restored');
    await remote.delete(deleted);
    await chat.purge('moss');
    return { deletion: 'completed' };
  },
  async 'deletes and undoes'({ chat }) {
    if (!(await chat.openConversation('moss'))) return {};
    if (!(await chat.deleteConversation('moss'))) return {};
    assert.ok(await chat.undelete('moss'), 'it was deleted for good');
    return { deletion: 'undone' };
  },
};

const READING = ['opens', 'lists'];

describe('Two windows of which a step on the disk is late keep what they promise when', () => {
  const lanes: ChatFixture[] = [];
  let count = 0;
  before(async () => {
    for (let lane = 0; lane < LANES; lane++) lanes.push(await startChat());
  });
  after(async () => {
    for (const lane of lanes) await lane.close();
  });

  /** Returns the steps of the first window. */
  async function act(
    lane: ChatFixture,
    [first, second]: readonly [string, string],
    late?: FailingStep,
  ): Promise<readonly string[]> {
    const home = await lane.otherMachine();
    const folder = new FailingFolder(late);
    const open = (owner: string, isLate: boolean) =>
      home.otherWindow({ owner, createStorage: (at) => folder.createStorage(at, isLate) });
    const [one, other] = [await open('one', true), await open('other', false)];
    const tag = `LateStep${++count}`;
    other.chat.createConversation({ id: 'echo', name: 'Echo' }, 'moss');
    assert.equal(await other.replies.send('moss', `${tag} zero`), 'sent');
    await other.replies.whenDone('moss');
    await other.chat.whenSaved('moss');
    if (first !== 'opens') await one.chat.openConversation('moss');
    await folder.whenQuiet();
    folder.isCounting = true;
    const doSecond = acts[second]?.(other, `${tag} two`) ?? assert.fail();
    folder.others = doSecond.catch(() => undefined);
    const done = await Promise.all([acts[first]?.(one, `${tag} one`) ?? assert.fail(), doSecond]);
    folder.isCounting = false;
    await folder.whenQuiet();
    for (const { chat, replies, queueRunner } of [one, other]) {
      await chat.load();
      await chat.readListChanges();
      await folder.whenQuiet();
      while (chat.findConversation('moss')?.queue) {
        await queueRunner.resume('moss');
        await replies.whenDone('moss');
        await chat.queues.whenSettled();
      }
      await folder.whenQuiet();
    }
    const fresh = await home.otherWindow({ owner: 'fresh' });
    await fresh.chat.load();
    const found = await fresh.chat.openWhole('moss');
    const isDeleted = done.some(({ deletion }) => deletion === 'completed');
    assert.equal(found === undefined, isDeleted, 'what was deleted');
    for (const window of [one, other, fresh]) {
      if (found) await checkFound(window, done, tag, window === fresh);
      else checkDeleted(window, tag);
    }
    for (const window of [one, other, fresh]) await window.close();
    const left = (await readdir(home.folder)).filter((name) => name !== 'index.json');
    if (!found) assert.deepEqual(left, [], 'the files of a deleted one');
    await home.close();
    return folder.steps;
  }

  const getSaid = ({ service }: ChatFixture) =>
    [...service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));

  async function checkFound(
    window: ChatFixture,
    done: readonly Done[],
    tag: string,
    isFresh: boolean,
  ): Promise<void> {
    const { chat, service } = window;
    const { turns, draft, queue, remote, name } =
      (await chat.openWhole('moss')) ?? assert.fail('it can’t be opened');
    const texts = turns.flatMap((turn) => (turn.kind === 'message' ? [turn.text] : []));
    const documents = turns.flatMap((turn) =>
      turn.kind === 'document' ? [`${turn.name} ${turn.state}`] : [],
    );
    const said = getSaid(window);
    assert.deepEqual(
      texts.filter((text) => text === `${tag} zero`),
      [`${tag} zero`],
    );
    assert.ok(service.conversations.has(remote?.id ?? ''), 'it isn’t on the service');
    const wasDeleted = done.some((each) => each.deletion);
    for (const each of done) {
      if (each.sent !== undefined) {
        const queued = queue?.messages.map(({ text }) => text) ?? [];
        const places = [...texts, ...queued, draft].filter((text) => text === each.sent);
        assert.deepEqual(places, [each.sent], `a message: ${inspect({ texts, queued, draft })}`);
        const count = said.filter((text) => text === each.sent).length;
        // A deletion may stop it after it was stored.
        assert.ok(count === 1 || (count === 0 && wasDeleted), `${count} times on the service`);
      }
      if (each.document !== undefined && !wasDeleted)
        assert.deepEqual(documents, [`${each.document} attached`], 'a document');
      if (isFresh && each.draft !== undefined) assert.equal(draft, each.draft, 'a draft');
      if (isFresh && each.name !== undefined) assert.equal(name, each.name, 'a name');
    }
  }

  function checkDeleted(window: ChatFixture, tag: string): void {
    const { chat } = window;
    assert.equal(chat.findConversation('moss')?.name, undefined, 'a deleted one is open');
    assert.equal(chat.getSummary('moss'), undefined, 'a deleted one is listed');
    assert.ok(
      !getSaid(window).some((text) => text.startsWith(`${tag} zero`)),
      'a deleted one is on the service',
    );
  }

  for (const first of Object.keys(acts))
    for (const second of Object.keys(acts)) {
      if (READING.includes(first) && READING.includes(second)) continue;
      // Of two drafts or names the last one is kept.
      if (first === second && ['types', 'renames', 'uploads'].includes(first)) continue;
      it(`one ${first} while the other ${second}`, async () => {
        const steps = await act(lanes[0] ?? assert.fail(), [first, second]);
        const wanted = process.env.PARLEY_LATE_STEP;
        const left = steps
          .flatMap((step) => (['late', 'answered late'] as const).map((kind) => ({ kind, step })))
          .filter((each, index) =>
            wanted ? `${each.kind} ${each.step}` === wanted : index % repeat(8, 1) === 0,
          )
          .values();
        const broken: string[] = [];
        const work = async (lane: ChatFixture) => {
          for (const late of left) {
            await act(lane, [first, second], late).catch((error: unknown) => {
              broken.push(`${late.kind} ${late.step}: ${inspect(error)}`);
            });
            if (broken.length >= MAX_BROKEN) return;
          }
        };
        await Promise.all(lanes.map(work));
        assert.equal(broken.length, 0, broken.join('\n\n'));
      });
    }
});
