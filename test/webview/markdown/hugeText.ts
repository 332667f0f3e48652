// Run by hugeText.test.ts in a process of its own.
import assert from 'node:assert/strict';
import { LineCursor } from '../../../src/shared/markdown/base/lineCursor';
import { isThematicBreak } from '../../../src/shared/markdown/block/blockStarts';
import { parseDelimiterRow } from '../../../src/shared/markdown/block/table';
import { scanAngleAutolink } from '../../../src/shared/markdown/inline/scan/autolink';
import { scanRawHtml } from '../../../src/shared/markdown/inline/scan/html';
import { scanDestination, scanLabel, scanTitle } from '../../../src/shared/markdown/inline/scan/linkScan';
import { NEED_MORE } from '../../../src/shared/text/needMore';

/** In characters: a regular expression that repeats a group overflows the stack. */
const LENGTH = 16_000_000;

const repeat = (text: string) => text.repeat(LENGTH / text.length);

assert.equal(isThematicBreak(new LineCursor(repeat('* '), true)), true);
assert.equal(isThematicBreak(new LineCursor(repeat('-'), false)), NEED_MORE);
assert.equal(parseDelimiterRow(repeat('|-')), undefined);
assert.equal(scanLabel(`[${repeat('a')}]`, 0, false), undefined);
assert.equal(scanLabel(`[${repeat('a')}`, 0, true), undefined);
for (const [start, end] of ['""', "''", '()']) {
  const title = scanTitle(`${start}${repeat('\\a')}${end}`, 0, false);
  assert.ok(typeof title === 'object' && title.end === LENGTH + 2);
  assert.equal(scanTitle(`${start}${repeat('\\a')}`, 0, true), NEED_MORE);
}
const destination = scanDestination(`<${repeat('\\a')}`, 0, true);
assert.equal(destination, NEED_MORE);
for (const tag of ['<a', '<a b="', '</a']) {
  assert.equal(scanRawHtml(`${tag}${repeat(' b')}<`, 0, false, new Set()), undefined);
}
assert.equal(scanRawHtml(`<a${repeat(' b=c')}>`, 0, false, new Set()), undefined);
assert.equal(scanAngleAutolink(`<a@b${repeat('.c')}>`, 0), undefined);
