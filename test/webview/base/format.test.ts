import assert from 'node:assert/strict';
import { escapeInvisible } from '../../../src/shared/text/escapeInvisible';
import { formatAge } from '../../../src/webview/base/format';

describe('format', () => {
  it('formats how long ago a time was', () => {
    const now = Date.UTC(2026, 0, 5);
    const ages = [0, 59_000, 60_000, 3_599_000, 7_200_000, 86_400_000].map((age) =>
      formatAge(now - age, now),
    );
    assert.deepEqual(ages, ['now', 'now', '1 min. ago', '59 min. ago', '2 hr. ago', 'yesterday']);
  });

  it('escapes characters that would hide or reorder text, and no others [attack: control characters]', () => {
    assert.equal(escapeInvisible('pay\u202efdp.exe'), 'pay\\u{202e}fdp.exe');
    assert.equal(escapeInvisible('\u001b[31mred\u0007'), '\\u{1b}[31mred\\u{7}');
    assert.equal(escapeInvisible('a\u{e0041}b\u2066c\u2028d'), 'a\\u{e0041}b\\u{2066}c\\u{2028}d');
    const harmless = 'Grüße, 你好, עברית 👨‍👩‍👧\n\tfine';
    assert.equal(escapeInvisible(harmless), harmless);
  });
});
