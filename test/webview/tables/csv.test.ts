import assert from 'node:assert/strict';
import { formatCsv } from '../../../src/webview/tables/csv';

describe('CSV of a table', () => {
  it('has rows that end with CR and LF, and quotes only where needed', () => {
    assert.equal(
      formatCsv([
        ['a', 'b c'],
        ['', '1.5'],
      ]),
      'a,b c\r\n,1.5',
    );
    assert.equal(
      formatCsv([['a,b', 'c"d', 'e\nf', 'g;h', 'i\tj', ' k']]),
      '"a,b","c""d","e\nf","g;h","i\tj"," k"',
    );
  });

  it('has an apostrophe before a cell that starts like a formula [attack: spreadsheet formula]', () => {
    const formulas = [
      '=1+1',
      '+1+1',
      '-1+1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '＝1+1',
      '－1+1',
      '-cmd',
      '+',
      '--1',
    ];
    for (const formula of formulas) assert.match(formatCsv([[formula]]), /^"?'/, JSON.stringify(formula));
    assert.equal(formatCsv([['=HYPERLINK("https://a.b","c")']]), '"\'=HYPERLINK(""https://a.b"",""c"")"');
    assert.equal(formatCsv([['a;=1+1']]), '"a;=1+1"');
  });

  it('has one before a line of a cell that starts like a formula, too', () => {
    assert.equal(formatCsv([['a\n=1+1\n+2\n\nc', 'b\r\n@x']]), '"a\n\'=1+1\n+2\n\nc","b\r\n\'@x"');
  });

  it('has numbers with a sign as they are', () => {
    assert.equal(formatCsv([['-5', '+1.5', '-12 %', '-1.000,5']]), '-5,+1.5,-12 %,"-1.000,5"');
  });
});
