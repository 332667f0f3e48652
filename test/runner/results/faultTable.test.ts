import assert from 'node:assert/strict';
import type { TestResult } from '../worker/events';
import { createFaultTable, readRows } from './faultTable';

describe('The table of faults', () => {
  const rows = readRows();
  const [first = '', second = '', third = '', ...others] = rows.map(({ tag }) => tag);

  const results = (state: TestResult['state'], ...titles: readonly string[]): TestResult[] =>
    titles.map((title) => ({ file: 'test/a.test.ts', title, state, durationMs: 1 }));
  const othersPass = results('passed', ...others.map((tag) => `holds [${tag}]`));

  it('has no problems if each row has a passed test, even if two rows share one', () => {
    const shared = results('passed', `holds [${first}] [${second}]`, `holds [${third}]`);
    const { table, problems } = createFaultTable(rows, [...othersPass, ...shared]);
    assert.deepEqual(problems, []);
    assert.equal(table.match(/\| passed \|$/gm)?.length, rows.length);
  });

  it('reports rows without a test, failed and skipped tests, and tests without a row', () => {
    const { table, problems } = createFaultTable(rows, [
      ...othersPass,
      ...results('passed', 'holds [fault 999]'),
      ...results('failed', `fails [${second}]`),
      ...results('skipped', `waits [${third}]`),
    ]);
    assert.equal(problems.length, 4);
    assert.match(problems.join('\n'), new RegExp(`No test has \\[${first}\\]`));
    assert.match(problems.join('\n'), new RegExp(`\\[${second}\\] failed`));
    assert.match(problems.join('\n'), new RegExp(`\\[${third}\\] skipped`));
    assert.match(problems.join('\n'), /There is no row \[fault 999\]/);
    assert.equal(table.match(/\| failed \|$/gm)?.length, 3);
  });
});
