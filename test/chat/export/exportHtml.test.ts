import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { exportHtml } from '../../../src/chat/export/exportHtml';
import type { ExportWords } from '../../../src/chat/export/exportMarkdown';
import { toHtml } from '../../../src/chat/export/markdownHtml';
import type { ReplyTurn, Turn } from '../../../src/chat/model/turn';
import { assertLinear } from '../../support/cpuTime';
import { conversationOf } from '../support/conversations';

const words: ExportWords = {
  untitled: 'Conversation',
  you: 'You',
  bot: 'Bot',
  document: 'Document',
  sources: 'Sources',
  about: () => 'With <Guide>',
  time: (at) => `at ${at}`,
  ending: ({ ending }) => (ending === 'complete' ? undefined : ending),
  state: ({ state }) => state,
};
const replyOf = (text: string, rest: Partial<ReplyTurn> = {}): Turn => ({
  ...{ kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text, at: 2, ending: 'complete' },
  ...rest,
});
const write = (...turns: Turn[]) => exportHtml(conversationOf(turns), words, 'de');

/** All tags of a document, with their attributes. */
const findTags = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
/** What a rendered reply may consist of. */
const HARMLESS =
  /^<(?:\/?(?:p|div|em|strong|h[1-6]|ul|li|ol|blockquote|pre|code|table|thead|tbody|tr|th|td|sub|sup|kbd|mark|u|ins|del|summary|a)|\/?details|details open|li class="task(?: done)?"|p class="html"|(?:code|pre) class="math(?: display)?"|br|hr|ol start="\d+"|t[hd] class="align-(?:left|center|right)"|a(?: class="bare")? href="https:[^"<>]*" rel="noreferrer noopener")>$/;

