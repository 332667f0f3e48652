import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findServiceDocuments } from '../../src/chat/documents/serviceDocuments';
import type { Turn } from '../../src/chat/model/turn';
import { getReadiness } from '../../src/shared/view/documentReadiness';
import { documentNameStyles } from '../service/api/styles';
import { cases } from '../support/fuzz';
import { generatedServices } from './support/generatedService';
import type { Person } from './support/person';
import { generatedPlans, getReplyText, isFlagged, TwoMachines } from './support/twoMachines';

describe('Two machines with a service that answers in any allowed way', () => {
  it('show all messages, replies and documents once and in order, and send nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(generatedServices, generatedPlans, async (options, plan) => {
        const machines = await TwoMachines.start(options, plan);
        try {
          await machines.play();
          for (const view of getViews(machines)) checkUploads(view);
          await machines.finish();
          for (const view of getViews(machines)) {
            checkOwnTurns(view, machines);
            checkTexts(view, machines);
            checkTurnsFromElsewhere(view, machines);
            checkDocuments(view, machines);
            await checkReopened(view);
          }
          checkConversations(machines);
          checkService(machines);
        } finally {
          await machines.close();
        }
      }),
      cases(30),
    );
  });
});

/** A conversation on the screen of a machine. */
interface View {
  readonly person: Person;
  readonly id: string;
  readonly remoteId: string;
  readonly turns: readonly Turn[];
}

function getViews({ a, b, ids }: TwoMachines): View[] {
  const places = [
    [a, ids.a],
    [b, ids.b],
    [a, ids.other],
  ] as const;
  return places.map(([person, id]) => {
    const { turns, remote } = person.chat.findConversation(id) ?? assert.fail();
    return { person, id, turns, remoteId: remote?.id ?? assert.fail() };
  });
}

/** What the service accepted didn't fail, and is ready once it is converted. */
function checkUploads({ person, id, turns }: View): void {
  for (const turnId of person.did(id).uploads) {
    const turn = turns.find((each) => each.id === turnId);
    assert.ok(turn?.kind === 'document');
    const shown = [turn.name, turn.state, turn.failure, getReadiness(turn)];
    assert.deepEqual(shown, [turn.name, 'attached', undefined, 'ready']);
  }
}

/** What was said here is there in order, and each reply is complete. */
function checkOwnTurns({ person, id, turns }: View, { answers, broken }: TwoMachines): void {
  const { sent } = person.did(id);
  const ids = sent.flatMap(({ turnId, replyId }) => [turnId, replyId]);
  assert.deepEqual(
    turns.flatMap((turn) => (ids.includes(turn.id) ? [turn.id] : [])),
    ids,
  );
  for (const { text, turnId, replyId } of sent) {
    const [message, reply] = [turnId, replyId].map((wanted) => turns.find((turn) => turn.id === wanted));
    assert.ok(message?.kind === 'message' && reply?.kind === 'reply');
    assert.equal(message.text, text);
    if (replyId !== broken.turnId) {
      assert.equal(reply.text, getReplyText(text));
      const ending = [reply.ending, reply.failure?.code];
      if (!isFlagged(text)) assert.deepEqual(ending, ['complete', undefined]);
      else if (answers.flags) assert.deepEqual(ending, ['failed', 'flagged']);
    } else if (answers.messages && answers.lateReplies) {
      assert.deepEqual([reply.text, reply.ending, broken.wasMissed], [broken.text, 'complete', false]);
    } else assert.ok(broken.text.startsWith(reply.text));
  }
}

/**
 * No message or reply is there more often than the service has it, and each is there if the service tells whose it is:
 * in order, if it tells that, too.
 */
