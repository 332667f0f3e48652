import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Mirror } from '../../../src/chat/mirror/mirror';
import { cases } from '../../support/fuzz';
import { createMirror, MachineState } from '../support/memoryMirror';

describe('Mirror', () => {
  it('has the same pins and prompts on three machines after they synced, whatever each changed and in whichever order', async () => {
    const change = fc.record({
      machine: fc.integer({ min: 0, max: 2 }),
      action: fc.constantFrom('pin', 'unpin', 'prompt', 'remove', 'sync', 'restart'),
      name: fc.constantFrom('s 1', 's 2'),
      /** Machines have clocks that differ. */
      clock: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
        let now = 0;
        const states = [new MachineState(), new MachineState(), new MachineState()];
        const mirrors = states.map((state) => createMirror(state, () => now));
        /** Settings Sync replaces the synced part with another machine's. */
        const sync = async (from: number, to: number) => {
          await mirrors[from]?.flush();
          await mirrors[to]?.flush();
          states[to]?.parts.set('synced', states[from]?.parts.get('synced') ?? '{}');
          await mirrors[to]?.flush();
        };
        for (const { machine, action, name, clock } of changes) {
          now = clock;
          const mirror = mirrors[machine];
          if (action === 'pin') mirror?.set('pinned', name, true);
          if (action === 'unpin') mirror?.set('pinned', name, undefined);
          if (action === 'prompt') mirror?.set('prompt', name, `text ${machine} ${clock}`);
          if (action === 'remove') mirror?.set('prompt', name, undefined);
          if (action === 'sync') await sync(machine, (machine + 1) % 3);
          if (action === 'restart') {
            await mirror?.dispose();
            mirrors[machine] = createMirror(states[machine], () => now);
          }
        }
        for (let round = 0; round < 2; round++)
          for (const [from, to] of [
            [0, 1],
            [1, 2],
            [2, 0],
          ] as const)
            await sync(from, to);
        const seen = mirrors.map((mirror) =>
          JSON.stringify([[...mirror.getItems('pinned')].sort(), [...mirror.getItems('prompt')].sort()]),
        );
        assert.equal(new Set(seen).size, 1, seen.join('\n'));
        for (const mirror of mirrors) await mirror.dispose();
      }),
      cases(300),
    );
  });

  it('keeps what one window wrote if another one replaces all that is stored at the same moment', async () => {
    const state = new MachineState();
    const [one, other] = [createMirror(state), createMirror(state)];
    one.set('pinned', 's 1', true);
    await one.flush();
    const written = new Map(state.parts);
    other.set('draft', 's 2', { text: 'Hello' });
    await other.flush();
    // The first window hadn't heard of it when it wrote.
    for (const [part, text] of written) state.parts.set(part, text);
    await one.flush();
    await other.dispose();
    await one.dispose();
    const restarted = createMirror(state);
    assert.equal(restarted.get('pinned', 's 1'), true);
    assert.deepEqual(restarted.get('draft', 's 2'), { text: 'Hello' });
    await restarted.dispose();
  });

  it('wins with a later change even if the clock of its machine is behind', async () => {
    const state = new MachineState();
    const ahead = createMirror(state, () => 5000);
    ahead.set('pinned', 's 1', true);
    await ahead.dispose();
    const behind = createMirror(state, () => 1000);
    behind.set('pinned', 's 1', undefined);
    await behind.dispose();
    const last = createMirror(state);
    assert.equal(last.get('pinned', 's 1'), undefined);
    await last.dispose();
  });

  it('offers pins, archive states, names, deletions and prompts to Settings Sync, but no drafts, queues and lists', async () => {
    const state = new MachineState();
    const mirror = createMirror(state);
    for (const kind of [
      'pinned',
      'archived',
      'deleted',
      'draft',
      'queue',
      'listed',
      'prompt',
      'name',
    ] as const)
      mirror.set(kind, 'x', 'a text');
    await mirror.dispose();
    const kinds = (part: 'synced' | 'local') =>
      Object.keys(state.read(part) as object)
        .map((key) => key.split(' ')[0])
        .sort();
    assert.deepEqual(kinds('synced'), ['archived', 'deleted', 'name', 'pinned', 'prompt']);
    assert.deepEqual(kinds('local'), ['archived', 'deleted', 'draft', 'listed', 'name', 'pinned', 'queue']);
  });

  it('writes once for many changes, and not if nothing changed', async () => {
    const state = new MachineState();
    const mirror = createMirror(state);
    for (let n = 0; n < 100; n++) mirror.set('draft', 's 1', { text: 'x'.repeat(n) });
    assert.equal(state.writes, 0);
    await mirror.flush();
    assert.equal(state.writes, 1);
    mirror.set('draft', 's 1', { text: 'x'.repeat(99) });
    await mirror.dispose();
    assert.equal(state.writes, 1);
  });

  it('keeps in memory what could not be written, and writes it with the next change', async () => {
    const state = new MachineState();
    const errors: unknown[] = [];
    const mirror = new Mirror(state, (error) => errors.push(error));
    const { write } = state;
    state.write = async () => {
      throw new Error('No room');
    };
    mirror.set('pinned', 's 1', true);
    await mirror.flush();
    assert.equal(errors.length, 1);
    state.write = write;
    await mirror.dispose();
    assert.deepEqual(Object.keys(state.read('synced') as object), ['pinned s 1']);
  });
});
