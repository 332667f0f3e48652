import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation } from '../../../../src/chat/model/conversation';
import { DEFAULT_LEASE_TIMES } from '../../../../src/chat/store/files/lease';
import { type ContextChip, composeMessage } from '../../../../src/shared/conversation/message';
import { type ChatFixture, sendAgain } from '../../support/chatFixture';
import { FailingFolder, type FailingStep } from '../../support/failingStorage';
import { createMessageSender } from '../../support/messageSender';
import { createFile } from '../../support/person';

/** After so many looks at something that doesn't come, it never will. */
const MAX_LOOKS = 2000;

/** Real time between heartbeats, and until a lease that has none counts as stale, as the windows' clock goes. */
const LEASE_TIMES = { heartbeatMs: 50, staleMs: 50 };
/** How often that clock goes on, and by how much: a lease that is held has a heartbeat in between. */
const TICK_MS = 60;
const TICK = 20;

const BOT = { id: 'echo', name: 'Echo' };

/** What a window is asked for; the one with a mirror has more. */
export type Window = Pick<
  ChatFixture,
  'chat' | 'remote' | 'replies' | 'uploads' | 'queueRunner' | 'messageSync' | 'connect'
> & { close(): Promise<void> };

/** What must be there of a conversation, or that it was deleted. */
export interface Expected {
  /** The texts of all messages, in order. */
  readonly messages: readonly string[];
  /** How many of them came with the conversation, without replies and without being sent. */
  readonly imported?: number;
  /** How the replies ended that aren't complete, by the texts of their messages. */
  readonly interrupted?: Readonly<Record<string, string>>;
  readonly documents?: readonly string[];
  readonly draft?: string;
  readonly chips?: readonly string[];
  readonly queued?: readonly string[];
  readonly queuedEdit?: string;
  readonly name?: string;
  readonly pinned?: boolean;
  readonly archived?: boolean;
}

export const createChip = (name: string): ContextChip => ({ id: name, kind: 'selection', name, text: name });

/** A story of a person at a window in which a step fails, with a second window on the same folder. */
export class StoryRun {
  /** What must be there in the end, by the conversations' IDs. */
  readonly expected = new Map<string, Expected | 'deleted'>();
  readonly folder: FailingFolder;
  /** At the start of each text and name, which no other run uses. */
  readonly tag: string;
  /** What was typed and may be anywhere, by the conversations' IDs. */
  readonly typed = new Map<string, readonly string[]>();
  /** Opens the window in which a step fails. */
  openWindow: () => Promise<Window> | Window = () => this.#open('one', true);
  /** The windows that must show everything by themselves, besides a new one. */
  complete: readonly ('one' | 'other')[] = ['one', 'other'];
  readonly #home: ChatFixture;
  #window: Window | undefined;
  #other: ChatFixture | undefined;
  #time = 0;
  #isOver = false;

  constructor(home: ChatFixture, tag: string, failing?: FailingStep) {
    this.#home = home;
    this.tag = tag;
    this.folder = new FailingFolder(failing);
  }

  get home(): ChatFixture {
    return this.#home;
  }

  get window(): Window {
    return this.#window ?? assert.fail('no window');
  }

  get other(): ChatFixture {
    return this.#other ?? assert.fail('no other window');
  }

  /** Opens both windows; steps are counted from then on. `prepare` runs before, when only the other one is open. */
  async start(prepare: () => Promise<void>): Promise<void> {
    void this.#runClock();
    this.#other = await this.#open('other', false);
    await this.other.chat.load();
    await prepare();
    await this.folder.whenQuiet();
    this.folder.isCounting = true;
    this.#window = await this.openWindow();
  }

  /** Opens a window whose steps can fail, in the place of the one that was closed. */
  async restart(): Promise<void> {
    await this.#close(this.window);
    this.#window = await this.openWindow();
  }

  /** Does something, and again if the window says that it failed. */
  async insist<T>(act: () => Promise<T>, isDone: (result: T) => boolean = () => true): Promise<T> {
    try {
      const result = await act();
      if (isDone(result)) return result;
      assert.ok(this.folder.hasFailed, `refused without a reason: ${result}`);
    } catch (error) {
      if (!this.folder.isFailure(error)) throw error;
    }
    let result: T;
    try {
      result = await act();
    } catch (error) {
      throw new Error('it fails a second time', { cause: error });
    }
    assert.ok(isDone(result), `it is refused a second time: ${result}`);
    return result;
  }

