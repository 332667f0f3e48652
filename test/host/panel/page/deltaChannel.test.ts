import assert from 'node:assert/strict';
import { DeltaChannel } from '../../../../src/host/panel/page/deltaChannel';
import type { ToPage } from '../../../../src/shared/protocol/protocol';
import type { PanelState } from '../../../../src/shared/view/viewModel';

const state: PanelState = {
  setup: { step: 'done' },
  sendWith: 'enter',
  conversations: [],
  conversation: { id: 'c', name: '', turns: [], draft: '' },
};

describe('DeltaChannel', () => {
  let posted: ToPage[];
  let channel: DeltaChannel;
  let arrived: () => void;

  beforeEach(() => {
    posted = [];
    arrived = () => undefined;
    channel = new DeltaChannel(
      (message) => {
        posted.push(message);
        arrived();
      },
      () => state,
    );
  });
  afterEach(() => channel.stop());

  const nextPost = () =>
    new Promise<void>((resolve) => {
      arrived = resolve;
    });
  const deltas = () => posted.flatMap((message) => (message.type === 'delta' ? [message] : []));

  it('posts nothing until the page is ready, then a snapshot', () => {
    channel.push({ type: 'chunk', turnId: 't', text: 'also in the snapshot' });
    channel.start();
    assert.deepEqual(posted, [{ type: 'snapshot', seq: 1, state }]);
  });

  it('numbers snapshots and deltas without a gap', async () => {
    channel.start();
    channel.push({ type: 'notSent' });
    await nextPost();
    channel.start();
    channel.push({ type: 'notSent' });
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

  it('merges the consecutive chunks of a turn within a frame into one change', async () => {
    channel.start();
    for (const text of ['a', 'b', 'c']) channel.push({ type: 'chunk', turnId: 't', text });
    channel.push({ type: 'chunk', turnId: 'u', text: 'd' });
    channel.push({ type: 'chunk', turnId: 't', text: 'e' });
    await nextPost();
    assert.deepEqual(deltas()[0]?.changes, [
      { type: 'chunk', turnId: 't', text: 'abc' },
      { type: 'chunk', turnId: 'u', text: 'd' },
      { type: 'chunk', turnId: 't', text: 'e' },
    ]);
  });

  it('posts only the last update of a turn within a frame', async () => {
    channel.start();
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
    for (const sent of [1, 2, 3]) channel.push({ type: 'turn', turn: turn(sent) });
    await nextPost();
    assert.deepEqual(deltas()[0]?.changes, [{ type: 'turn', turn: turn(3) }]);
  });

  it('posts nothing after the page is gone', async () => {
    channel.start();
    channel.push({ type: 'chunk', turnId: 't', text: 'a' });
    channel.stop();
    channel.push({ type: 'chunk', turnId: 't', text: 'b' });
    channel.start();
    channel.push({ type: 'notSent' });
    await nextPost();
    assert.deepEqual(
      deltas().flatMap(({ changes }) => changes),
      [{ type: 'notSent' }],
    );
  });
});
