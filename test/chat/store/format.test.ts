import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { type TranscriptRecord, toRecord } from '../../../src/chat/model/record';
import type { Turn } from '../../../src/chat/model/turn';
import { cases } from '../../support/fuzz';
import { repeat } from '../../support/repetition';
import {
  about,
  chunk,
  createStoreFolder,
  ended,
  message,
  openConversation,
  readAllTurns,
  reply,
  type StoreFolder,
} from './support/folders';

describe('Transcript file', () => {
  let folder: StoreFolder;
  beforeEach(async () => {
    folder = await createStoreFolder();
  });
  afterEach(() => folder.close());

  const getFilePath = (id = 'c') => path.join(folder.path, `${id}.jsonl`);

  /** Writes these records in one window and closes it. */
  async function write(records: readonly TranscriptRecord[], id = 'c'): Promise<void> {
    const { store } = folder.window();
    store.createTranscript(id, 1000);
    for (const record of records) store.appendToTranscript(id, record);
    await store.dispose();
  }

  it('has version, id and date, followed by one record per line, each after a newline', async () => {
    await write([message('m', 'Hello\nthere'), about('Greeting')]);
    const [start, ...lines] = (await readFile(getFilePath(), 'utf8')).split('\n');
    assert.equal(start, '');
    const [header, ...records] = lines.map((line) => JSON.parse(line));
    assert.deepEqual(header, { parley: 1, id: 'c', createdAt: 1000 });
    assert.deepEqual(
      records.map(({ type }) => type),
      ['turn', 'about'],
    );
  });

  it('restores the result of any sequence of events', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const id = `random${count++}`;
        const { records, turns } = runSteps(steps);
        await write([message('first', 'x'), ...records], id);
        const { store } = folder.window();
        assert.deepEqual(await readAllTurns(store, id), [
          { kind: 'message', id: 'first', text: 'x', at: 1 },
          ...turns,
        ]);
        await store.dispose();
      }),
      cases(30),
    );
  });

  it('preserves properties of turns that this version does not know', async () => {
    const turn = { kind: 'message', id: 'm', text: 'x', at: 1, webSearch: true } as Turn;
    await write([{ type: 'turn', turn }]);
    assert.deepEqual(await readAllTurns(folder.window().store, 'c'), [turn]);
  });

  it('preserves properties of failures and sources that this version does not know', async () => {
    const later = { later: 1 };
    const failure = { code: 'internal', maySend: false, ...later } as const;
    const sources = [{ name: 'a.pdf', ...later }];
    const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: '', at: 1 } as const;
    const turn: Turn = { ...reply, ending: 'failed', failure, sources };
    await write([{ type: 'turn', turn }]);
    assert.deepEqual(await readAllTurns(folder.window().store, 'c'), [turn]);
  });

  it('stores that a message came from Chat or an agent, and treats unknown values as Chat', async () => {
    const createMessage = (id: string, via: string) =>
      ({ kind: 'message', id, text: 'x', at: 1, via }) as Turn;
    await write([
      { type: 'turn', turn: createMessage('a', 'tool') },
      { type: 'turn', turn: createMessage('b', 'chat') },
      { type: 'turn', turn: createMessage('c', 'later') },
    ]);
    const turns = await readAllTurns(folder.window().store, 'c');
    assert.deepEqual(
      turns.map((turn) => turn.kind === 'message' && turn.via),
      ['tool', 'chat', 'chat'],
    );
  });

  it('keeps every complete record when cut at any byte, and can be appended to', async () => {
    const records = [
      message('m1', 'Grüße 👋'),
      reply('r1'),
      chunk('r1', 'ja, ñ'),
      ended('r1'),
      message('m2', 'then'),
    ];
    await write(records);
    const bytes = await readFile(getFilePath());
    const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 10 ? [at] : [])).slice(2);
    ends.push(bytes.length);
    const { store } = folder.window();
    const again = folder.window();
    // Always cuts at and around the end of each record; `npm run test:all` cuts at every byte. An empty file counts as missing.
    const cuts = [...bytes.keys(), bytes.length].filter(
      (at) => at > 0 && (at % repeat(9, 1) === 0 || ends.some((end) => Math.abs(end - at) < 2)),
    );
    for (const cut of cuts) {
      const id = `cut${cut}`;
      await writeFile(getFilePath(id), bytes.subarray(0, cut));
      const whole = ends.filter((end) => end <= cut).length;
      const turns = await readAllTurns(store, id);
      assert.deepEqual(turns.map(summarizeTurn), expected(whole), `cut at ${cut}`);
      store.appendToTranscript(id, message('later', 'after the cut'));
      await store.closeTranscript(id);
      assert.deepEqual((await readAllTurns(again.store, id)).map(summarizeTurn), [
        ...expected(whole),
        'later: after the cut',
      ]);
      // The existing bytes are unchanged.
      assert.deepEqual((await readFile(getFilePath(id))).subarray(0, cut), bytes.subarray(0, cut));
      await again.store.closeTranscript(id);
    }
    function expected(whole: number): string[] {
      const all = [
        'm1: Grüße 👋',
        `r1: ${whole > 2 ? 'ja, ñ' : ''} ${whole > 3 ? 'complete' : 'interrupted'}`,
        'm2: then',
      ];
      return all.slice(0, [0, 1, 2, 2, 2, 3][whole]);
    }
  });

  it('is read around a run of NULs, which is reported and left in place', async () => {
    const records = Array.from({ length: 10 }, (_, index) => message(`m${index}`, `number ${index}`));
    await write(records);
    const bytes = await readFile(getFilePath());
    // From the middle of the fourth record to the start of the seventh, including line ends.
    bytes.fill(
      0,
      bytes.indexOf('number 3'),
      bytes.indexOf('{"type":"turn","turn":{"kind":"message","id":"m6"'),
    );
    await writeFile(getFilePath(), bytes);
    const { store } = folder.window();
    const ids = (await readAllTurns(store, 'c')).map((turn) => turn.id);
    assert.deepEqual(ids, ['m0', 'm1', 'm2', 'm6', 'm7', 'm8', 'm9']);
    assert.equal((await (await openConversation(store, 'c')).earlier()).damage.length, 1);
    assert.equal((await store.listConversations()).conversations[0]?.damaged, 1);
    assert.deepEqual(await readFile(getFilePath()), bytes);
  });

  it('keeps an invalid record in place, and opens the rest', async () => {
    await write([message('m1', 'one')]);
    const bad = ['{"type":"turn","turn":{"kind":"message","id":7}}', 'not JSON', '[]', '{"type":"unheard"}'];
    await writeFile(getFilePath(), `${await readFile(getFilePath(), 'utf8')}\n${bad.join('\n')}\n\n`);
    const { store } = folder.window();
    store.appendToTranscript('c', message('m2', 'two'));
    await store.flush('c');
    assert.deepEqual((await readAllTurns(store, 'c')).map(summarizeTurn), ['m1: one', 'm2: two']);
    assert.equal((await (await openConversation(store, 'c')).earlier()).damage.length, bad.length);
    assert.ok((await readFile(getFilePath(), 'utf8')).includes(bad.join('\n')));
  });

  it('opens with more damaged lines than a function has arguments', async () => {
    await write([message('m1', 'one')]);
    await writeFile(getFilePath(), `${await readFile(getFilePath(), 'utf8')}\n${'-\n+\n'.repeat(65_000)}`);
    const { store } = folder.window();
    assert.equal((await (await openConversation(store, 'c')).earlier()).damage.length, 130_000);
  });

  it('opens without a readable header, under the name of the file', async () => {
    await write([message('m1', 'one'), about('A name')]);
    const text = await readFile(getFilePath(), 'utf8');
    await writeFile(getFilePath(), text.replace('"parley":1', '"parl'));
    const { conversation } = await openConversation(folder.window().store, 'c');
    assert.equal(conversation.id, 'c');
    assert.equal(conversation.name, 'A name');
    assert.deepEqual(conversation.turns.map(summarizeTurn), ['m1: one']);
  });

  it('is listed but left unchanged when a newer version wrote it', async () => {
    const newerContent = '{"parley":2,"id":"f","shape":"new"}\n{"type":"novel"}';
    await writeFile(getFilePath('f'), newerContent);
    await write([message('m', 'x')]);
    const { store } = folder.window();
    const listing = await store.listConversations();
    assert.deepEqual(listing.newerVersions, [{ kind: 'newerVersion', name: 'f.jsonl' }]);
    assert.deepEqual(
      listing.conversations.map(({ id }) => id),
      ['c'],
    );
    assert.deepEqual(await store.openTranscript('f'), { kind: 'newerVersion', name: 'f.jsonl' });
    store.appendToTranscript('f', message('m', 'from the past'));
    await assert.rejects(store.flush('f'));
    assert.equal(await readFile(getFilePath('f'), 'utf8'), newerContent);
  });

  it('has an interrupted reply with its text when no ending was written', async () => {
    await write([message('m', 'x'), reply('r'), chunk('r', 'half a '), chunk('r', 'sentence')]);
    const turn = (await readAllTurns(folder.window().store, 'c'))[1];
    assert.equal(turn?.kind === 'reply' && turn.text, 'half a sentence');
    assert.equal(turn?.kind === 'reply' && turn.ending, 'interrupted');
  });

  it('shows the last turns of a long conversation first, then the others', async () => {
    const text = 'x'.repeat(400);
    const records = Array.from({ length: 1000 }, (_, index) =>
      message(`m${index}`, `${index} ${text}`, index),
    );
    const document = (state: 'queued' | 'attached'): TranscriptRecord => ({
      type: 'turn',
      turn: { kind: 'document', id: 'd', name: 'a.txt', size: 1, sent: 0, at: 1, state },
    });
    // The document's second record is at the end, its first at the beginning.
    const excluded = [{ id: 'plan', name: 'plan.txt' }];
    await write([{ ...about('Long'), excluded }, document('queued'), ...records, document('attached')]);
    const { conversation, whole, earlier } = await openConversation(folder.window().store, 'c');
    assert.equal(whole, false);
    assert.deepEqual([conversation.name, conversation.excluded], ['Long', excluded]);
    assert.ok(conversation.turns.length >= 20 && conversation.turns.length < 400);
    assert.equal(conversation.turns.at(-1)?.id, 'm999');
    const turns = [...(await earlier()).turns, ...conversation.turns];
    assert.deepEqual(
      turns.map(({ id }) => id),
      ['d', ...records.map((_, index) => `m${index}`)],
    );
    assert.equal(turns[0]?.kind === 'document' && turns[0].state, 'attached');
  });

  it('omits upload progress and drafts', () => {
    const turn: Turn = { kind: 'document', id: 'd', name: 'a', size: 9, sent: 3, at: 1, state: 'uploading' };
    assert.equal(toRecord({ conversationId: 'c', type: 'turn', turn }, {}), undefined);
    assert.equal(toRecord({ conversationId: 'c', type: 'draft', text: 'x' }, {}), undefined);
  });
});

