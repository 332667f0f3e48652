import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { exportJson, importJson } from '../../../src/chat/export/conversationFile';
import { Forks } from '../../../src/chat/forks/forks';
import type { Conversation } from '../../../src/chat/model/conversation';
import { moveQueuedMessage, type QueuedMessage } from '../../../src/chat/model/queuedMessage';
import { repeat } from '../../support/repetition';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { FailingFolder, type FailingStep } from '../support/failingStorage';
import { MachineState } from '../support/memoryMirror';
import { createMessageSender } from '../support/messageSender';
import { openMirroredWindow } from '../support/mirroredWindow';
import { createFile } from '../support/person';
import type { Window } from './support/storyRun';

/** Folders that are worked in at the same time, each with a service. */
const LANES = 4;
/** Broken promises of two windows after which no more steps are late. */
const MAX_BROKEN = 3;
/** Looks at a queue after which a window waits for the other one, or for ever. */
const MAX_LOOKS = 400;

/** What a window did. */
interface Done {
  /** A message that was sent or queued. */
  readonly sent?: string;
  readonly draft?: string;
  readonly document?: string;
  readonly name?: string;
  readonly deletion?: 'completed' | 'undone';
  /** What was typed in the editor of a queued message. */
  readonly edited?: string;
  /** Whether the message got that text. */
  readonly isSaved?: boolean;
  /** A queued message that was removed before any window began to send it. */
  readonly removed?: string;
  readonly pinned?: boolean;
  /** Another conversation that begins with the same. */
  readonly fork?: string;
  readonly imported?: string;
}

type Act = (window: Window, text: string) => Promise<Done>;

