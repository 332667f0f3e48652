import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Forks } from '../../../src/chat/forks/forks';
import type { Conversation } from '../../../src/chat/model/conversation';
import type { DocumentTurn, Turn } from '../../../src/chat/model/turn';
import type { MessageSender } from '../../../src/chat/replies/messageSender';
import { DEFAULT_LEASE_TIMES, Leases } from '../../../src/chat/store/files/lease';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import type { LocalService } from '../../service/localService';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from './chatFixture';
import { createEndingStorage, type EndingStorage } from './endingStorage';
import { createMessageSender } from './messageSender';
import { createFile } from './person';

/** A window; when it ends, another one takes its place. */
interface ModelWindow {
  readonly owner: string;
  readonly storage: EndingStorage;
  readonly fixture: ChatFixture;
  readonly sender: MessageSender;
  readonly forks: Forks;
  hasEnded: boolean;
  /** Set when the window is being closed: what it was asked before may happen or not. */
  isClosed?: boolean;
}

/** What the model knows of a conversation. */
export interface ModelConversation {
  readonly id: string;
  /** `new`: a window that ends can lose it; `hidden`: a window is deleting it. */
  state: 'new' | 'there' | 'hidden' | 'deleted';
  /** The texts that were sent or queued, and are on the disk. */
  readonly accepted: Set<string>;
  hasUnknownItem: boolean;
  /** How many deletions were started. */
  deletions: number;
}

/** Windows on one machine that share a folder and a service, and what they were told to do. */
export class ModelWindows {
  readonly conversations: ModelConversation[] = [];
  /** How many windows ended without closing. */
  crashes = 0;
  readonly #main: ChatFixture;
  readonly #windows: ModelWindow[] = [];
  /** Actions that were started, by their windows. */
  readonly #running = new Set<Promise<unknown>>();
  readonly #closing: Promise<unknown>[] = [];
  /** The owners of leases that are alive. */
  readonly #owners = new Set<string>();
  /** What all monotonic clocks show, in ms: it stands still while a lease of a living window has no new heartbeat. */
  #time = 0;
  #beats = new Map<string, string>();
  #pump: Promise<void> | undefined;
  #isPumping = true;
  #count = 0;

  private constructor(main: ChatFixture) {
    this.#main = main;
  }

  static async start(count: number): Promise<ModelWindows> {
    const windows = new ModelWindows(await startChat());
    for (let index = 0; index < count; index++) windows.#windows.push(await windows.#open());
    windows.#pump = windows.#runClock();
    return windows;
  }

  get service(): LocalService {
    return this.#main.service;
  }

  get folder(): string {
    return this.#main.folder;
  }

  get live(): readonly ChatFixture[] {
    return this.#windows.filter(({ hasEnded }) => !hasEnded).map(({ fixture }) => fixture);
  }

  /** Returns a window that is alive: another one, if it has ended. */
  async get(index: number): Promise<ModelWindow> {
    const window = this.#windows[index] ?? assert.fail();
    if (!window.hasEnded) return window;
    const next = await this.#open();
    this.#windows[index] = next;
    return next;
  }

  /** Returns a text or a name that wasn't used before. */
  createName(prefix: string): string {
    return `${prefix} ${++this.#count}`;
  }

  async import(index: number): Promise<void> {
    const { fixture } = await this.get(index);
    const turns = [{ kind: 'message', id: crypto.randomUUID(), text: 'Imported', at: 1 }] as const;
    const bot = { id: 'echo', name: 'Echo' };
    const about = { name: 'Imported', bot, unread: false, pinned: false, draft: '', createdAt: 1 };
    const id = crypto.randomUUID();
    fixture.chat.importConversation({ id, turns, ...about });
    this.#add(fixture, id);
  }

  async send(index: number, conversation: ModelConversation): Promise<void> {
    const { sender, fixture } = await this.get(index);
    if (!(await this.#openConversation(fixture, conversation))) return;
    const text = this.createName('Message');
    const { deletions, state } = conversation;
    this.#run(async () => {
      const result = await sender.send(conversation.id, { text, context: [] });
      if (result !== 'sent' && result !== 'queued') return;
      await fixture.chat.whenSaved(conversation.id);
      // What is sent while a window deletes the conversation may go with it.
      if (conversation.deletions === deletions && state !== 'hidden') conversation.accepted.add(text);
    });
  }

