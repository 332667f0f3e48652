import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { scanDestination, scanLabel, scanTitle } from '../../../src/shared/markdown/inline/scan/linkScan';
import { NEED_MORE } from '../../../src/shared/text/needMore';

describe('Markdown of many megabytes', () => {
  it('overflows no stack', async () => {
    // In a process of its own: in one with 16 MB of compiled regular expressions, as after the tests of grammars, V8
    // doesn't optimize more of them, and each overflows.
    await promisify(execFile)(process.execPath, ['--import', 'tsx', path.join(__dirname, 'hugeText.ts')]);
  });

  it('has labels, titles and destinations in which characters are escaped', () => {
    assert.deepEqual(scanLabel(`[${'a'.repeat(999)}]`, 0, false), { value: 'a'.repeat(999), end: 1001 });
    assert.equal(scanLabel(`[${'a'.repeat(1000)}]`, 0, false), undefined);
    assert.deepEqual(scanLabel('[a\\]b]', 0, false), { value: 'a\\]b', end: 6 });
    assert.equal(scanLabel('[a\\', 0, true), NEED_MORE);
    assert.equal(scanLabel('[a[', 0, true), undefined);
    assert.deepEqual(scanTitle('(a\\)b)', 0, false), { value: 'a)b', end: 6 });
    assert.equal(scanTitle('(a(', 0, true), undefined);
    assert.equal(scanDestination('<a\\\nb>', 0, false), undefined);
  });
});