/** What a person does with the conversation `moss`; `text` is like no other. */
const acts: Record<string, Act> = {
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
    const result = await createMessageSender(window).send('moss', { text, context: [] });
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

/** What a person does with the queue of `moss`, which has a second and a third message. */
const queueActs: Record<string, Act> = {
  async resumes(window) {
    if (!(await window.chat.openConversation('moss'))) return {};
    await window.queueRunner.resume('moss');
    await whenIdle(window);
    return {};
  },
  async 'sends now'(window) {
    await window.chat.openConversation('moss');
    const message = findQueued(window, 'third');
    if (!message || message.sending) return {};
    await window.queueRunner.sendNow('moss', 'third');
    await whenIdle(window);
    return {};
  },
  async stops(window) {
    const { chat, queueRunner, replies } = window;
    if (!(await chat.openConversation('moss'))) return {};
    if (!queueRunner.stop('moss') && chat.findConversation('moss')?.heldByOtherWindow)
      await replies.takeOver('moss');
    await whenIdle(window);
    return {};
  },
  async 'moves one up'({ chat }) {
    if (!(await chat.openConversation('moss'))) return {};
    await chat.queues.change('moss', (messages) => moveQueuedMessage(messages, 'third', -1));
    return {};
  },
  async 'removes one'(window, text) {
    const { chat } = window;
    await chat.openConversation('moss');
    if (!findQueued(window, 'second')) return {};
    let isInTime = false;
    const isChanged = await chat.queues.change('moss', (messages) => {
      isInTime = messages.some(({ id, sending }) => id === 'second' && !sending);
      return messages.filter(({ id }) => id !== 'second');
    });
    return isChanged && isInTime ? { removed: text.replace(/ \w+$/, ' second') } : {};
  },
  async 'edits one'(window, text) {
    const { chat } = window;
    await chat.openConversation('moss');
    if (!findQueued(window, 'second')) return {};
    chat.queues.setEditing('moss', 'second');
    chat.composers.setQueuedEdit('moss', { messageId: 'second', text });
    await chat.whenSaved('moss');
    return { edited: text };
  },
  async 'saves an edit'(window, text) {
    const { chat } = window;
    await chat.openConversation('moss');
    if (!findQueued(window, 'second')) return {};
    chat.queues.setEditing('moss', 'second');
    await saveEdit(window, 'second', text);
    await chat.whenSaved('moss');
    return { edited: text, isSaved: true };
  },
};

/** What a person does with `moss` as a whole. */
const wholeActs: Record<string, Act> = {
  async archives({ chat }) {
    await chat.load();
    await chat.setArchived('moss', true);
    return {};
  },
  async 'lists again'({ chat }) {
    await chat.load();
    await chat.setArchived('moss', false);
    return {};
  },
  async pins({ chat }) {
    if (!(await chat.openConversation('moss'))) return {};
    chat.setPinned('moss', true);
    await chat.whenSaved('moss');
    return { pinned: true };
  },
  async forks(window, text) {
    const { chat, uploads } = window;
    const fork = await new Forks({ chat, uploads }, () => createFile(`${text}.md`), 'fork').create(
      'moss',
      {},
    );
    if (fork === undefined) return {};
    await waitUntil(`${fork} has its transcript`, () => chat.findConversation(fork)?.turns.some(isAttached));
    await chat.whenSaved(fork);
    await chat.whenSaved('moss');
    return { fork };
  },
  async exports({ chat }) {
    const read = await chat.readConversation('moss');
    if (!read) return {};
    const { conversation } = importJson(new TextEncoder().encode(exportJson(read)), () => false);
    assert.match(getTexts(conversation)[0] ?? '', / zero$/, 'the first message isn’t exported');
    return {};
  },
  async imports({ chat }, text) {
    await chat.load();
    const taken = await chat.getTakenIds();
    const isTaken =
      taken.has('moss') || (chat.findConversation('moss') ?? chat.getSummary('moss')) !== undefined;
    const id = isTaken ? `copy-${crypto.randomUUID()}` : 'moss';
    const turns = [{ kind: 'message', id: 'imported', text: `${text} imported`, at: 1 }] as const;
    const about = { name: text, unread: false, pinned: false, draft: '', createdAt: 1 };
    chat.importConversation({ id, bot: { id: 'echo', name: 'Echo' }, turns, ...about });
    await chat.whenSaved(id);
    return { imported: id };
  },
};

const allActs: Record<string, Act> = { ...acts, ...queueActs, ...wholeActs };

/** Those that only read. */
const READING = ['opens', 'lists', 'exports'];

const findQueued = ({ chat }: Window, id: string): QueuedMessage | undefined =>
  chat.findConversation('moss')?.queue?.messages.find((message) => message.id === id);

const getTexts = ({ turns }: Conversation) =>
  turns.flatMap((turn) => (turn.kind === 'message' ? [turn.text] : []));

const isAttached = (turn: Conversation['turns'][number]) =>
  turn.kind === 'document' && turn.state === 'attached';

/** As the panel does. */
async function saveEdit({ chat }: Window, messageId: string, text: string): Promise<void> {
  const { composers, queues } = chat;
  composers.setQueuedEdit('moss', { messageId, text });
  let isInTime = false;
  const isChanged = await queues.change('moss', (messages) =>
    messages.map((message) => {
      if (message.id !== messageId) return message;
      isInTime = !message.sending;
      return { ...message, text };
    }),
  );
  if (!isChanged) return;
  if (isInTime) composers.setQueuedEdit('moss', undefined);
  queues.setEditing('moss', undefined);
}

/** Waits until a window has sent its queue, or doesn't go on with it. */
async function whenIdle({ chat, replies }: Window): Promise<void> {
  const isIdle = () => {
    const { queue, heldByOtherWindow } = chat.findConversation('moss') ?? {};
    return !replies.isBusy('moss') && !heldByOtherWindow && (!queue || queue.paused !== undefined);
  };
  for (let looks = 0; looks < MAX_LOOKS && !isIdle(); looks++) await sleep(5);
  await replies.whenDone('moss');
  await chat.queues.whenSettled();
}

/** Two acts, of which the first one's window has a late step. */
interface Pair {
  readonly acts: readonly [string, string];
  readonly isMirrored?: boolean;
  /** Whether `npm test` leaves out more of its steps. */
  readonly isRare?: boolean;
}

const makePairs = (firsts: Record<string, Act>, seconds: Record<string, Act>): Pair[] =>
  Object.keys(firsts).flatMap((first) => Object.keys(seconds).map((second) => ({ acts: [first, second] })));

const select = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, allActs[name] ?? assert.fail()]));

