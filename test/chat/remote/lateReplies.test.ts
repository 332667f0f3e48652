import assert from 'node:assert/strict';
import type { ReplyTurn } from '../../../src/chat/model/turn';
import { LateReplies } from '../../../src/chat/remote/lateReplies';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { RefusingStorage } from '../support/refusingStorage';

describe('A reply that reaches the history after its stream broke [fault 54]', () => {
  let fixture: ChatFixture;
  let lateReplies: LateReplies;
  let id: string;

  let storage: RefusingStorage;

  const start = async (options?: LocalServiceOptions) => {
    // The history has a late reply once the test publishes it.
    const late = {
      profile: 'captured',
      historyDelayMs: Number.POSITIVE_INFINITY,
      requestsPerMinute: Number.POSITIVE_INFINITY,
    } as const;
    fixture = await startChat({ ...late, ...options }, (folder) => {
      storage = new RefusingStorage(folder);
      return storage;
    });
    lateReplies = new LateReplies(fixture.chat, fixture.messageSync, [10]);
    ({ id } = fixture.newConversation());
  };
  afterEach(async () => {
    lateReplies.dispose();
    await fixture.close();
  });

  const getReply = (): ReplyTurn => {
    const turn = fixture.chat.findConversation(id)?.turns.at(-1);
    return turn?.kind === 'reply' ? turn : assert.fail('The last turn is no reply.');
  };
  const show = () => lateReplies.setVisible(new Set([id]));
  const countMessages = () => [...fixture.service.messages.values()].filter(({ machine }) => !machine).length;
  const countLooks = () =>
    fixture.service.requests.filter(({ method, path }) => method === 'GET' && path.includes('/messages?'))
      .length;
  const waitForLooks = async (count: number) => {
    const from = countLooks();
    await fixture.service.waitForRequest(() => countLooks() >= from + count);
  };
  /** Sends a message whose stream breaks after `partial`, while the service goes on. */
  const sendAndBreak = async (partial: string, rest: string) => {
    const script = fixture.service.script();
    assert.equal(await fixture.replies.send(id, 'Tell me'), 'sent');
    await script.opened;
    if (partial !== '') {
      script.chunk(partial);
      await fixture.until(({ type }) => type === 'chunk');
    }
    script.reset();
    const reply = await fixture.ended(id);
    await fixture.replies.whenDone(id);
    script.chunk(rest);
    script.end();
    return reply;
  };
  const publish = async () => {
    await fixture.service.waitForRequest(() => fixture.service.history.pending.length > 0);
    fixture.service.history.publish();
  };
  const untilComplete = () =>
    fixture.until(
      (event) =>
        event.type === 'turn' &&
        event.conversationId === id &&
        event.turn.kind === 'reply' &&
        event.turn.ending === 'complete',
    );

  for (const partial of ['Half a ', '']) {
    it(`is shown while its conversation is on screen, ${partial ? 'and completes what had arrived' : 'even if nothing had arrived'}`, async () => {
      await start();
      show();
      const { ending } = await sendAndBreak(partial, 'loaf');
      assert.equal(ending, 'interrupted');
      await waitForLooks(3);
      assert.equal(getReply().ending, 'interrupted');
      await publish();
      await untilComplete();
      const { text, failure, whole } = getReply();
      assert.deepEqual([text, failure, whole], [`${partial}loaf`, undefined, undefined]);
      assert.equal(countMessages(), 1);
      const looks = countLooks();
      await fixture.remote.rename(id, 'Bread');
      assert.equal(countLooks(), looks);
    });
  }

  it('is shown although the disk refuses to be read at first', async () => {
    await start();
    show();
    await sendAndBreak('Half a ', 'loaf');
    let left = 20;
    storage.refuses = (step, name) =>
      step === 'stat' && name === `${id}.jsonl` && getReply().whole !== undefined && left-- > 0;
    await publish();
    await untilComplete();
    fixture.takeErrors();
  });

  it('is shown by Retry, which then sends nothing and asks nothing', async () => {
    await start();
    const { id: turnId } = await sendAndBreak('Half a ', 'loaf');
    await publish();
    const retry = () => fixture.replies.retry(id, turnId, () => assert.fail('It asked.'));
    assert.deepEqual(await Promise.all([retry(), retry()]), ['empty', 'empty']);
    const { text, ending } = getReply();
    assert.deepEqual([text, ending, countMessages()], ['Half a loaf', 'complete', 1]);
  });

  it('is not there yet when Retry looks, which then asks before it sends', async () => {
    await start();
    const { id: turnId } = await sendAndBreak('Half a ', 'loaf');
    assert.equal(await fixture.replies.retry(id, turnId, async () => false), 'empty');
    assert.equal(countMessages(), 1);
    assert.equal(await fixture.replies.retry(id, turnId, async () => true), 'sent');
    await fixture.ended(id);
    assert.equal(countMessages(), 2);
  });

  for (const { during, secondLook } of [
    { during: 'while its text still grows', secondLook: () => undefined },
    {
      during: 'when the second look fails',
      secondLook: () =>
        fixture.service.inject({ name: 'status', on: 'GET /messages', status: 500, times: 10 }),
    },
    {
      during: 'when the window closes after the first look',
      secondLook: () => fixture.messageSync.dispose(),
    },
  ])
    it(`is not complete ${during}`, async () => {
      await start({ historyDelayMs: 0 });
      const { id: turnId } = await sendAndBreak('Half a ', 'loaf');
      const stored = [...fixture.service.messages.values()].find(({ machine }) => machine) ?? assert.fail();
      let looks = 0;
      const { listMessages } = fixture.connect().client;
      fixture.connect().client.listMessages = (...args) => {
        Object.assign(stored, { content: `Half a ${'loaf '.repeat(++looks)}`, failed_responding: false });
        return listMessages.apply(fixture.connect().client, args);
      };
      const isSeen = fixture.until(() => getReply().whole === 'Half a loaf ').then(secondLook);
      const canAsk = { asked: false };
      await fixture.replies.retry(id, turnId, async () => {
        canAsk.asked = true;
        return false;
      });
      await isSeen;
      assert.deepEqual([getReply().ending, canAsk.asked], ['interrupted', true]);
    });

  it('is not looked for while its conversation is hidden, or after another message', async () => {
    await start();
    await sendAndBreak('Half a ', 'loaf');
    await fixture.service.waitForRequest(() => countLooks() > 0);
    show();
    await waitForLooks(2);
    lateReplies.setVisible(new Set());
    await fixture.messageSync.findCompleteReply(id, getReply().id);
    const looks = countLooks();
    await fixture.remote.rename(id, 'Bread');
    assert.equal(countLooks(), looks);
    show();
    await waitForLooks(1);
    assert.equal(await fixture.replies.send(id, 'Never mind'), 'sent');
    assert.equal((await fixture.ended(id)).ending, 'complete');
    await fixture.messageSync.findCompleteReply(id, getReply().id);
    const later = countLooks();
    await fixture.remote.rename(id, 'No bread');
    assert.equal(countLooks(), later);
  });
});
