import assert from 'node:assert/strict';
import { References } from '../../../src/shared/markdown/inline/references';
import { findEmails } from '../../../src/shared/markdown/inline/scan/autolink';
import { unescapeText } from '../../../src/shared/markdown/inline/scan/linkScan';

describe('link references', () => {
  const target = { destination: 'https://x.y', title: undefined };

  it('render a text once, however many of its labels are defined at once [attack: slow text]', () => {
    const references = new References();
    const refreshes: boolean[] = [];
    const user = { renderAgain: (isEnd: boolean) => refreshes.push(isEnd) > 0 };
    const labels = Array.from({ length: 100 }, (_, index) => `a${index}`);
    for (const label of labels) references.find(label, user);
    for (const label of labels) references.define(label, target);
    references.refreshUsers(false);
    references.refreshUsers(true);
    assert.deepEqual(refreshes, [false]);
    assert.equal(references.find('a99', user)?.destination, target.destination);
  });

  it('render a text again at the end if it was too long before', () => {
    const references = new References();
    const refreshes: boolean[] = [];
    const user = {
      renderAgain(isEnd: boolean) {
        refreshes.push(isEnd);
        return isEnd;
      },
    };
    references.find('a', user);
    references.define('a', target);
    for (const isEnd of [false, true, true]) references.refreshUsers(isEnd);
    assert.deepEqual(refreshes, [false, true]);
  });
});

describe('email addresses', () => {
  it('are found by the dot and the last letter of their hosts', () => {
    const find = (text: string) => [...findEmails(text)].map(({ value }) => value);
    assert.deepEqual(find('a@b.c a@b a@b.1 a@b.c- a@b.c. x@y.z1.q'), [
      'mailto:a@b.c',
      'mailto:a@b.c',
      'mailto:x@y.z1.q',
    ]);
  });
});

describe('character references', () => {
  it("can't stand for characters that hide or reorder text [attack: control characters]", () => {
    const hidden = 'See &#x202e;fdp.exe &#8294;a&#x2069; &#27;[31m &#x7; &#x85; &#x2028;';
    assert.equal(
      unescapeText(hidden),
      'See \\u{202e}fdp.exe \\u{2066}a\\u{2069} \\u{1b}[31m \\u{7} \\u{85} \\u{2028}',
    );
    assert.equal(unescapeText('&#9;&#10;&nbsp;&rlm;&copy;&#0;'), '\t\n\u00a0\u200f©\ufffd');
  });
});