  /** Lists all conversations, as when the window gets the focus. */
  async list({ chat } = this.window): Promise<void> {
    await this.insist(() => chat.load());
    await this.insist(() => chat.readListChanges());
  }

  /** Opens a conversation with all its turns. */
  async open(id: string, { chat } = this.window): Promise<Conversation> {
    return (await this.insist(() => chat.openWhole(id))) ?? assert.fail('it can’t be opened');
  }

  text(text: string): string {
    return `${this.tag} ${text}`;
  }

  expectation(id: string): Partial<Expected> {
    const expected = this.expected.get(id);
    return expected === undefined || expected === 'deleted' ? {} : expected;
  }

  expect(id: string, change: Partial<Expected>): void {
    this.expected.set(id, { messages: [], ...this.expectation(id), ...change });
  }

  /** Types a text, adds chips and sends both, until the reply is there. */
  async send(id: string, text: string, chips: readonly string[] = [], window = this.window): Promise<void> {
    const { chat } = window;
    chat.composers.setDraft(id, this.text(text));
    if (chips.length > 0) chat.composers.addContext(id, chips.map(createChip));
    await this.submit(id, window);
    await this.settle(id, window);
  }

  /** Sends what is in the composer; resolves when it was sent or queued. */
  async submit(id: string, window = this.window): Promise<'sent' | 'queued'> {
    const { draft = '', composing } = window.chat.findConversation(id) ?? {};
    const { context = [] } = composing ?? {};
    const result = await this.insist(
      async () => {
        const now = window.chat.findConversation(id);
        assert.equal(now?.draft, draft, 'the text left the composer without being sent');
        assert.deepEqual(
          now?.composing?.context ?? [],
          context,
          'chips left the composer without being sent',
        );
        const sender = createMessageSender(window, { confirmAddAgain: async () => true });
        return sender.send(id, { text: draft, context: context.map((chip) => chip.id) });
      },
      (answer) => answer === 'sent' || answer === 'queued',
    );
    const { messages = [] } = this.expectation(id);
    this.expect(id, { messages: [...messages, composeMessage(draft, context)] });
    return result as 'sent' | 'queued';
  }

  /** Waits until a window has sent and saved everything; resumes what is paused, and repeats what failed. */
  async settle(id: string, { chat, replies, queueRunner } = this.window): Promise<void> {
    await this.until('everything is sent', async () => {
      const { queue, turns = [], heldByOtherWindow } = chat.findConversation(id) ?? {};
      if (queue?.paused) {
        assert.ok(this.folder.hasFailed, `the queue is paused: ${queue.paused}`);
        await queueRunner.resume(id);
        return false;
      }
      const last = turns.findLast((turn) => turn.kind !== 'document');
      if (replies.isBusy(id) || queue || heldByOtherWindow || last?.kind !== 'reply') return false;
      if (last.ending === undefined) return false;
      if (last.ending === 'complete') return true;
      assert.ok(this.folder.hasFailed, `the reply ended as ${last.ending}`);
      await replies.retry(id, last.id, sendAgain);
      return false;
    });
    await this.save(id, { chat, replies });
  }

  /** Waits until everything is on the disk. */
  async save(id: string, { chat, replies }: Pick<Window, 'chat' | 'replies'> = this.window): Promise<void> {
    await replies.whenDone(id);
    await chat.queues.whenSettled();
    await chat.whenSaved(id).catch((error: unknown) => assert.ok(this.folder.isFailure(error), `${error}`));
    await chat.whenSaved(id);
    await this.folder.whenQuiet();
  }

  /** Deletes a conversation for good, as the list does. */
  async purge(id: string, { chat, remote } = this.window): Promise<void> {
    await this.insist(async () => remote.delete((await chat.readDeleted(id)) ?? {}));
    // What can't be removed now is removed at the next start.
    await chat.purge(id).catch((error: unknown) => assert.ok(this.folder.isFailure(error), `${error}`));
    this.expected.set(id, 'deleted');
  }