function summarizeTurn(turn: Turn): string {
  if (turn.kind === 'document') return `${turn.id}: ${turn.name} ${turn.state}`;
  return turn.kind === 'message' ? `${turn.id}: ${turn.text}` : `${turn.id}: ${turn.text} ${turn.ending}`;
}

const step = fc.oneof(
  fc.record({ do: fc.constant('message' as const), text: fc.string({ unit: 'binary' }) }),
  fc.record({
    do: fc.constant('reply' as const),
    text: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }),
  }),
  fc.record({ do: fc.constant('document' as const), name: fc.string() }),
  fc.record({ do: fc.constant('settleDocument' as const), index: fc.nat(9) }),
  fc.record({ do: fc.constant('remove' as const), index: fc.nat(9) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What the steps leave in memory, and the records of the resulting Chat events. */
function runSteps(steps: readonly Step[]): { records: TranscriptRecord[]; turns: Turn[] } {
  const records: TranscriptRecord[] = [];
  let turns: Turn[] = [];
  const put = (turn: Turn) => {
    const index = turns.findIndex(({ id }) => id === turn.id);
    turns = index < 0 ? [...turns, turn] : turns.with(index, turn);
    const record = toRecord({ conversationId: 'c', type: 'turn', turn }, {});
    if (record) records.push(record);
  };
  for (const [at, each] of steps.entries()) {
    const id = `t${at}`;
    if (each.do === 'message') put({ kind: 'message', id, text: each.text, at });
    else if (each.do === 'document') {
      put({
        kind: 'document',
        id,
        name: each.name,
        size: 1,
        sent: 0,
        at,
        state: 'failed',
        failedAt: 'signing',
      });
    } else if (each.do === 'settleDocument') {
      const turn = turns[each.index];
      if (turn?.kind === 'document') put({ ...turn, state: 'attached' });
    } else if (each.do === 'remove') {
      const turn = turns[each.index];
      if (!turn) continue;
      turns = turns.filter((other) => other !== turn);
      records.push({ type: 'turnRemoved', turnId: turn.id });
    } else {
      const turn: Turn = { kind: 'reply', id, messageId: 'm', bot: 'B', text: '', at };
      put(turn);
      records.push(...each.text.map((text) => chunk(id, text)));
      const done: Turn = { ...turn, text: each.text.join(''), ending: 'stopped' };
      turns = turns.map((other) => (other.id === id ? done : other));
      const record = toRecord({ conversationId: 'c', type: 'ended', turn: done }, {}, at);
      if (record) records.push(record);
    }
  }
  return { records, turns };
}
