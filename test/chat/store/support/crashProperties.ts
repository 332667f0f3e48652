import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Storage } from '../../../../src/chat/store/files/storage';
import {
  appendLine,
  type CrashFixture,
  Ended,
  encode,
  type Faults,
  faults,
  isFault,
  NO_FAULTS,
  TestWindow,
} from './crashWindow';

const decode = (bytes: Uint8Array | undefined) => (bytes ? new TextDecoder().decode(bytes) : undefined);

/** Lengths of a line: with the longer ones a file soon has several parts. */
const LENGTHS = [1, 20_000, 40_000];

const length = fc.constantFrom(...LENGTHS);
const change = fc.oneof(
  fc.record({ do: fc.constant('append' as const), length }),
  fc.record({ do: fc.constant('replace' as const), length }),
  fc.constant({ do: 'remove' as const }),
  fc.constant({ do: 'lock' as const }),
  fc.constant({ do: 'unlock' as const }),
  fc.constant({ do: 'list' as const }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** What one window did to a file: `end` is when it knew of the result, failed, or ended. */
interface Operation {
  readonly value: string | undefined;
  readonly start: number;
  end: number;
  isDone: boolean;
}

/** Promises that every storage keeps, whatever fails and whenever a window ends, by their titles. */
export const crashProperties = {
  'loses, repeats and brings back nothing when two windows write and steps fail or a window ends': async (
    createFixture,
    options,
  ) => {
    const plan = fc.record({ changes: fc.array(change, { maxLength: 8 }), faults });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), plan, plan, async (scheduler, first, second) => {
        const fixture = await createFixture();
        try {
          await runWindows(fixture, scheduler, [first, second]);
        } finally {
          await fixture.close();
        }
      }),
      options,
    );
  },
  'keeps a file whole under one name when it is renamed, renamed back and removed': async (
    createFixture,
    options,
  ) => {
    const step = fc.constantFrom('append', 'delete', 'undo', 'purge', 'list');
    const life = fc.record({ steps: fc.array(step, { maxLength: 6 }), faults });
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), length, async (lives, lineLength) => {
        const fixture = await createFixture();
        try {
          await runLives(fixture, lives, lineLength);
        } finally {
          await fixture.close();
        }
      }),
      options,
    );
  },
} satisfies Record<
  string,
  (
    createFixture: () => Promise<CrashFixture>,
    options: { readonly numRuns: number; readonly seed: number },
  ) => Promise<void>
>;

/** Runs both plans at once, and then looks at the files in a new window. */
async function runWindows(
  fixture: CrashFixture,
  scheduler: fc.Scheduler,
  plans: readonly { readonly changes: readonly Change[]; readonly faults: Faults }[],
): Promise<void> {
  let time = 0;
  const appended: { readonly line: string; readonly window: number; isDone: boolean }[] = [];
  const operations: Operation[] = [{ value: undefined, start: -1, end: -1, isDone: true }];
  let holder: number | undefined;
  const survivors = new Set<TestWindow>();
  let count = 0;

  const runPlan = async (index: number, { changes, faults }: (typeof plans)[number]): Promise<void> => {
    const window = new TestWindow(fixture, faults, () => scheduler.schedule(Promise.resolve()));
    survivors.add(window);
    const operate = async (value: string | undefined, work: (storage: Storage) => Promise<unknown>) => {
      const operation: Operation = { value, start: time++, end: Number.POSITIVE_INFINITY, isDone: false };
      operations.push(operation);
      try {
        await window.run(work);
        operation.isDone = true;
      } finally {
        operation.end = time++;
      }
    };
    const runChange = async (each: Change): Promise<void> => {
      const id = `${index}-${count++}`;
      if (each.do === 'append') {
        const line = { line: `${id} ${'x'.repeat(each.length)}\n`, window: index, isDone: false };
        appended.push(line);
        line.isDone = await window.run((storage) => appendLine(storage, 'a.jsonl', line.line, 4));
      } else if (each.do === 'replace') {
        const value = `${id} ${'x'.repeat(each.length)}`;
        await operate(value, (storage) => storage.replaceFile('b.queue', encode(value)));
      } else if (each.do === 'remove') {
        await operate(undefined, (storage) => storage.removeFile('b.queue'));
      } else if (each.do === 'lock') {
        if (!(await window.run((storage) => storage.createFile('c.lease', encode(id))))) return;
        assert.equal(holder, undefined, 'two windows created the same file');
        holder = index;
      } else if (each.do === 'unlock') {
        if (holder !== index) return;
        holder = undefined;
        await window.run((storage) => storage.removeFile('c.lease'));
      } else await window.run((storage) => storage.listNames());
    };
    const runInTurn = async (own: readonly Change[]) => {
      for (const each of own) {
        try {
          await runChange(each);
        } catch (error) {
          if (error instanceof Ended) {
            survivors.delete(window);
            return;
          }
          if (!isFault(error)) throw error;
        }
      }
    };
    // A window changes several files at the same time.
    await Promise.all([
      runInTurn(changes.filter((each) => each.do === 'append')),
      runInTurn(changes.filter((each) => each.do !== 'append')),
    ]);
  };
  await scheduler.waitFor(Promise.all(plans.map((plan, index) => runPlan(index, plan))));

  const after = new TestWindow(fixture, NO_FAULTS, async () => undefined);
  const read = (name: string) => after.run(async (storage) => decode(await storage.readFile(name)));
  const text = await read('a.jsonl');
  const value = await read('b.queue');
  const names = await after.run((storage) => storage.listNames());
  assert.deepEqual([await read('a.jsonl'), await read('b.queue')], [text, value], 'listing changes a file');
  assert.deepEqual(
    ['a.jsonl', 'b.queue'].map((name) => names.includes(name)),
    [text !== undefined, value !== undefined],
  );
  checkLines(text ?? '', appended);
  for (const window of survivors) {
    // A step that nothing waited for can have been the last one.
    if (!window.isUsable) continue;
    window.stopFailing();
    const size = await window.run(async (storage) => (await storage.statFile('a.jsonl'))?.size);
    assert.equal(size, text?.length, 'the other window has another size');
  }
  const possible = operations.filter(
    ({ end }) => !operations.some((other) => other.isDone && other.start > end),
  );
  assert.ok(
    possible.some((operation) => operation.value === value),
    `the file has the content ${value?.slice(0, 10)} instead of ${possible.map((each) => each.value?.slice(0, 10))}`,
  );
}

