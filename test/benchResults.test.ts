import assert from 'node:assert/strict';
import { formatGoals } from '../scripts/benchGoals';
import { compareResults, getFigures } from '../scripts/benchResults';

const createRun = (ours: number, peer = 50) => ({
  name: 'store',
  unit: 'ms',
  rows: [
    { what: 'list', size: 10, ours: 1, peer },
    { what: 'list', size: 1000, ours, peer },
  ],
});
const WHAT = 'store › rows › list 1000 › ours';

describe('Results of measurements', () => {
  const findRow = (before: readonly number[], after: readonly number[]) =>
    compareResults(
      { store: before.map((ours) => createRun(ours)) },
      { store: after.map((ours) => createRun(ours, 90)) },
    )
      .filter(({ what }) => what !== 'store › rows › list 10 › ours')
      .map(({ what, ratio, isWorse }) => [what, ratio, isWorse]);

  it('are worse if their ratio exceeds the noise of the runs', () => {
    assert.deepEqual(findRow([10, 10, 11], [12, 12, 12]), [[WHAT, 1.2, true]]);
    assert.deepEqual(findRow([8, 10, 12], [12, 12, 12]), [[WHAT, 1.2, false]]);
    assert.deepEqual(findRow([10, 10, 10], [8, 12, 16]), [[WHAT, 1.2, false]]);
  });

  it('are worse by an assumed noise if there is a single run of each', () => {
    assert.deepEqual(findRow([10], [11]), [[WHAT, 1.1, false]]);
    assert.deepEqual(findRow([10], [20]), [[WHAT, 2, true]]);
  });

  it('are compared only where both have them', () => {
    assert.deepEqual(compareResults({ store: [createRun(1)] }, { other: [createRun(2)] }), []);
  });

  it('are told apart by all sizes and modes', () => {
    const items = [
      { chunk: 8, ms: 1 },
      { chunk: 64, ms: 2 },
      { chunk: 64, everyFrame: true, ms: 3 },
    ];
    const results = items.map((item) => ({
      name: 'Parley',
      kind: 'mixed',
      size: 100,
      everyFrame: false,
      ...item,
    }));
    const figures = getFigures({ render: [{ results }] });
    const getMs = (mode: string) => figures.get(`render › results › Parley mixed 100 ${mode} › ms`);
    assert.deepEqual([getMs('8'), getMs('64'), getMs('64 everyFrame')], [[1], [2], [3]]);
  });

  it('are compared with the goals, by the largest of several and as a ratio to the peer', () => {
    const run = (...rows: readonly object[]) => [{ rows }];
    const figures = getFigures({
      search: run({ query: 'deploy', all: 20 }, { query: 'ü3', all: 1200 }),
      chat: run({ name: 'Parley', rate: 20, p95: 30 }, { name: 'VS Code Chat', rate: 20, p95: 120 }),
      windows: run({ host: 'web', what: 'a chunk', count: 60, p50: 90, p95: 250 }),
    });
    const rows = formatGoals(figures).split('\n').slice(2);
    assert.deepEqual(
      rows.filter((row) => !row.includes('not measured')),
      [
        '| search in 100 MB: all results | 1,200 ms | 1,000 ms | no |',
        '| web host: another window shows a chunk, p95 | 250 ms | 300 ms | yes |',
        "| a chunk's p95 at 20 chunks/s, × VS Code's Chat | 0.25 × | 1 × | yes |",
      ],
    );
    assert.ok(rows.includes('| list of 10,000 conversations | not measured | 50 ms | |'));
  });
});
