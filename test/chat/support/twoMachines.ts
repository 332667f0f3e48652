import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { Bot } from '../../service/bots/bot';
import type { LocalService } from '../../service/localService';
import { waitUntil } from '../../support/waitUntil';
import { startChat } from './chatFixture';
import { type Answers, type GeneratedService, readAnswers } from './generatedService';
import { createFile, Person } from './person';

const QUEUED = 'And what else?';
const FORBIDDEN = 'How to cheat?';
/** The message whose reply breaks, and what the reply says after that. */
const BROKEN = 'Tell me all';
const REST = 'the answer';

/** What happens in a conversation that is open on two machines, A and B. */
export const generatedPlans = fc.record({
  /** What was said and uploaded on a third machine before. */
  earlierMessages: fc.constantFrom(0, 1, 8),
  earlierFiles: fc.constantFrom(0, 1, 12),
  steps: fc.array(
    fc.record({
      by: fc.constantFrom('a', 'b'),
      act: fc.oneof(
        fc.constantFrom('Yes', '42', 'Go on', FORBIDDEN).map((say) => ({ say })),
        fc
          .constantFrom('knowledge.txt', 'app.ts.txt', '2024.md', 'release-notes_2.md')
          .map((upload) => ({ upload })),
        fc.constantFrom({ searchTheWeb: 'What is new?' }, { look: true }),
      ),
    }),
    { maxLength: 6 },
  ),
  /** What A gets of a reply before its stream breaks, and what B does until the history has the rest. */
  beginning: fc.constantFrom('', 'Half of '),
  meanwhile: fc.subarray(['say', 'look']),
  /** The seconds between two messages. */
  pause: fc.constantFrom(0, 1),
});

export type Plan = typeof generatedPlans extends fc.Arbitrary<infer T> ? T : never;

/** A conversation that is open on two machines, and another one of A. */
export class TwoMachines {
  readonly a: Person;
  readonly b: Person;
  readonly service: LocalService;
  readonly options: GeneratedService;
  readonly answers: Answers;
  readonly plan: Plan;
  /** The IDs of the conversation on both machines, and of the other one. */
  readonly ids = { a: '', b: '', other: '' };
  /** The conversations that the service listed for B. */
  listed: readonly { readonly id: string }[] = [];
  /** The broken reply: its turn, the text that the history has in the end, and whether A was asked to send again. */
  readonly broken = { turnId: '', text: '', wasMissed: false };

  private constructor(a: Person, b: Person, options: GeneratedService, plan: Plan) {
    this.a = a;
    this.b = b;
    this.service = a.fixture.service;
    this.options = options;
    const answers = readAnswers(options);
    // Within a second, the list may begin at either end.
    this.answers = { ...answers, order: answers.order && (!options.newestFirst || plan.pause > 0) };
    this.plan = plan;
  }

  static async start(options: GeneratedService, plan: Plan): Promise<TwoMachines> {
    let count = () => 0;
    const now = () => Date.now() + 1000 * plan.pause * count();
    const bot: Bot = {
      id: 'echo',
      name: 'Echo',
      async *reply({ question }) {
        yield getReplyText(question);
        return { flagged: question === FORBIDDEN };
      },
    };
    const fixture = await startChat({ ...options, bots: [bot], now });
    count = () => fixture.service.messages.size;
    return new TwoMachines(new Person(fixture), new Person(await fixture.otherMachine()), options, plan);
  }

  get remoteId(): string {
    return this.a.chat.findConversation(this.ids.a)?.remote?.id ?? assert.fail();
  }

  async play(): Promise<void> {
    await this.#begin();
    for (const { by, act } of this.plan.steps) {
      const [person, id] = by === 'a' ? [this.a, this.ids.a] : [this.b, this.ids.b];
      if ('say' in act) await person.ask(id, act.say);
      else if ('upload' in act) await person.upload(id, act.upload);
      else if ('look' in act) await person.lookLater(id);
      else await person.ask(id, act.searchTheWeb, this.answers.webSearch);
    }
    await this.#breakStream();
    await this.#end();
  }