/** Each line that was saved is there once, in its window's order; the others at most once, and whole. */
function checkLines(
  text: string,
  appended: readonly { readonly line: string; readonly window: number; readonly isDone: boolean }[],
): void {
  const lines = text.split(/(?<=\n)/).filter((line) => line !== '');
  const getNumber = (line: string) => line.slice(0, line.indexOf(' '));
  for (const { line, isDone } of appended) {
    const found = lines.filter((each) => each === line).length;
    assert.ok(isDone ? found === 1 : found <= 1, `${getNumber(line)} is there ${found} times`);
  }
  const known = new Set(appended.map(({ line }) => line));
  assert.deepEqual(lines.filter((line) => !known.has(line)).map(getNumber), [], 'torn lines');
  for (const window of new Set(appended.map((each) => each.window))) {
    const own = appended.filter((each) => each.window === window).map(({ line }) => line);
    const order = lines.filter((line) => own.includes(line)).map((line) => own.indexOf(line));
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
    );
  }
}

const LIFE_NAMES = ['a.jsonl', 'a.deleted'] as const;

/** Lives of windows, one after another, each of which may end or fail at any step. */
async function runLives(
  fixture: CrashFixture,
  lives: readonly { readonly steps: readonly string[]; readonly faults: Faults }[],
  lineLength: number,
): Promise<void> {
  const appended: { readonly line: string; readonly window: number; isDone: boolean }[] = [];
  /** The names under which the file may be, and whether it may be gone. */
  let possible = new Set<(typeof LIFE_NAMES)[number] | undefined>([undefined]);
  let count = 0;

  const runStep = async (window: TestWindow, step: string): Promise<void> => {
    const rename = async (from: (typeof LIFE_NAMES)[number], to: (typeof LIFE_NAMES)[number]) => {
      // `Deletions` doesn't rename one over the other.
      if (possible.size > 1) return;
      // Until it is known.
      const before = possible;
      if (possible.has(from)) possible = new Set([from, to]);
      if (await window.run((storage) => storage.renameFile(from, to))) possible = new Set([to]);
      else assert.ok(!before.has(from), `${from} isn't renamed`);
    };
    if (step === 'append') {
      if (possible.has('a.deleted')) return;
      const line = { line: `${count++} ${'x'.repeat(lineLength)}\n`, window: 0, isDone: false };
      appended.push(line);
      possible.add('a.jsonl');
      line.isDone = await window.run((storage) => appendLine(storage, 'a.jsonl', line.line, 4));
      if (line.isDone) possible = new Set(['a.jsonl']);
    } else if (step === 'delete') await rename('a.jsonl', 'a.deleted');
    else if (step === 'undo') await rename('a.deleted', 'a.jsonl');
    else if (step === 'purge') {
      if (!possible.has('a.deleted') || possible.has('a.jsonl')) return;
      possible.add(undefined);
      await window.run((storage) => storage.removeFile('a.deleted'));
      possible = new Set([undefined]);
      appended.length = 0;
    } else await window.run((storage) => storage.listNames());
  };

  for (const { steps, faults } of lives) {
    const window = new TestWindow(fixture, faults, async () => undefined);
    for (const step of steps) {
      try {
        await runStep(window, step);
      } catch (error) {
        if (error instanceof Ended) break;
        if (!isFault(error)) throw error;
      }
    }
    // What the next window finds.
    const next = new TestWindow(fixture, NO_FAULTS, async () => undefined);
    const names = await next.run((storage) => storage.listNames());
    const found = LIFE_NAMES.filter((name) => names.includes(name));
    for (const name of found) {
      assert.ok(possible.has(name), `${name} is there after ${steps}`);
      const text = decode(await next.run((storage) => storage.readFile(name))) ?? '';
      // A removal that failed may have removed the last parts already.
      if (!possible.has(undefined)) checkLines(text, appended);
    }
    if (found.length === 0) assert.ok(possible.has(undefined), `nothing is there after ${steps}`);
    // Both are there if a window ended in a rename: that one counts.
    if (found.length > 1) await next.run((storage) => storage.removeFile('a.deleted'));
    possible = new Set(found.length === 0 ? [undefined] : [found[0]]);
    if (found.length === 0) appended.length = 0;
    else {
      const text = decode(await next.run((storage) => storage.readFile(found[0] ?? ''))) ?? '';
      const left = appended.filter(({ line }) => text.includes(line));
      appended.splice(0, appended.length, ...left.map((each) => ({ ...each, isDone: true })));
    }
  }
}