  async upload(id: string, name: string, { uploads } = this.window): Promise<void> {
    await uploads.add(id, createFile(name)).finished;
    this.expect(id, { documents: [name] });
  }

  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    for (let looks = 0; !(await condition()); looks++) {
      assert.ok(looks < MAX_LOOKS, `never: ${what}`);
      await sleep(5);
    }
  }

  /** Checks all promises in the windows that are open, and in one that opens then. */
  async check(): Promise<void> {
    for (const name of this.complete) {
      const window = name === 'one' ? this.window : this.other;
      const { chat } = window;
      await this.list(window);
      await this.folder.whenQuiet();
      for (const [id, expected] of this.expected) {
        if (expected !== 'deleted') {
          await this.open(id, window);
          await this.#checkTurns(id, expected, window);
        } else assert.ok(!chat.findConversation(id), 'a deleted conversation is still open');
      }
      this.#checkList(window);
    }
    this.folder.isCounting = false;
    await this.#close(this.window);
    await this.#close(this.other);
    this.#window = undefined;
    this.#other = undefined;
    // All windows are gone.
    const fresh = await this.#open('fresh', false, DEFAULT_LEASE_TIMES.now);
    this.#other = fresh;
    await fresh.chat.load();
    await fresh.remote.completeDeletions();
    await this.folder.whenQuiet();
    for (const [id, expected] of this.expected) {
      if (expected === 'deleted') await this.#checkDeleted(id, fresh);
      else {
        await fresh.chat.openWhole(id);
        await this.#checkTurns(id, expected, fresh);
        this.#checkComposer(id, expected, fresh);
        await this.until(
          'no window seems to write',
          () => !fresh.chat.findConversation(id)?.heldByOtherWindow,
        );
      }
    }
    this.#checkList(fresh);
    this.#checkService(fresh);
    await this.#close(fresh);
    this.#other = undefined;
  }

  /** Closes what is open. */
  async end(): Promise<void> {
    this.folder.isCounting = false;
    try {
      for (const window of [this.#window, this.#other]) if (window) await this.#close(window);
    } finally {
      this.#isOver = true;
    }
  }

  async #runClock(): Promise<void> {
    while (!this.#isOver) {
      await sleep(TICK_MS, undefined, { ref: false });
      await this.folder.whenQuiet();
      this.#time += TICK;
    }
  }

  async #open(owner: string, isFailing: boolean, now = () => this.#time): Promise<ChatFixture> {
    return this.#home.otherWindow({
      owner,
      leaseTimes: { ...LEASE_TIMES, now },
      createStorage: (folder) => this.folder.createStorage(folder, isFailing),
    });
  }

  async #close(window: Window | ChatFixture): Promise<void> {
    await this.folder.whenQuiet();
    if ('takeErrors' in window) this.checkErrors(window.takeErrors());
    try {
      await window.close();
    } catch (error) {
      // What it reports while it is closed.
      if (!(error instanceof assert.AssertionError && Array.isArray(error.actual)))
        throw new Error('it can’t be closed', { cause: error });
      this.checkErrors(error.actual);
    }
  }

  /** Throws an error that isn't because of the step that fails. */
  checkErrors(errors: readonly unknown[]): void {
    for (const error of errors) if (!this.folder.isFailure(error)) throw error;
  }

  async #checkTurns(id: string, expected: Expected, { chat }: Window): Promise<void> {
    const {
      turns = [],
      unsaved,
      name,
      pinned,
      archived,
    } = chat.findConversation(id) ?? assert.fail('not open');
    const ids = turns.map((turn) => turn.id);
    assert.deepEqual(ids, [...new Set(ids)], 'a turn is there twice');
    const messages = turns.filter((turn) => turn.kind === 'message');
    assert.deepEqual(
      messages.map(({ text }) => text),
      expected.messages,
      'the messages',
    );
    for (const message of messages.slice(expected.imported ?? 0)) {
      const replies = turns.filter((turn) => turn.kind === 'reply' && turn.messageId === message.id);
      const endings = replies.map((turn) => turn.kind === 'reply' && turn.ending);
      const ending = expected.interrupted?.[message.text] ?? 'complete';
      assert.deepEqual(endings, [ending], `the replies to “${message.text}”`);
    }
    const { messages: onService } = this.#home.service;
    const said = [...onService.values()].flatMap(({ machine, content }) => (machine ? [content] : []));
    for (const turn of turns) {
      if (turn.kind !== 'reply' || turn.ending !== 'complete') continue;
      assert.ok(said.includes(turn.text), `a reply isn’t whole: “${turn.text}”`);
    }
    const documents = turns.flatMap((turn) => (turn.kind === 'document' ? [[turn.name, turn.state]] : []));
    assert.deepEqual(
      documents,
      (expected.documents ?? []).map((each) => [each, 'attached']),
      'the documents',
    );
    assert.ok(!unsaved, 'it counts as unsaved');
    assert.equal(pinned, expected.pinned ?? false, 'the pin');
    assert.equal(archived ?? false, expected.archived ?? false, 'the archive state');
    if (expected.name !== undefined) assert.equal(name, expected.name, 'the name');
  }

  #checkComposer(id: string, expected: Expected, { chat }: Window): void {
    const { draft, composing, queue } = chat.findConversation(id) ?? assert.fail();
    const typed = this.typed.get(id) ?? [];
    const isEdited = queue?.messages.some(
      ({ id: messageId }) => messageId === composing?.queuedEdit?.messageId,
    );
    const shown = [draft, queue, isEdited && composing?.queuedEdit];
    for (const text of typed) assert.ok(JSON.stringify(shown).includes(text), `“${text}” is lost`);
    if (typed.length > 0) return;
    assert.equal(draft, expected.draft ?? '', 'the draft');
    assert.deepEqual(
      (composing?.context ?? []).map((chip) => chip.id),
      expected.chips ?? [],
      'the chips',
    );
    assert.deepEqual(
      (queue?.messages ?? []).map(({ text }) => text),
      expected.queued ?? [],
      'the queue',
    );
    assert.equal(
      composing?.queuedEdit?.text,
      expected.queuedEdit,
      'the text in the editor of a queued message',
    );
  }

  async #checkDeleted(id: string, { chat }: Window): Promise<void> {
    assert.equal(await chat.openConversation(id), undefined, 'a deleted conversation is back');
    const left = (await readdir(this.#home.folder)).filter((name) => name.startsWith(`${id}.`));
    assert.deepEqual(
      left.filter((name) => !name.includes('.lease')),
      [],
      'a deleted conversation has files',
    );
  }

  #checkList({ chat }: Window): void {
    const there = [...this.expected].flatMap(([id, expected]) => (expected === 'deleted' ? [] : [id]));
    assert.deepEqual(
      chat
        .listConversations()
        .map(({ id }) => id)
        .toSorted(),
      there.toSorted(),
      'the list',
    );
  }

  #checkService({ chat, service }: ChatFixture): void {
    const there = [...this.expected].flatMap(([id, expected]) =>
      expected === 'deleted' ? [] : [{ id, expected }],
    );
    const remoteIds = there.flatMap(({ id }) => chat.findConversation(id)?.remote?.id ?? []);
    const own = [...service.conversations.values()].filter(({ name }) => name.startsWith(this.tag));
    assert.deepEqual(
      own.map(({ id }) => id).toSorted(),
      remoteIds.toSorted(),
      'the conversations on the service',
    );
    const onService = [...service.messages.values()];
    const sent = onService.flatMap(({ machine, content }) =>
      machine || !content.startsWith(this.tag) ? [] : [content],
    );
    const expected = there.flatMap((each) => each.expected.messages.slice(each.expected.imported ?? 0));
    assert.deepEqual(sent.toSorted(), expected.toSorted(), 'the messages on the service');
    const names = there.flatMap((each) => each.expected.documents ?? []);
    const documents = [...service.documents.values()].filter((each) =>
      remoteIds.includes(each.conversation_id ?? ''),
    );
    assert.deepEqual(
      documents.map(({ name }) => name).toSorted(),
      names.toSorted(),
      'the documents on the service',
    );
  }
}

export const createConversation = ({ chat }: Window, id: string) => chat.createConversation(BOT, id);
