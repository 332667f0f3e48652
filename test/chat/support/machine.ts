import assert from 'node:assert/strict';
import type { ReplyTurn } from '../../../src/chat/model/turn';
import { ServiceConversations } from '../../../src/chat/remote/serviceConversations';
import type { ChatFixture } from './chatFixture';

/** A machine with its own clock. */
export class Machine {
  readonly fixture: ChatFixture;
  /** The conversations that only the service has. */
  readonly fromService: ServiceConversations;
  now = Date.now();

  constructor(fixture: ChatFixture) {
    this.fixture = fixture;
    const { chat, connect } = fixture;
    fixture.useClock(() => this.now);
    const names = new Map<string, string>();
    const bots = {
      named: (id: string) => ({ id, name: names.get(id) ?? id }),
      async listBots() {
        const { items } = await connect().client.listBots();
        for (const { id, name } of items) names.set(id, name);
        return items;
      },
    };
    this.fromService = new ServiceConversations(chat, this.messageSync, connect, bots, () => this.now);
  }

  get chat() {
    return this.fixture.chat;
  }

  get messageSync() {
    return this.fixture.messageSync;
  }

  /** Sends a message and waits for the reply. */
  async say(id: string, text: string): Promise<ReplyTurn> {
    assert.equal(await this.fixture.replies.send(id, text), 'sent');
    return this.fixture.ended(id);
  }

  /** Refreshes again, long after the last time. */
  async lookLater(id: string): Promise<void> {
    this.now += 31_000;
    await this.messageSync.fetchMessages(id);
  }

  texts(id: string): string[] {
    return (this.chat.findConversation(id)?.turns ?? []).map((turn) =>
      turn.kind === 'document' ? turn.name : turn.text,
    );
  }

  reply(id: string): ReplyTurn {
    const turn = this.chat.findConversation(id)?.turns.findLast(({ kind }) => kind === 'reply');
    assert.ok(turn?.kind === 'reply');
    return turn;
  }

  close(): Promise<void> {
    return this.fixture.close();
  }
}