  async upload(index: number, conversation: ModelConversation): Promise<void> {
    const { fixture } = await this.get(index);
    if (!(await this.#openConversation(fixture, conversation))) return;
    const { finished } = fixture.uploads.add(conversation.id, createFile(`${this.createName('file')}.txt`));
    this.#run(() => finished);
  }

  /** Stops the reply, whichever window it streams in. */
  async stop(index: number, conversation: ModelConversation): Promise<void> {
    const { fixture } = await this.get(index);
    if (!(await this.#openConversation(fixture, conversation))) return;
    if (!fixture.queueRunner.stop(conversation.id))
      this.#run(() => fixture.replies.takeOver(conversation.id));
  }

  async resume(index: number, conversation: ModelConversation): Promise<void> {
    const { fixture } = await this.get(index);
    if (!(await this.#openConversation(fixture, conversation))) return;
    this.#run(() => fixture.queueRunner.resume(conversation.id));
  }

  async fork(index: number, conversation: ModelConversation): Promise<void> {
    const { fixture, forks } = await this.get(index);
    if (!(await this.#openConversation(fixture, conversation))) return;
    const id = await forks.create(conversation.id, {}).catch(() => undefined);
    if (id !== undefined) this.#add(fixture, id);
  }

  async rename(index: number, conversation: ModelConversation): Promise<void> {
    const { fixture } = await this.get(index);
    if (!(await this.#openConversation(fixture, conversation))) return;
    this.#run(() => fixture.remote.rename(conversation.id, this.createName('Name')));
  }

  async pin(index: number, conversation: ModelConversation): Promise<void> {
    const { fixture } = await this.get(index);
    const found = await this.#openConversation(fixture, conversation);
    if (found) fixture.chat.setPinned(conversation.id, !found.pinned);
  }

  /** Deletes the conversation, and then undoes that, or completes it. */
  async delete(index: number, conversation: ModelConversation, undo: boolean): Promise<void> {
    const window = await this.get(index);
    const { fixture } = window;
    const { chat, remote } = fixture;
    const { id } = conversation;
    if (conversation.state !== 'there' || !(await this.#openConversation(fixture, conversation))) return;
    conversation.state = 'hidden';
    conversation.deletions++;
    conversation.hasUnknownItem = false;
    this.#run(async () => {
      await this.stop(index, conversation);
      const place = chat.getRemotePlace(id);
      await chat.deleteConversation(id);
      // The user has ten seconds to undo it, in which the other windows hear of it.
      await waitUntil('all windows know', () => this.live.every((each) => !each.chat.findConversation(id)));
      if (undo) await chat.undelete(id);
      else {
        await remote.delete({ ...(place && { remote: place }) });
        await chat.purge(id);
      }
      // The deletions of a window that closes are completed by the next one, as there is nobody to undo them.
      if (undo && window.isClosed) return;
      conversation.state = undo ? 'there' : 'deleted';
    });
  }

  /** Adds an item to the queue that only a newer version knows. */
  async addUnknownItem(conversation: ModelConversation): Promise<void> {
    const { deletions, state } = conversation;
    if (state !== 'there') return;
    const storage = new NodeStorage(this.folder);
    const owner = this.createName('newer version');
    this.#owners.add(owner);
    const leases = new Leases(storage, owner, this.#getLeaseTimes());
    const name = `${conversation.id}.queue`;
    this.#run(async () => {
      const lease = await leases.waitFor(name);
      const bytes = await storage.readFile(name);
      const items = bytes ? JSON.parse(new TextDecoder().decode(bytes)) : [];
      const all = JSON.stringify([...items, { id: 'newer', kind: 'spoken' }]);
      await storage.replaceFile(name, new TextEncoder().encode(all));
      // As every version does when it hears of a deletion.
      if (!(await storage.statFile(`${conversation.id}.jsonl`))) await storage.removeFile(name);
      conversation.hasUnknownItem = conversation.deletions === deletions && state === 'there';
      await lease.release();
      this.#owners.delete(owner);
    });
  }

  /** Ends a window without closing it, after a number of steps on its disk. */
  async crash(index: number, steps: number): Promise<void> {
    (await this.get(index)).storage.endAfter(steps);
  }

  async restart(index: number): Promise<void> {
    const window = await this.get(index);
    window.isClosed = true;
    await window.fixture.close().catch((error: unknown) => {
      if (!window.hasEnded) throw error;
    });
    if (!window.hasEnded) this.#windows[index] = await this.#open();
  }

  /** Waits until every action of a living window has ended. */
  async rest(): Promise<void> {
    for (const { storage, hasEnded } of this.#windows)
      if (!hasEnded) storage.endAfter(Number.POSITIVE_INFINITY);
    for (const index of this.#windows.keys()) await this.get(index);
    await waitUntil('all actions have ended', () => this.#running.size === 0);
    for (const fixture of this.live) await fixture.chat.readListChanges();
    let work: readonly string[] = [];
    await waitUntil('nothing is at work', () => {
      work = this.live.flatMap((each) => this.#describeWork(each));
      return work.length === 0;
    }).catch((error: unknown) => assert.fail(`${error}: ${work.join('; ')}`));
  }

  /** Opens one more window. */
  async openNew(): Promise<ChatFixture> {
    const window = await this.#open();
    this.#windows.push(window);
    return window.fixture;
  }

  async close(): Promise<void> {
    for (const { fixture, hasEnded } of this.#windows) {
      if (hasEnded) continue;
      // A window that reads what another is deleting may fail to.
      fixture.takeErrors();
      await fixture.close();
    }
    this.#isPumping = false;
    await this.#pump;
    await Promise.all(this.#closing);
    await this.#main.close();
  }

  /** Returns what a window is still doing. */
  #describeWork({ chat, replies, uploads }: ChatFixture): readonly string[] {
    return this.conversations.flatMap(({ id }) => {
      const { queue, turns = [], heldByOtherWindow } = chat.findConversation(id) ?? {};
      const isOpen = (turn: Turn) => {
        if (turn.kind === 'message') return false;
        if (turn.kind === 'reply') return turn.ending === undefined;
        // A window may go on showing the upload of another one that has ended.
        return isUploading(turn) && uploads.find(turn.id) !== undefined;
      };
      return [
        ...(queue && !queue.paused ? [`a queue: ${JSON.stringify(queue)}`] : []),
        ...turns.filter(isOpen).map((turn) => JSON.stringify(turn)),
        ...(replies.isBusy(id) ? ['a reply'] : []),
        ...(heldByOtherWindow ? ['another window'] : []),
      ];
    });
  }

  /** Adds a conversation that a window has created. */
  #add({ chat }: ChatFixture, id: string): void {
    const added: ModelConversation = {
      id,
      state: 'new',
      accepted: new Set(),
      hasUnknownItem: false,
      deletions: 0,
    };
    this.conversations.push(added);
    this.#run(async () => {
      await chat.whenSaved(id);
      if (added.state === 'new') added.state = 'there';
    });
  }

  async #openConversation(
    { chat }: ChatFixture,
    { id }: ModelConversation,
  ): Promise<Conversation | undefined> {
    return chat.openWhole(id).catch(() => undefined);
  }

  /** Starts an action; what a window that ended doesn't finish is no failure. */
  #run(action: () => Promise<unknown>): void {
    const running = action()
      .catch(() => undefined)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #open(): Promise<ModelWindow> {
    const owner = this.createName('window');
    let storage: EndingStorage | undefined;
    const window: { -readonly [K in keyof ModelWindow]?: ModelWindow[K] } = { owner, hasEnded: false };
    const onEnd = () => {
      window.hasEnded = true;
      this.#owners.delete(owner);
      this.crashes++;
      this.#closing.push((async () => (await opening).close())().catch(() => undefined));
    };
    this.#owners.add(owner);
    const opening = this.#main.otherWindow({
      owner,
      leaseTimes: this.#getLeaseTimes(),
      createStorage: (folder) => {
        storage = createEndingStorage(folder, onEnd);
        return storage;
      },
      wrapFetch:
        (fetch) =>
        async (...request) => {
          if (window.hasEnded) throw new Error('The window has ended.');
          return fetch(...request);
        },
    });
    const fixture = await opening;
    const { chat, uploads, remote } = fixture;
    const sender = createMessageSender(fixture, { confirmAddAgain: async () => true });
    const createTranscript = () => createFile(`${this.createName('transcript')}.md`);
    const forks = new Forks({ chat, uploads }, createTranscript, 'fork');
    Object.assign(window, { storage, fixture, sender, forks });
    await chat.load();
    this.#run(() => remote.completeDeletions());
    return window as ModelWindow;
  }

  #getLeaseTimes() {
    return { ...DEFAULT_LEASE_TIMES, heartbeatMs: 5, staleMs: 40, now: () => this.#time };
  }

  async #runClock(): Promise<void> {
    while (this.#isPumping) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const { beats, isClaiming } = await this.#readBeats();
      const isQuiet = [...beats].some(([name, beat]) => this.#beats.get(name) === beat);
      if (isQuiet || isClaiming) continue;
      this.#beats = beats;
      this.#time += 10;
    }
  }

  /** Returns the leases of living windows, and whether one of them is taking over another lease: claims have no heartbeats. */
  async #readBeats(): Promise<{ readonly beats: Map<string, string>; readonly isClaiming: boolean }> {
    const beats = new Map<string, string>();
    let isClaiming = false;
    const read = (name: string) => readFile(path.join(this.folder, name), 'utf8').catch(() => '');
    for (const name of await readdir(this.folder)) {
      const [, claimed, token] = /^(.*\.lease.*)-(\w+)$/.exec(name) ?? [];
      if (!claimed && !name.endsWith('.lease')) continue;
      const text = await read(name);
      if (!this.#owners.has(text.split(' ').slice(2).join(' ').trim())) continue;
      if (!claimed) beats.set(name, text);
      // After a takeover, the claim stays.
      else isClaiming ||= (await read(claimed)).startsWith(`${token} `);
    }
    return { beats, isClaiming };
  }
}

export const isUploading = ({ state }: DocumentTurn) => !['attached', 'failed', 'cancelled'].includes(state);
