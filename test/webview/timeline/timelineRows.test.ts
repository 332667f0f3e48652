import assert from 'node:assert/strict';
import {
  createHeadingRows,
  createRows,
  filterRows,
  findQuestion,
  type TimelineRow,
} from '../../../src/webview/timeline/timelineRows';
import { document, message, reply } from '../support/states';

describe('rows of the timeline', () => {
  const element = undefined as unknown as HTMLElement;
  const turns = [
    message('m1', '\n  How does **this**\twork?\nSecond line'),
    document('d1', {}),
    reply('r1', ''),
    message('m2', 'Über den Plan'),
    reply('r2', ''),
  ];
  const headings = new Map([
    [
      'r1',
      createHeadingRows('r1', [
        { text: 'Set-up', level: 2, element },
        { text: 'First steps', level: 3, element },
      ]),
    ],
    ['r2', createHeadingRows('r2', [{ text: 'A plan', level: 4, element }])],
  ]);
  const rows = createRows(turns, headings);
  const show = (shown: readonly TimelineRow[]) => shown.map(({ level, text }) => `${level} ${text}`);

  it('are the first lines of the messages, each followed by the headings of its reply', () => {
    assert.deepEqual(show(rows), [
      '1 How does **this** work?',
      '2 Set-up',
      '3 First steps',
      '1 Über den Plan',
      '2 A plan',
    ]);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  });

  it('are the same objects for the same messages, so that they are filtered fast', () => {
    assert.equal(createRows(turns, new Map())[0], rows[0]);
  });

  it('are filtered by words, without case and accents, and keep the question of a heading', () => {
    assert.deepEqual(show(filterRows(rows, ' ')), show(rows));
    assert.deepEqual(show(filterRows(rows, 'plan uber')), ['1 Über den Plan']);
    assert.deepEqual(show(filterRows(rows, 'STEPS')), ['1 How does **this** work?', '3 First steps']);
    assert.deepEqual(show(filterRows(rows, 'plan')), ['1 Über den Plan', '2 A plan']);
    assert.deepEqual(filterRows(rows, 'nowhere'), []);
  });

  it('shorten long questions, and escape characters that reorder others', () => {
    const [row] = createRows([message('m', `a\u202eb ${'x'.repeat(500)}`)], new Map());
    assert.ok(row && row.text.length < 220 && !row.text.includes('\u202e'));
  });

  it('tell the question that a turn belongs to', () => {
    assert.equal(findQuestion(turns, 'r1'), 'm1');
    assert.equal(findQuestion(turns, 'm2'), 'm2');
    assert.equal(findQuestion(turns.slice(1), 'r1'), undefined);
    assert.equal(findQuestion(turns, undefined), undefined);
  });

  it('are created for more headings than a call has arguments [attack: slow text]', () => {
    const many = Array.from({ length: 200_000 }, () => ({ text: 'A', level: 3, element }));
    assert.equal(createHeadingRows('r', many).at(-1)?.level, 2);
  });
});
