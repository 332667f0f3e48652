import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { findDocument } from '../../../src/chat/model/conversation';
import type { DocumentTurn, ReplyTurn } from '../../../src/chat/model/turn';
import { Sources } from '../../../src/chat/remote/replySources';
import { openBytes } from '../../../src/host/platform/openBytes';
import { getReadiness } from '../../../src/shared/view/documentReadiness';
import { waitUntil } from '../../support/waitUntil';
import type { ChatFixture } from './chatFixture';
import { confirmed } from './confirmed';
import { Machine } from './machine';

/** A message as its sender knows it. */
export interface SentMessage {
  readonly text: string;
  readonly turnId: string;
  readonly replyId: string;
}

/** What a person did in a conversation. */
interface Actions {
  readonly sent: SentMessage[];
  /** The IDs of the turns. */
  readonly uploads: string[];
}

/** A person at a machine, who remembers what they did. */
export class Person extends Machine {
  readonly sources: Sources;
  readonly #actions = new Map<string, Actions>();

  constructor(fixture: ChatFixture) {
    super(fixture);
    this.sources = new Sources(fixture.chat, fixture.remote, fixture.connect);
  }

  did(id: string): Actions {
    const actions = this.#actions.get(id) ?? { sent: [], uploads: [] };
    this.#actions.set(id, actions);
    return actions;
  }

  /** Sends a message, and waits until its reply has ended and was looked up. */
  async ask(id: string, text: string, webSearch = false): Promise<ReplyTurn> {
    const { replies } = this.fixture;
    assert.equal(await replies.send(id, text, webSearch ? { webSearch } : {}), 'sent');
    const reply = await this.fixture.ended(id);
    await replies.whenDone(id);
    await this.sources.whenSettled(id);
    this.did(id).sent.push({ text, turnId: reply.messageId, replyId: reply.id });
    return reply;
  }

  async upload(id: string, name: string): Promise<string> {
    const { turnId, finished } = this.fixture.uploads.add(id, createFile(name));
    await finished;
    this.did(id).uploads.push(turnId);
    return turnId;
  }

  findUpload(id: string, turnId: string): DocumentTurn {
    return findDocument(this.chat.findConversation(id), turnId) ?? assert.fail('The upload isn’t there.');
  }

  /** Shows the conversation, and waits until its documents were listed as far as the service lists them. */
  async show(id: string): Promise<void> {
    const { fixture } = this;
    const remoteId = this.chat.findConversation(id)?.remote?.id ?? assert.fail();
    const countLists = () =>
      fixture.service.requests.filter(
        ({ path }) => path.includes('/documents?') && path.endsWith(`conversation_id=${remoteId}`),
      ).length;
    const before = countLists();
    const mayList = () => fixture.connect().capabilities.has('GET /documents');
    const isPending = (turnId: string) => getReadiness(this.findUpload(id, turnId)) === 'pending';
    await waitUntil('the documents are listed', () => {
      if (countLists() > before) return true;
      // Where there is no list, an upload is ready once its conversation is shown.
      if (!mayList() && !this.did(id).uploads.some(isPending)) return true;
      // While a queued message waits for a document, hiding the conversation changes nothing.
      this.hide();
      fixture.documentStatus.setVisible(new Set([id]));
      fixture.focusSync.setVisible(new Set([id]));
      return false;
    });
    await this.whenQuiet();
  }

  hide(): void {
    this.fixture.documentStatus.setVisible(new Set());
    this.fixture.focusSync.setVisible(new Set());
  }

  /** Resolves when this machine has got the answers to its requests. */
  async whenQuiet(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await setImmediate();
      if (this.fixture.countRunningRequests() > 0) quiet = -1;
    }
  }

  override async close(): Promise<void> {
    this.sources.dispose();
    await super.close();
  }
}

export function createFile(name: string) {
  const open = () => openBytes(new TextEncoder().encode('Moss is green.'));
  return confirmed({ name, contentType: 'text/plain', opened: open(), reopen: async () => open() });
}
