import assert from 'node:assert/strict';
import { DeltaChannel } from '../../../src/host/panel/deltaChannel';
import type { ToPage } from '../../../src/shared/protocol';
import type { PanelState } from '../../../src/shared/viewModel';

const state: PanelState = {
  setup: { step: 'done' },
  sendWith: 'enter',
  conversations: [],
  conversation: { id: 'c', name: '', turns: [], draft: '' },
};

describe('Replica', () => {
  let posted: ToPage[];
  let replica: DeltaChannel;
  let arrived: () => void;

  beforeEach(() => {
    posted = [];
    arrived = () => undefined;
    replica = new DeltaChannel(
      (message) => {
        posted.push(message);
        arrived();
      },
      () => state,
    );
  });
  afterEach(() => replica.stop());

  const nextPost = () =>
    new Promise<void>((resolve) => {
      arrived = resolve;
    });
  const deltas = () => posted.flatMap((message) => (message.type === 'delta' ? [message] : []));

  it('posts nothing before the page is ready, then a snapshot', () => {
    replica.push({ type: 'chunk', turnId: 't', text: 'lost on nobody: the snapshot has it' });
    replica.start();
    assert.deepEqual(posted, [{ type: 'snapshot', seq: 1, state }]);
  });

  it('numbers deltas without a gap, and begins anew with each snapshot', async () => {
    replica.start();
    replica.push({ type: 'notSent' });
    await nextPost();
    replica.start();
    replica.push({ type: 'notSent' });
    await nextPost();
    assert.deepEqual(
      posted.map((message) => ('seq' in message ? [message.type, message.seq] : [])),
      [
        ['snapshot', 1],
        ['delta', 2],
        ['snapshot', 3],
        ['delta', 4],
      ],
    );
  });

  it('gathers the chunks of a frame into one change, in order', async () => {
    replica.start();
    for (const text of ['a', 'b', 'c']) replica.push({ type: 'chunk', turnId: 't', text });
    replica.push({ type: 'chunk', turnId: 'u', text: 'd' });
    replica.push({ type: 'chunk', turnId: 't', text: 'e' });
    await nextPost();
    assert.deepEqual(deltas()[0]?.changes, [
      { type: 'chunk', turnId: 't', text: 'abc' },
      { type: 'chunk', turnId: 'u', text: 'd' },
      { type: 'chunk', turnId: 't', text: 'e' },
    ]);
  });

  it('keeps only the last of a turn’s replacements within a frame', async () => {
    replica.start();
    const turn = (sent: number) =>
      ({
        kind: 'document',
        id: 'd',
        name: 'a.txt',
        size: 9,
        sent,
        at: 0,
        state: 'uploading',
      }) as const;
    for (const sent of [1, 2, 3]) replica.push({ type: 'turn', turn: turn(sent) });
    await nextPost();
    assert.deepEqual(deltas()[0]?.changes, [{ type: 'turn', turn: turn(3) }]);
  });

  it('is silent once the page is gone', async () => {
    replica.start();
    replica.push({ type: 'chunk', turnId: 't', text: 'a' });
    replica.stop();
    replica.push({ type: 'chunk', turnId: 't', text: 'b' });
    replica.start();
    replica.push({ type: 'notSent' });
    await nextPost();
    assert.deepEqual(
      deltas().flatMap(({ changes }) => changes),
      [{ type: 'notSent' }],
    );
  });
});