function checkTexts({ turns, remoteId }: View, { service, answers, broken }: TwoMachines): void {
  // Where texts or roles are missing, only the order tells which messages are known.
  if (!answers.order && !(answers.messages && answers.roles)) return;
  const shown = turns.flatMap((turn) =>
    turn.kind === 'document'
      ? []
      : { kind: turn.kind, text: turn.id === broken.turnId ? broken.text : turn.text, id: turn.id },
  );
  const sent = [...service.messages.values()].map(({ machine, content, conversation_id }) => ({
    kind: machine ? 'reply' : 'message',
    text: content,
    isHere: conversation_id === remoteId,
  }));
  const here = sent.filter(({ isHere }) => isHere);
  // An empty reply has nothing to show.
  const toTexts = (items: readonly { readonly text: string }[]) => items.flatMap(({ text }) => text || []);
  if (!answers.messages) {
    // A list that leaves out a question doesn't tell that the rest of a broken reply belongs to it.
    const texts = toTexts(shown.filter(({ id }) => id !== broken.turnId));
    for (const text of texts) assert.ok(count(texts, text) <= count(toTexts(sent), text), text);
  } else if (!answers.order || !answers.roles) assert.deepEqual(toTexts(shown).sort(), toTexts(here).sort());
  else {
    const format = ({ kind, text }: { readonly kind: string; readonly text: string }) =>
      text === '' ? [] : `${kind}: ${text}`;
    assert.deepEqual(shown.flatMap(format), here.flatMap(format));
  }
}

function count(texts: readonly string[], text: string): number {
  return texts.filter((each) => each === text).length;
}

/** What was said elsewhere has the time, the role and the marks that the service tells of. */
function checkTurnsFromElsewhere({ person, id, turns }: View, { service, answers }: TwoMachines): void {
  const { sent } = person.did(id);
  const own = new Set(sent.flatMap(({ turnId, replyId }) => [turnId, replyId]));
  for (const turn of turns) {
    if (turn.kind === 'document' || own.has(turn.id)) continue;
    const message = service.messages.get(turn.remoteId ?? '') ?? assert.fail();
    const { machine, created_at, is_web_search, flagged } = message;
    if (answers.knows('message.machine')) assert.equal(turn.kind, machine ? 'reply' : 'message');
    if (answers.knows('message.created_at')) assert.equal(turn.at, created_at * 1000);
    assert.equal(turn.webSearch ?? false, is_web_search);
    if (turn.kind === 'reply' && answers.flags) assert.equal(turn.failure?.code === 'flagged', flagged);
  }
}

/** Each document is there once, as far as the service lists them. */
function checkDocuments({ person, id, remoteId }: View, { service, answers, options }: TwoMachines): void {
  if (!answers.documents) return;
  const { uploads } = person.did(id);
  const conversation = person.chat.findConversation(id) ?? assert.fail();
  const own = conversation.turns.flatMap((turn) => (turn.kind === 'document' ? turn.name : []));
  const others = findServiceDocuments(conversation).map(({ document }) => document.name);
  const documents = [...service.documents.values()].filter(
    ({ conversation_id }) => conversation_id === remoteId,
  );
  assert.equal(own.length, uploads.length);
  assert.equal(others.length, documents.length - own.length);
  if (!answers.knows('document.name')) return;
  const toListed = documentNameStyles[options.documentNames];
  const expected = documents.map(({ name }) => toListed(name));
  assert.deepEqual([...own.map(toListed), ...others].sort(), expected.sort());
}

/** Everything is on the disk. A conversation without turns isn't saved. */
async function checkReopened({ person, id, turns }: View): Promise<void> {
  if (turns.length === 0) return;
  await person.chat.whenSaved(id);
  const window = await person.fixture.otherWindow();
  assert.deepEqual((await window.chat.openWhole(id))?.turns, turns);
  await window.close();
}

function checkConversations({ a, b, ids, service, answers, listed }: TwoMachines): void {
  const names = [
    a.chat.findConversation(ids.a),
    b.chat.findConversation(ids.b),
    a.chat.findConversation(ids.other),
  ].map((each) => each?.name);
  assert.deepEqual(names, ['Hello', 'Hello', 'What is moss?']);
  const remoteIds = [...service.conversations.keys()].sort();
  assert.equal(remoteIds.length, 2);
  if (answers.answers('GET /conversations')) assert.deepEqual(listed.map(({ id }) => id).sort(), remoteIds);
}

/** Nothing reached the service twice. */
function checkService({ a, b, ids, service, plan }: TwoMachines): void {
  const all = [a.did(ids.a), b.did(ids.b), a.did(ids.other)];
  const questions = [...service.messages.values()].filter(({ machine }) => !machine);
  const sent = all.flatMap((did) => did.sent.length);
  assert.equal(questions.length, plan.earlierMessages + sum(sent));
  assert.equal(service.documents.size, plan.earlierFiles + sum(all.map(({ uploads }) => uploads.length)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
