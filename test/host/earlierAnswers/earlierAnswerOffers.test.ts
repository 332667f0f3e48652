import assert from 'node:assert/strict';
import type { EarlierAnswerOffers } from '../../../src/host/earlierAnswers/earlierAnswerOffers';
import type { EarlierQuestion } from '../../../src/shared/view/viewModel';
import { setSetting } from '../support/setSetting';
import { type TestServices, useServices } from '../support/testServices';

const QUESTION = 'How do I reset my password for the VPN?';
const DRAFT = 'How can I reset the VPN password?';

describe('The offer of an earlier answer', () => {
  const startServices = useServices();
  let parley: TestServices;
  let answerOffers: EarlierAnswerOffers;
  let conversationId: string;
  const running: AbortController[] = [];

  beforeEach(async () => {
    parley = await startServices();
    answerOffers = await parley.services.getEarlierAnswerOffers();
    conversationId = parley.services.chat.createConversation({ id: 'echo', name: 'Echo' }).id;
  });
  afterEach(async () => {
    for (const controller of running.splice(0)) controller.abort();
    await parley.close();
  });

  const ask = async (text = QUESTION) => {
    const { chat, replies } = parley.services;
    const { id } = chat.createConversation({ id: 'echo', name: 'Echo' });
    await replies.send(id, text);
    await replies.whenDone(id);
    return id;
  };
  const follow = (text = DRAFT, isNewDraft = false) => {
    const controller = new AbortController();
    running.push(controller);
    const request = { conversationId, text, isNewDraft };
    return answerOffers.offerAnswer(request, controller.signal);
  };
  /** Returns the first offer, as a page that then searches again. */
  const offer = async (text = DRAFT, isNewDraft = false): Promise<EarlierQuestion | null> => {
    const { value } = await follow(text, isNewDraft).next();
    for (const controller of running.splice(0)) controller.abort();
    return value ?? null;
  };

  it('is the question, its bot and its time, with the answer to read', async () => {
    const id = await ask();
    const found = (await offer()) ?? assert.fail('No offer');
    const { turnId, at } = found;
    const message = parley.services.chat.findConversation(id)?.turns.find((turn) => turn.id === turnId);
    assert.deepEqual([message?.kind, message?.at], ['message', at]);
    assert.deepEqual(found, { conversationId: id, turnId, text: QUESTION, bot: 'Echo', at, isNew: true });
    const read = await answerOffers.readOfferedAnswer(conversationId);
    assert.match(read?.text ?? '', /reset my password/);
    assert.equal(read?.isCut, false);
    assert.equal((await offer())?.isNew, false);
  });

  it('is made once for a draft: not again after other text, nor after it was closed, but for a new draft', async () => {
    await ask();
    assert.ok(await offer());
    assert.ok(await offer(`${DRAFT} Please.`));
    assert.equal(await offer(`${DRAFT} On my old Android phone?`), null);
    assert.equal(await offer(), null);
    assert.ok(await offer(DRAFT, true));
    answerOffers.closeOffer(conversationId);
    assert.equal(await offer(), null);
    // Another question that was asked before isn't offered either.
    await ask('Where can I find the template for expense reports?');
    const other = 'Where is the template for expense reports?';
    assert.equal(await offer(other), null);
    assert.ok(await offer(other, true));
    answerOffers.closeOffer(conversationId);
    assert.equal(await answerOffers.readOfferedAnswer(conversationId), null);
    assert.ok(await offer(DRAFT, true));
  });

  it('is withdrawn at once when its conversation is deleted', async () => {
    const id = await ask();
    const offers = follow();
    assert.ok((await offers.next()).value);
    const withdrawn = offers.next();
    await parley.services.chat.deleteConversation(id);
    assert.equal((await withdrawn).value, null);
    assert.equal(await answerOffers.readOfferedAnswer(conversationId), null);
    assert.equal(await offer(DRAFT, true), null);
  });

  it('is for the draft with its chips: another selection is another question', async () => {
    await ask();
    const { composers } = parley.services.chat;
    const chip = {
      id: 'c',
      kind: 'selection',
      label: 'a.ts',
      text: 'export const parseOrder = 1;',
      characters: 9,
    };
    composers.setState(conversationId, { context: [chip as never] });
    assert.equal(await offer(), null);
    composers.removeContext(conversationId, ['c']);
    assert.ok(await offer());
  });

  it('isn’t made for three words, for a conversation that isn’t there, or if the setting is off', async () => {
    await ask();
    assert.equal(await offer('reset VPN password'), null);
    const request = { conversationId: 'nowhere', text: DRAFT, isNewDraft: true };
    const nowhere = answerOffers.offerAnswer(request, new AbortController().signal);
    assert.equal((await nowhere.next()).value, null);
    await setSetting('parley.suggestEarlierAnswers', false);
    try {
      assert.equal(await offer(), null);
    } finally {
      await setSetting('parley.suggestEarlierAnswers', undefined);
    }
    assert.ok(await offer());
  });
});