const ENDING_ACTS = select('opens', 'sends', 'deletes', 'deletes and undoes');
const MIRRORED_ACTS = select('sends', 'resumes', 'types', 'archives', 'deletes', 'deletes and undoes');

/** Of the queue, of the whole conversation, and with a mirror. */
const rarePairs: readonly Pair[] = [
  ...makePairs(queueActs, { ...queueActs, ...ENDING_ACTS }),
  ...makePairs(ENDING_ACTS, queueActs),
  ...makePairs(wholeActs, { ...wholeActs, ...ENDING_ACTS }),
  ...makePairs(ENDING_ACTS, wholeActs),
  ...makePairs(MIRRORED_ACTS, MIRRORED_ACTS).map((pair) => ({ ...pair, isMirrored: true })),
];

const pairs: readonly Pair[] = [
  ...makePairs(acts, acts),
  ...rarePairs
    .filter((_, index) => process.env.PARLEY_LATE_STEP || index % repeat(9, 1) === 0)
    .map((pair) => ({ ...pair, isRare: true })),
];

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
    { acts: [first, second], isMirrored = false }: Pair,
    late?: FailingStep,
  ): Promise<readonly string[]> {
    const home = await lane.otherMachine();
    const folder = new FailingFolder(late);
    const state = new MachineState();
    const errors: unknown[] = [];
    const openMirrored = (isLate: boolean) =>
      openMirroredWindow(home, folder.createStorage(home.folder, isLate), state, (error) =>
        errors.push(error),
      );
    const open = async (owner: string, isLate: boolean): Promise<Window> =>
      isMirrored
        ? openMirrored(isLate)
        : home.otherWindow({ owner, createStorage: (at) => folder.createStorage(at, isLate) });
    const [one, other] = [await open('one', true), await open('other', false)];
    const tag = `LateStep${++count}`;
    if (isMirrored) for (const { chat } of [one, other]) await chat.load();
    other.chat.createConversation({ id: 'echo', name: 'Echo' }, 'moss');
    assert.equal(await other.replies.send('moss', `${tag} zero`), 'sent');
    await other.replies.whenDone('moss');
    // Otherwise the mirror wouldn't list it again.
    if (isMirrored) other.chat.setPinned('moss', true);
    const queued = [first, second].some((name) => name in queueActs) ? ['second', 'third'] : [];
    const queue = queued.map((id) => ({ id, text: `${tag} ${id}`, context: [] }));
    if (queued.length > 0) assert.ok(await other.chat.queues.change('moss', () => queue, 'stopped'));
    await other.chat.whenSaved('moss');
    if (!['opens', 'archives', 'lists again'].includes(first)) await one.chat.openConversation('moss');
    await folder.whenQuiet();
    folder.isCounting = true;
    const doSecond = allActs[second]?.(other, `${tag} two`) ?? assert.fail();
    folder.others = doSecond.catch(() => undefined);
    const done = await Promise.all([allActs[first]?.(one, `${tag} one`) ?? assert.fail(), doSecond]);
    folder.isCounting = false;
    await folder.whenQuiet();
    for (const window of [one, other]) {
      await window.chat.load();
      await window.chat.readListChanges();
      await folder.whenQuiet();
      await sendQueue(
        window,
        done.some(({ deletion }) => deletion),
      );
      await folder.whenQuiet();
    }
    for (const { chat } of [one, other]) await chat.whenSaved('moss');
    const fresh = await home.otherWindow({ owner: 'fresh' });
    await fresh.chat.load();
    const found = await fresh.chat.openWhole('moss');
    const isDeleted = done.some(({ deletion }) => deletion === 'completed');
    const isImported = done.some(({ imported }) => imported === 'moss');
    assert.equal(found === undefined, isDeleted && !isImported, 'what was deleted');
    for (const { fork, imported } of done) {
      const copy = fork ?? imported;
      if (copy !== undefined) await checkCopy(fresh, copy, fork !== undefined);
    }
    for (const window of [one, other, fresh]) {
      if (!found) checkDeleted(window, home, tag);
      else if (!isDeleted) await checkFound(window, home, { done, tag, queued, isFresh: window === fresh });
    }
    if (found) await checkSame([one, other, fresh]);
    for (const window of [one, other, fresh]) await window.close();
    assert.deepEqual(errors, []);
    const copies = done.flatMap(({ fork, imported }) => fork ?? imported ?? []);
    const left = (await readdir(home.folder)).filter(
      (name) => name !== 'index.json' && !copies.some((id) => name.startsWith(`${id}.`)),
    );
    if (!found) assert.deepEqual(left, [], 'the files of a deleted one');
    // Of two windows, the one that archived it may be mirrored last.
    const isArchived = [first, second].includes('archives') ? undefined : (found?.archived ?? false);
    if (isMirrored) await checkRestored(home, () => openMirrored(false), found, isArchived);
    await home.close();
    return folder.steps;
  }

  const getSaid = ({ service }: ChatFixture) =>
    [...service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));

  /** Saves what is being edited, and sends what is queued, unless a deletion stopped it so that nobody knows what became of it. */
  async function sendQueue(window: Window, wasDeleted: boolean): Promise<void> {
    const { chat, queueRunner, replies } = window;
    await chat.openWhole('moss');
    for (let looks = 0; chat.findConversation('moss')?.queue; looks++) {
      const { queue } = chat.findConversation('moss') ?? {};
      if (wasDeleted && queue?.paused === 'maybeSent') return;
      assert.ok(looks < 10, `a queue is stuck: ${inspect(queue)}`);
      const { queuedEdit } = chat.findConversation('moss')?.composing ?? {};
      if (queuedEdit) await saveEdit(window, queuedEdit.messageId, queuedEdit.text);
      await queueRunner.resume('moss');
      await whenIdle(window);
    }
    await waitUntil('the last message is answered', () => !replies.isBusy('moss'));
    await replies.whenDone('moss');
  }

  async function checkFound(
    { chat }: Window,
    home: ChatFixture,
    {
      done,
      tag,
      queued,
      isFresh,
    }: {
      readonly done: readonly Done[];
      readonly tag: string;
      readonly queued: readonly string[];
      readonly isFresh: boolean;
    },
  ): Promise<void> {
    const conversation = (await chat.openWhole('moss')) ?? assert.fail('it can’t be opened');
    const { turns, draft, queue, remote, name, pinned } = conversation;
    const texts = getTexts(conversation);
    const documents = turns.flatMap((turn) =>
      turn.kind === 'document' ? [`${turn.name} ${turn.state}`] : [],
    );
    const said = getSaid(home);
    assert.deepEqual(
      texts.filter((text) => text === `${tag} zero`),
      [`${tag} zero`],
    );
    assert.ok(home.service.conversations.has(remote?.id ?? ''), 'it isn’t on the service');
    const wasDeleted = done.some((each) => each.deletion);
    const unsent = [...(queue?.messages.map(({ text }) => text) ?? []), draft];
    const checkMessage = (wanted: string) => {
      const places = [...texts, ...unsent].filter((text) => text.split('\n\n').includes(wanted));
      assert.deepEqual(places.length, 1, `a message: ${inspect({ wanted, texts, unsent })}`);
      const count = said.filter((text) => text === wanted).length;
      // A deletion may stop it before or after it is sent.
      const isRight = wasDeleted ? count <= 1 : count === (texts.includes(wanted) ? 1 : 0);
      assert.ok(isRight, `${count} times on the service`);
    };
    const edits = done.flatMap(({ edited }) => edited ?? []);
    const isRemoved = done.some((each) => each.removed !== undefined);
    for (const id of queued) {
      if (id === 'third' || (edits.length === 0 && !isRemoved)) checkMessage(`${tag} ${id}`);
      else {
        const about = texts.filter((text) => [`${tag} ${id}`, ...edits].includes(text));
        const count = said.filter((text) => [`${tag} ${id}`, ...edits].includes(text)).length;
        assert.ok(about.length <= 1 && count === about.length, `sent twice: ${inspect({ about, count })}`);
        const places = wasDeleted ? [...about, ...unsent] : about;
        if (!isRemoved)
          assert.ok(places.length > 0, `a queued message is lost: ${inspect({ texts, unsent })}`);
        else if (isFresh) assert.ok(!said.includes(`${tag} ${id}`), 'a removed message was sent');
      }
    }
    for (const { edited, isSaved = false } of done) {
      // Of two texts of one message the last one is kept, and a message can be removed with the text that it just got.
      if (!isFresh || edited === undefined || edits.length > 1 || (isSaved && isRemoved)) continue;
      checkMessage(edited);
    }
    for (const each of done) {
      if (each.sent !== undefined) checkMessage(each.sent);
      if (each.document !== undefined && !wasDeleted)
        assert.deepEqual(documents, [`${each.document} attached`], 'a document');
      if (isFresh && each.draft !== undefined) assert.equal(draft, each.draft, 'a draft');
      if (isFresh && each.name !== undefined) assert.equal(name, each.name, 'a name');
      if (each.pinned) assert.ok(pinned, 'a pin');
      if (each.fork !== undefined)
        assert.ok(
          conversation.forks?.some(({ id }) => id === each.fork),
          'the link to a fork',
        );
    }
  }

  /** Checks that all windows show the same. */
  async function checkSame(windows: readonly Window[]): Promise<void> {
    const shown = [];
    for (const { chat } of windows) {
      const { turns, queue, name, pinned, archived } = (await chat.openWhole('moss')) ?? assert.fail();
      const { archived: isListedArchived } = chat.getSummary('moss') ?? {};
      shown.push({ turns, queue: queue?.messages, name, pinned, archived, isListedArchived });
    }
    for (const each of shown) assert.deepEqual(each, shown.at(-1), 'a window shows something else');
  }

  async function checkCopy({ chat }: Window, id: string, isFork: boolean): Promise<void> {
    const copy = (await chat.openWhole(id)) ?? assert.fail('a copy is gone');
    if (isFork) assert.ok(copy.turns.some(isAttached), 'a fork’s transcript');
    else assert.match(getTexts(copy)[0] ?? '', / imported$/);
  }

  function checkDeleted({ chat }: Window, home: ChatFixture, tag: string): void {
    assert.equal(chat.findConversation('moss')?.name, undefined, 'a deleted one is open');
    assert.equal(chat.getSummary('moss'), undefined, 'a deleted one is listed');
    assert.ok(
      !getSaid(home).some((text) => text.startsWith(`${tag} zero`)),
      'a deleted one is on the service',
    );
  }

  /** Checks what the mirror brings back when the folder is lost. */
  async function checkRestored(
    home: ChatFixture,
    openMirrored: () => ReturnType<typeof openMirroredWindow>,
    found: Conversation | undefined,
    isArchived: boolean | undefined,
  ): Promise<void> {
    for (const name of await readdir(home.folder)) await rm(path.join(home.folder, name));
    const restored = openMirrored();
    const listed = (await restored.list()).map(({ id }) => id);
    assert.deepEqual(listed, found ? ['moss'] : [], 'what the mirror lists');
    if (found) {
      const { pinned, archived, draft } = (await restored.chat.openWhole('moss')) ?? assert.fail();
      assert.deepEqual(
        { pinned, archived: isArchived === undefined ? undefined : (archived ?? false), draft },
        { pinned: found.pinned, archived: isArchived, draft: found.draft },
        'what the mirror keeps',
      );
    }
    await restored.close();
  }

  for (const pair of pairs) {
    const [first, second] = pair.acts;
    if (READING.includes(first) && READING.includes(second)) continue;
    // Of two drafts or names the last one is kept.
    if (first === second && ['types', 'renames', 'uploads'].includes(first)) continue;
    it(`one ${first} while the other ${second}${pair.isMirrored ? ', with a mirror' : ''}`, async () => {
      const steps = await act(lanes[0] ?? assert.fail(), pair);
      const wanted = process.env.PARLEY_LATE_STEP;
      const left = steps
        .flatMap((step) => (['late', 'answered late'] as const).map((kind) => ({ kind, step })))
        .filter((each, index) =>
          wanted ? `${each.kind} ${each.step}` === wanted : index % repeat(pair.isRare ? 40 : 8, 1) === 0,
        )
        .values();
      const broken: string[] = [];
      const work = async (lane: ChatFixture) => {
        for (const late of left) {
          await act(lane, pair, late).catch((error: unknown) => {
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
