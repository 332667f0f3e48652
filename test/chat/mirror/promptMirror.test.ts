import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { Mirror } from '../../../src/chat/mirror/mirror';
import { PromptMirror } from '../../../src/chat/mirror/promptMirror';
import type { Storage } from '../../../src/chat/store/files/storage';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { cases } from '../../support/fuzz';
import { createMirror, MachineState } from '../support/memoryMirror';
import { RefusingStorage } from '../support/refusingStorage';

/** A machine, or a container, with a folder of prompts. */
interface Machine {
  readonly folder: string;
  readonly state: MachineState;
  readonly mirror: Mirror;
  readonly prompts: PromptMirror;
}

describe('Personal prompts', () => {
  let root: string;
  let machines: Machine[];
  let now: number;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'parley-prompts-'));
    machines = [];
    now = Date.now();
  });
  afterEach(async () => {
    for (const { mirror } of machines) await mirror.dispose();
    await rm(root, { recursive: true, force: true });
  });

  const open = (
    state = new MachineState(),
    folder = path.join(root, String(machines.length)),
    storage: Storage = new NodeStorage(folder),
  ): Machine => {
    const mirror = createMirror(state, () => now);
    const prompts = new PromptMirror(storage, mirror, () => now);
    const machine = { folder, state, mirror, prompts };
    machines.push(machine);
    return machine;
  };
  /** Writes a prompt as an editor does, a second later than all that was before. */
  const write = async ({ folder }: Machine, name: string, text: string) => {
    now += 1000;
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `${name}.prompt.md`);
    await writeFile(file, text);
    await utimes(file, now / 1000, now / 1000);
  };
  const remove = async ({ folder, prompts }: Machine, name: string) => {
    now += 1000;
    await prompts.delete(`${name}.prompt.md`);
    await rm(path.join(folder, `${name}.prompt.md`), { force: true });
  };
  const read = async ({ folder }: Machine) => {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.prompt.md'));
    const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
    return Object.fromEntries(
      names.map((name, index) => [name.replace('.prompt.md', ''), texts[index]]).toSorted(),
    );
  };
  /** Settings Sync replaces the synced part with another machine's. */
  const sync = async (from: Machine, to: Machine) => {
    for (const { prompts, mirror } of [from, to]) {
      await prompts.update();
      await mirror.flush();
    }
    to.state.parts.set('synced', from.state.parts.get('synced') ?? '{}');
    await to.prompts.update();
    await to.mirror.flush();
  };

  it('return after their folder was lost, except those that were deleted', async () => {
    const before = open();
    await write(before, 'Review', 'Review this.');
    await write(before, 'Old', 'Old.');
    await before.prompts.update();
    await remove(before, 'Old');
    await before.mirror.flush();
    const after = open(before.state);
    await after.prompts.update();
    assert.deepEqual(await read(after), { Review: 'Review this.' });
    await after.prompts.update();
    assert.deepEqual(await read(after), { Review: 'Review this.' });
  });

  it('return if a single file is lost while VS Code runs', async () => {
    const machine = open();
    await write(machine, 'Review', 'Review this.');
    await machine.prompts.update();
    await rm(machine.folder, { recursive: true });
    await machine.prompts.update();
    assert.deepEqual(await read(machine), { Review: 'Review this.' });
  });

  it('have what the machine that changed them last wrote, even if it wrote before the other one got the version before', async () => {
    const [one, other] = [open(), open()];
    await write(one, 'Review', 'Version 1');
    await sync(one, other);
    // Changed on one machine, an hour before the other one is rebuilt with the first version.
    await write(one, 'Review', 'Version 2');
    now += 3600_000;
    await rm(other.folder, { recursive: true });
    await other.prompts.update();
    assert.deepEqual(await read(other), { Review: 'Version 1' });
    await sync(one, other);
    assert.deepEqual(await read(other), { Review: 'Version 2' });
  });

  it('from before there was a mirror are kept, once, if another machine has one with the same name', async () => {
    const [one, other] = [open(), open()];
    await write(one, 'Review', 'As one does');
    await write(other, 'Review', 'As the other does');
    await one.prompts.update();
    await one.mirror.flush();
    other.state.parts.set('synced', one.state.parts.get('synced') ?? '');
    for (let round = 0; round < 3; round++) {
      await sync(one, other);
      await sync(other, one);
    }
    const both = { Review: 'As one does', 'Review 2': 'As the other does' };
    assert.deepEqual([await read(one), await read(other)], [both, both]);
  });

  it('from before there was a mirror are copied once while the disk refuses to replace them, and the others are restored', async () => {
    const one = open();
    await write(one, 'Review', 'As one does');
    await write(one, 'Test', 'Test this.');
    await one.prompts.update();
    await one.mirror.flush();
    const folder = path.join(root, 'other');
    const disk = new RefusingStorage(folder);
    const other = open(one.state, folder, disk);
    await write(other, 'Review', 'As the other does');
    disk.refuses = (step, name) => step === 'replace' && name === 'Review.prompt.md';
    for (let time = 0; time < 3; time++) await assert.rejects(other.prompts.update(), /Refused to replace/);
    const refused = { Review: 'As the other does', 'Review 2': 'As the other does', Test: 'Test this.' };
    assert.deepEqual(await read(other), refused);
    disk.refuses = () => false;
    await other.prompts.update();
    assert.deepEqual(await read(other), { ...refused, Review: 'As one does' });
  });

  it('from before there was a mirror stay and are mirrored, even if one of that name was deleted on another machine', async () => {
    const [one, other] = [open(), open()];
    await write(one, 'Review', 'As one does');
    await one.prompts.update();
    await write(other, 'Review', 'As the other does');
    await remove(one, 'Review');
    await one.mirror.flush();
    // The deletion is later than the file of the other machine, which never knew what was deleted.
    other.state.parts.set('synced', one.state.parts.get('synced') ?? '');
    await sync(other, one);
    const kept = { Review: 'As the other does' };
    assert.deepEqual([await read(other), await read(one)], [kept, kept]);
  });

  it('that two machines changed before they synced keep only the later version', async () => {
    const [one, other] = [open(), open()];
    await write(one, 'Review', 'Version 1');
    await sync(one, other);
    await write(one, 'Review', 'Version 2');
    await write(other, 'Review', 'Version 3');
    await sync(one, other);
    await sync(other, one);
    const kept = { Review: 'Version 3' };
    assert.deepEqual([await read(one), await read(other)], [kept, kept]);
  });

  it('that two windows with different folders change at once are both kept, whichever clock is behind', async () => {
    for (const behind of [0, 3600]) {
      const one = open();
      await write(one, 'Review', 'Version 1');
      await one.prompts.update();
      await one.mirror.flush();
      const other = open(one.state);
      await other.prompts.update();
      await write(one, 'Review', 'Version 2');
      await one.prompts.update();
      await one.mirror.flush();
      await write(other, 'Review', 'Version 3');
      const file = path.join(other.folder, 'Review.prompt.md');
      await utimes(file, now / 1000 - behind, now / 1000 - behind);
      for (const { prompts, mirror } of [other, one, other, one]) {
        await prompts.update();
        await mirror.flush();
      }
      const [last, lost] = behind === 0 ? ['Version 3', 'Version 2'] : ['Version 2', 'Version 3'];
      const kept = { Review: last, 'Review 2': lost };
      assert.deepEqual([await read(one), await read(other)], [kept, kept]);
    }
  });

  it('with a name that could lead out of their folder are not written', async () => {
    const machine = open();
    for (const name of ['../up', '/abs', 'a/b', 'a\\b', '..', '', '.hidden', 'nul', 'C:x', 'a\u202eb'])
      machine.mirror.set('prompt', `${name}.prompt.md`, 'text');
    machine.mirror.set('prompt', 'no prompt.txt', 'text');
    await machine.prompts.update();
    assert.deepEqual(await read(machine), {});
    assert.deepEqual(await readdir(root), []);
  });

  it('whose file another window is creating are mirrored only once they have their text', async () => {
    const machine = open();
    await write(machine, 'a', '');
    await machine.prompts.update();
    assert.equal(machine.mirror.getItem('prompt', 'a.prompt.md'), undefined);
    await write(machine, 'a', 'Text');
    await machine.prompts.update();
    assert.equal(machine.mirror.getItem('prompt', 'a.prompt.md')?.value, 'Text');
  });

  it('that are too long for the mirror stay where they are', async () => {
    const machine = open();
    await write(machine, 'Long', 'x'.repeat(60_000));
    await machine.prompts.update();
    await machine.prompts.update();
    assert.equal((await read(machine)).Long?.length, 60_000);
    assert.equal(machine.mirror.get('prompt', 'Long.prompt.md'), undefined);
  });

  it('are the same on three machines after they synced, and no deleted one comes back', async () => {
    const change = fc.record({
      machine: fc.integer({ min: 0, max: 2 }),
      action: fc.constantFrom('write', 'write', 'remove', 'sync', 'lose'),
      name: fc.constantFrom('A', 'B'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const own = [open(), open(), open()] as const;
        const at = (index: number) => own[index % 3] as Machine;
        const syncAll = async () => {
          for (let n = 0; n < 6; n++) await sync(at(n), at(n + 1));
        };
        // All know both prompts.
        for (const name of ['A', 'B']) await write(own[0], name, `first ${name}`);
        await syncAll();
        let count = 0;
        const last = new Map<string, string | undefined>([
          ['A', 'first A'],
          ['B', 'first B'],
        ]);
        for (const { machine, action, name } of changes) {
          if (action === 'write') {
            const text = `text ${++count}`;
            await write(at(machine), name, text);
            last.set(name, text);
          }
          if (action === 'remove' && name in (await read(at(machine)))) {
            await at(machine).prompts.update();
            await remove(at(machine), name);
            last.set(name, undefined);
          }
          if (action === 'sync') await sync(at(machine), at(machine + 1));
          if (action === 'lose') {
            // What wasn't mirrored is lost with the folder.
            await at(machine).prompts.update();
            await rm(at(machine).folder, { recursive: true, force: true });
            await at(machine).prompts.update();
          }
        }
        await syncAll();
        const expected = Object.fromEntries([...last].filter(([, text]) => text !== undefined).toSorted());
        for (const machine of own) assert.deepEqual(await read(machine), expected);
      }),
      cases(20),
    );
  });
});