describe('A conversation exported as HTML', () => {
  it('has each turn with its author and time, the lines of the user’s Markdown, and how a reply ended', async () => {
    const html = await write(
      { kind: 'document', id: 'd', name: 'a & b.txt', size: 1, sent: 0, at: 0, state: 'attached' },
      { kind: 'message', id: 'm', text: 'Is *this*\n  <b>bold</b>?', at: 1 },
      replyOf('It **is**,\nhere.', {
        ending: 'stopped',
        sources: [{ name: 'x', url: 'https://a.example/' }],
      }),
    );
    assert.match(html, /^<!DOCTYPE html>\n<html lang="de">/);
    assert.match(html, /<bdi>a &amp; b\.txt<\/bdi><br>attached/);
    assert.match(
      html,
      /<div class="text" dir="auto">\n<p>Is <em>this<\/em><br>\n&lt;b&gt;bold&lt;\/b&gt;\?<\/p>/,
    );
    assert.match(html, /<bdi>Guide<\/bdi> <time datetime="1970-01-01T00:00:00\.002Z">at 2<\/time>/);
    assert.match(html, /<p>It <strong>is<\/strong>,\nhere\.<\/p>\n<\/div>\n<p class="ending">stopped<\/p>/);
    assert.match(html, /<li><a href="https:\/\/a\.example\/" rel="noreferrer noopener">x<\/a><\/li>/);
  });

  it('renders task list items as checkboxes, without their brackets', () => {
    const html = toHtml('- [x] **a**\n- [ ] b\n- [c] d\n\n[x] e');
    assert.match(
      html,
      /<li class="task done"><strong>a<\/strong><\/li>\n<li class="task">b<\/li>\n<li>\[c\] d<\/li>/,
    );
    assert.match(html, /<p>\[x\] e<\/p>/);
  });

  it('allows its own style sheet and nothing else [attack: hostile HTML export]', async () => {
    const html = await write(replyOf('Hi'));
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    assert.match(html, /@media print/);
    assert.ok(
      html.includes(
        `content="default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'"`,
      ),
    );
  });

  for (const hostile of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '</div></section><style>*{display:none}</style>',
    '[a](javascript:alert(1)) [b](data:text/html,x) [c](command:x) [d](file:///etc/passwd)',
    '[a](https://user:password@a.example)',
    '![a](https://a.example/x.png) ![](javascript:x)',
    '[a](https://a.example "\\" onclick=alert(1)")',
    '[a](<https://a.example/"onclick="alert(1)>)',
    '```"><script>\n</code></pre><script>alert(1)</script>\n```',
    '| a |\n|:-:|\n| <sub onclick=x>b</sub> |',
    '<sub>a *b</sub> c*',
    '*a <u>b* c</u>',
    '<mark><kbd>a</mark></kbd>',
    '<u>never closed',
    '<details>\n<summary><img src=x onerror=alert(1)></summary>\n<script>alert(1)</script>\n</details>',
    '<details onclick=x>\na\n</details>',
    '<details>\n<details>\n- a\n</details>',
    '> <details>\n\n</details>',
    '$<img src=x onerror=alert(1)>^2$ $$\n</code><script>_\n$$',
    '```math\n</code></pre><script>\n```',
  ]) {
    it(`is inert: ${JSON.stringify(hostile)} [attack: hostile HTML export]`, () => {
      const tags = findTags(toHtml(hostile));
      assert.deepEqual(
        tags.filter((tag) => !HARMLESS.test(tag)),
        [],
      );
      assert.deepEqual(findUnmatched(tags), []);
    });
  }

  it('prints the address of a link after its text, unless that is the address in the same letters', async () => {
    // Cyrillic letters that look like Latin ones.
    const lookalike = 'https://\u0430.example/';
    const sources = ['https://a.example/', lookalike].map((url) => ({ name: url, url }));
    const text = `<https://a.example/b> and [c](https://a.example/c) and <${lookalike}>`;
    const html = await write(replyOf(text, { sources }));
    assert.deepEqual(
      [...html.matchAll(/<a( class="bare")? href="([^"]*)"/g)].map(([, bare, href]) => [
        href,
        bare !== undefined,
      ]),
      [
        ['https://a.example/b', true],
        ['https://a.example/c', false],
        ['https://xn--80a.example/', false],
        ['https://a.example/', true],
        ['https://xn--80a.example/', false],
      ],
    );
    assert.match(html, /a:not\(\.bare\)::after/);
  });

  it('prints addresses that it does not link, unless they are the text', () => {
    assert.equal(
      toHtml('[a](http://a.example/) [b](mailto:b@b.example) c@c.example www.d.example'),
      '<p>a &lt;http://a.example/&gt; b &lt;mailto:b@b.example&gt; c@c.example www.d.example</p>\n',
    );
  });

  it('links bare addresses, as the panel does', () => {
    assert.equal(
      toHtml('See https://a.example/b.'),
      '<p>See <a class="bare" href="https://a.example/b" rel="noreferrer noopener">https://a.example/b</a>.</p>\n',
    );
  });

  it('shows raw HTML as it was written, and text with details as a block that may contain them', () => {
    assert.equal(toHtml('<div>\n  a\n</div>'), '<p class="html">&lt;div&gt;\n  a\n&lt;/div&gt;</p>\n');
    assert.equal(toHtml('a <details>b</details>'), '<div>a \n<details open>\nb</details>\n</div>\n');
    assert.equal(toHtml('a <!-- b --> c'), '<p>a  c</p>\n');
  });

  it('keeps the line ends of a message, each once', () => {
    assert.equal(
      toHtml('a\nb  \nc\\\nd `e\nf`\n\n```\ng\nh\n```\n\n<i>\nj', true),
      '<p>a<br>\nb<br>\nc<br>\nd <code>e f</code></p>\n<pre><code>g\nh\n</code></pre>\n<p class="html">&lt;i&gt;\nj</p>\n',
    );
  });

  it('escapes names, titles and texts of every kind [attack: hostile HTML export]', async () => {
    const evil = '</title><script>alert("1")</script>';
    const conversation = conversationOf([
      { kind: 'document', id: 'd', name: evil, size: 1, sent: 0, at: 0, state: 'attached' },
      { kind: 'message', id: 'm', text: evil, at: 1 },
      replyOf('', { bot: evil, sources: [{ name: evil, url: 'javascript:alert(1)' }] }),
    ]);
    const html = await exportHtml({ ...conversation, name: evil }, words, '"><script>');
    assert.doesNotMatch(html, /<script/);
    assert.doesNotMatch(html, /javascript:/);
  });

  it('spells out characters that reorder or hide text', async () => {
    const html = await exportHtml(
      {
        ...conversationOf([
          { kind: 'message', id: 'm', text: 'a\u202eb', at: 1 },
          replyOf('`c\u2066d` &#x202e;e', { bot: 'f\u200bg', sources: [{ name: 'h\u{e0041}' }] }),
        ]),
        name: 'i\u200b\u202ej',
      },
      words,
      'de',
    );
    for (const shown of [
      'a\\u{202e}b',
      'c\\u{2066}d',
      '\\u{202e}e',
      'f\\u{200b}g',
      'h\\u{e0041}',
      'i\\u{200b}\\u{202e}j',
    ])
      assert.ok(html.includes(shown), shown);
    assert.doesNotMatch(html, /[\u200b\u202e\u2066\u{e0041}]/u);
  });

  it('is inert and has matching tags, whatever the reply is', () => {
    const part = fc.constantFrom(
      ...[
        '<sub>',
        '</sub>',
        '<u>',
        '</u>',
        '<BR/>',
        '\n<details>\n',
        '\n</details>\n',
        '<summary>a</summary>',
        '\n$$\n',
        '$x^2$',
        '\\(',
        '<b onload=x>',
        '*',
        '**',
        '`',
        '\n',
        '\n\n',
        '- ',
        '> ',
      ],
      ...[
        '[',
        '](',
        ')',
        '!',
        'https://a.example',
        'javascript:x',
        '"',
        "'",
        '&lt;',
        '|',
        '|-|',
        'a',
        '~~',
        '\\',
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const tags = findTags(toHtml(parts.join('')));
        assert.deepEqual(
          tags.filter((tag) => !HARMLESS.test(tag)),
          [],
        );
        assert.deepEqual(findUnmatched(tags), []);
      }),
    );
  });

  it('shows line breaks and the tags that the panel shows', () => {
    assert.equal(
      toHtml('H<sub>2</sub>O<br>a <kbd>Ctrl</kbd>'),
      '<p>H<sub>2</sub>O<br>a <kbd>Ctrl</kbd></p>\n',
    );
    assert.equal(toHtml('a <sub>b'), '<p>a <sub>b</sub></p>\n');
  });

  it('shows details open, with their summary and the blocks in them', () => {
    assert.equal(
      toHtml(
        'a\n<details>\n<summary>More **here**</summary>\n\n- b\n  ```\n  </details>\n  ```\n</details>\nc',
      ),
      '<p>a</p>\n<details open>\n<summary>More <strong>here</strong></summary>\n<ul>\n<li>b\n<pre><code>&lt;/details&gt;\n</code></pre>\n</li>\n</ul>\n</details>\n<p>c</p>\n',
    );
    assert.equal(
      toHtml('<details><summary>1</summary>\n<details>\n2\n</details>\n3\n</details>\n4'),
      '<details open>\n<summary>1</summary>\n<details open>\n<p>2</p>\n</details>\n<p>3</p>\n</details>\n<p>4</p>\n',
    );
  });

  it('ends details and formulas with their list item, so that nothing after it is lost', () => {
    assert.equal(
      toHtml('- <details>\n- b\n</details>\n\nc'),
      '<ul>\n<li>\n<details open>\n</details>\n</li>\n<li>b\n&lt;/details&gt;</li>\n</ul>\n<p>c</p>\n',
    );
    assert.equal(
      toHtml('- <details>\n\n  a\n  </details>\n  b\n\nc'),
      '<ul>\n<li>\n<details open>\n<p>a</p>\n</details>\nb</li>\n</ul>\n<p>c</p>\n',
    );
    for (const mark of ['$$', '\\\\[']) {
      const html = toHtml(`- ${mark.replace('\\\\', '\\')}\n- b\n\nc\n\nd $$ \\]`);
      assert.match(html, /<li>b<\/li>\n<\/ul>\n<p>c<\/p>\n<p>d/);
    }
  });

  it('shows content that is nested too deeply as text', () => {
    for (const mark of ['> ', '- ', '1. ', '<details>\n', '> - ']) {
      const html = toHtml(`${mark.repeat(200)}deep *text*\n\nafter`);
      // Tags that are too deep are in text, where emphasis in so many of them is text as well.
      assert.match(html, mark.startsWith('<') ? /deep text/ : /deep <em>text<\/em>/, mark);
      assert.match(html, /after/, mark);
    }
  });

  it('looks for the end of a formula in no line twice', () => {
    const fromLine = String.prototype.slice;
    let slices = 0;
    String.prototype.slice = function (...range) {
      slices++;
      return fromLine.apply(this, range);
    };
    try {
      toHtml('\\[\n'.repeat(2000));
    } finally {
      String.prototype.slice = fromLine;
    }
    assert.ok(slices < 100_000, `${slices}`);
  });

  it('shows formulas as their source, in which nothing is Markdown, and leaves prices alone', () => {
    assert.equal(
      toHtml('$a_1 * b_1$ and \\(c*d*e < f\\)'),
      '<p><code class="math">a_1 * b_1</code> and <code class="math">c*d*e &lt; f</code></p>\n',
    );
    assert.equal(
      toHtml('So\n$$\n- \\frac{a}{b}\n\n+ c\n$$\nand'),
      '<p>So</p>\n<pre class="math"><code>- \\frac{a}{b}\n\n+ c</code></pre>\n<p>and</p>\n',
    );
    assert.equal(toHtml('```math\nx^2\n```'), '<pre class="math"><code>x^2</code></pre>\n');
    assert.equal(toHtml('$$x^2$$'), '<p><code class="math display">x^2</code></p>\n');
    assert.equal(toHtml('From $5 to $6, `$a_1$`'), '<p>From $5 to $6, <code>$a_1$</code></p>\n');
  });

  it('ends details that are not closed with their list item, and loses nothing after it', () => {
    const html = toHtml('- <details>\n- b\n\nend');
    assert.match(html, /<\/details>\s*<\/li>\s*<li>b<\/li>\s*<\/ul>\s*<p>end<\/p>/);
    assert.match(toHtml('- \\[\n- b\n\\]'), /<code>\\\[<\/code><\/pre>\s*<\/li>\s*<li>b/);
    assert.match(toHtml('- \\[\n  b\n  \\]\n- c'), /<code>b<\/code><\/pre>\s*<\/li>\s*<li>c/);
    assert.match(toHtml('\\[\na\nb \\]\n\\]'), /<code>a\nb<\/code><\/pre>\s*<p>\]/);
  });

  for (const line of ['\\[', '- \\[', '> \\[', '- <details>'])
    it(`takes linear time for many lines ${line}`, async () => {
      await assertLinear((count) => toHtml(`${line}\n`.repeat(count)), 500);
    });

  for (const use of ['[a][0]', '![a][0]', '![][0]'])
    it(`takes linear time, and room, for many references ${use} to a long address [attack: slow text]`, async () => {
      await assertLinear((count) => {
        const text = `${use}\n`.repeat(count);
        const html = toHtml(`${text}\n[0]: https://a.b/${'x'.repeat(10 * count)}\n`);
        assert.ok(html.length < 100 * text.length);
      }, 2000);
    });

  for (const use of ['[a][0]', '![a][0]', '![][0]'])
    it(`takes room in proportion to the text for many references ${use} to any address [attack: slow text]`, () => {
      // Each & takes five characters.
      const text = `${`${use}\n`.repeat(10_000)}\n[0]: https://a.b/${'&'.repeat(9_000)}\n`;
      const html = toHtml(text);
      assert.ok(html.length < 200 * text.length, `${html.length} for ${text.length}`);
      assert.match(html, / href="https:/);
    });

  it('links all addresses that are written in the text, in any script', () => {
    const html = toHtml('[a](https://a.example/\u65e5\u672c\u8a9e) <https://b.example/\u65e5>\n'.repeat(100));
    assert.equal(html.split(' href="https://').length - 1, 200);
  });

  it('links all references of a table of links', () => {
    const rows = '| [1] | [1] | [1] | [1] | [1] |\n'.repeat(100);
    const html = toHtml(`|a|b|c|d|e|\n|-|-|-|-|-|\n${rows}\n[1]: https://a.example/${'x'.repeat(200)}\n`);
    assert.equal(html.split(' href="https://').length - 1, 500);
  });

  it('replies with many references share a limit, and leave the rest of it to the others [attack: slow text]', async () => {
    const hostile = `${'[a][0]\n'.repeat(1_000)}\n[0]: https://a.b/${'x'.repeat(9_000)}\n`;
    const texts = [...Array<string>(50).fill(hostile), '[last](https://last.example)'];
    const html = await write(...texts.map((text, index) => replyOf(text, { id: `r${index}` })));
    assert.ok(html.length < 2 ** 21 + 12 * 50 * hostile.length, `${html.length}`);
    assert.match(html, / href="https:\/\/last\.example/);
  });

  it('links a picture in a link to where the link goes', () => {
    assert.equal(
      toHtml('[![build](https://a.example/x.png)](https://b.example/) ![c](https://c.example/)'),
      '<p><a href="https://b.example/" rel="noreferrer noopener">build</a> ' +
        '<a href="https://c.example/" rel="noreferrer noopener">c</a></p>\n',
    );
  });

  it('links an address in a link to where the link goes', () => {
    assert.equal(
      toHtml('[<https://a.example/> ![x](https://b.example/)](https://c.example/) <https://d.example/>'),
      '<p><a href="https://c.example/" rel="noreferrer noopener">https://a.example/ x</a> ' +
        '<a class="bare" href="https://d.example/" rel="noreferrer noopener">https://d.example/</a></p>\n',
    );
  });

  it('has a part of a long address as the text of a picture without one', () => {
    const [host, path] = ['https://a.b/', 'x'.repeat(200)];
    assert.match(toHtml(`![](${host}${path})`), /href="https:\/\/a\.b\/x{200}"[^>]*>https:\/\/a\.b\/x{88}…</);
  });
});

/** Returns the tags that aren't closed in order. */
function findUnmatched(tags: readonly string[]): string[] {
  const open: string[] = [];
  const unmatched: string[] = [];
  for (const tag of tags) {
    const [, slash, name = ''] = /^<(\/?)(\w+)/.exec(tag) ?? [];
    if (name === 'br' || name === 'hr') continue;
    if (!slash) open.push(name);
    else if (open.at(-1) === name) open.pop();
    else unmatched.push(tag);
  }
  return [...unmatched, ...open];
}