  /** Waits until the queued message was sent, and looks for the last time. */
  async finish(): Promise<void> {
    const { a, b, ids } = this;
    await a.fixture.until(() => a.chat.findConversation(ids.other)?.queue === undefined);
    const reply = await a.fixture.ended(ids.other);
    await a.sources.whenSettled(ids.other);
    a.did(ids.other).sent.push({ text: QUEUED, turnId: reply.messageId, replyId: reply.id });
    for (const id of [ids.other, ids.a]) await a.lookLater(id);
    await b.lookLater(ids.b);
  }

  async close(): Promise<void> {
    await this.b.close();
    await this.a.close();
  }

  async #begin(): Promise<void> {
    const { a, b, ids } = this;
    ids.other = a.fixture.newConversation().id;
    const document = await a.upload(ids.other, 'moss.txt');
    await a.ask(ids.other, 'What is moss?');
    const queued = { id: 'queued', text: QUEUED, context: [], documents: [document] };
    await a.chat.queues.change(ids.other, () => [queued]);
    ids.a = a.fixture.newConversation().id;
    await a.ask(ids.a, 'Hello');
    await this.#addEarlier(b.fixture.connect().client);
    this.listed = await b.fromService.list();
    ids.b = await b.fromService.openFromService(this.remoteId);
    await b.show(ids.b);
    await a.show(ids.a);
  }

  async #addEarlier(client: ServiceClient): Promise<void> {
    const conversationId = this.remoteId;
    for (let count = 1; count <= this.plan.earlierMessages; count++) {
      const stream = client.streamReply({ conversationId, content: `Question ${count}` });
      for await (const _ of stream);
    }
    for (let count = 1; count <= this.plan.earlierFiles; count++) {
      const { contentType, name: fileName, opened } = createFile(`Chapter ${count}.md`);
      const { url, key } = await client.createSignedUpload({ fileName, contentType });
      await client.putFile({ url, contentType, file: opened.body });
      await client.createDocument({ key, conversationId, fileName });
    }
  }

  /** Lets a stream of A break. The rest of the reply reaches the history later, or never. */
  async #breakStream(): Promise<void> {
    const { a, b, ids, service, broken } = this;
    const { beginning, meanwhile } = this.plan;
    const script = service.script();
    if (beginning !== '') script.chunk(beginning);
    script.close();
    script.chunk(REST);
    script.end();
    broken.turnId = (await a.ask(ids.a, BROKEN)).id;
    // Without roles, nothing tells B's message from the missing reply.
    const isClear = this.answers.roles || !this.answers.lateReplies;
    if (meanwhile.includes('say') && isClear) await b.ask(ids.b, 'Are you there?');
    if (meanwhile.includes('look')) {
      await a.lookLater(ids.a);
      await b.lookLater(ids.b);
    }
    const messages = [...service.messages.values()];
    const reply = messages[messages.findIndex(({ content }) => content === BROKEN) + 1] ?? assert.fail();
    if (this.answers.lateReplies) {
      await waitUntil('the reply is whole', () => reply.content === beginning + REST);
      service.history.publish();
    }
    broken.text = reply.content;
    // The first look may have begun before.
    await a.lookLater(ids.a);
    await a.lookLater(ids.a);
    await a.fixture.replies.retry(ids.a, broken.turnId, async () => {
      broken.wasMissed = true;
      return false;
    });
    // The page offers this for a reply that isn't the last one.
    await a.messageSync.showCompleteReply(ids.a, broken.turnId);
  }

  /** Ends all conversions, and shows all documents on both machines. */
  async #end(): Promise<void> {
    const { a, b, ids, service } = this;
    service.conversions.finishAll();
    for (const [person, id] of [
      [a, ids.other],
      [a, ids.a],
      [b, ids.b],
    ] as const) {
      // After a single answer without a list the service may have one.
      await person.show(id);
      await person.show(id);
      person.hide();
    }
  }
}

export function getReplyText(message: string): string {
  return `Answer to ${message}`;
}

export function isFlagged(message: string): boolean {
  return message === FORBIDDEN;
}
