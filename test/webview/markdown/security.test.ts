import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { attackLists } from '../../support/attackLists';
import { assertShort, watchMainThread } from '../support/mainThread';
import { openMarkdownPage } from './browser';
import { commonMarkExamples, gfmExamples } from './examples';
import type * as pageScript from './pageScript';

declare const markdown: typeof pageScript;

/** In pieces of known work: about 5 s on a quick machine. Quadratic growth would take minutes. */
const MAX_ATTACK_WORK = 100;

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <img src=x onerror=alert(1)> b',
  '<svg onload=alert(1)>',
  '<iframe src="https://example.com"></iframe>',
  '<a href="javascript:alert(1)" style="x" id="y">z</a>',
  '<style>* { color: red }</style>',
  '<meta http-equiv="refresh" content="0;url=https://example.com">',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](<java\tscript:alert(1)>)',
  '[a](&#106;avascript:alert(1))',
  '[a](java&#10;script:alert(1))',
  '[a](\u0001javascript:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](vbscript:x) [b](file:///etc/passwd) [c](command:workbench.action.quit) [d](vscode://x) [e](//x.y)',
  '[a](https:javascript:alert(1)) [b](ftp://x.y)',
  '<javascript:alert(1)> <vscode:x/y>',
  '[a]: javascript:alert(1)\n\n[a] ![a]',
  '[a](https://x.y "onmouseover=alert(1)" )',
  '[a](https://x.y/"onclick="alert(1))',
  '![a](https://example.com/x.png)',
  '![a](http://127.0.0.1/x.png "t")',
  '![a](data:image/svg+xml;base64,PHN2Zz4=)',
  '![a](data:image/png;base64,iVBORw0KGgo=)',
  '![a](data:image/png;base64,x"onerror=alert(1))',
  '![a](javascript:alert(1))',
  '[![a](https://x.y/z.png)](https://x.y)',
  '[![a](javascript:x)](javascript:y)',
  '```"><img src=x onerror=alert(1)>\nx\n```',
  '```x onclick=alert(1)\ny\n```',
  '~~~<script>\ny\n~~~',
  '| <img src=x> | [a](javascript:x) |\n|--|--|\n| <b onclick=x> | ![a](https://x.y/z.png) |',
  '- [x] <input autofocus onfocus=alert(1)>',
  '<div id="parley" class="code-block" onclick="x">\n',
  'xmpp:a@b.c ftp://x.y/z',
  '$\\href{javascript:alert(1)}{x}$ $$<img src=x onerror=alert(1)>=1$$ $x\n<script>$',
  '$$\n<script>alert(1)</script>\n$$\n```math\n<img src=x onerror=alert(1)>\n```',
];

describe('Markdown from a hostile reply', () => {
  let page: Page;
  before(async () => {
    page = await openMarkdownPage();
  });
  after(() => page.close());

  it('shows only known elements and attributes, in every state while streaming [attack: script]', async () => {
    const texts = [...hostile, ...[...commonMarkExamples, ...gfmExamples].map(({ markdown: text }) => text)];
    assert.deepEqual(await page.evaluate((all) => markdown.findViolations(all), texts), []);
  });

  for (const [name, attacks] of attackLists) {
    it(`shows no others for ${name}, alone and in other markup, at once and while streaming [attack: script]`, async () => {
      assert.ok(attacks.length > 130, `${attacks.length}`);
      for (const around of [
        (text: string) => text,
        (text: string) => `| a |\n|---|\n| ${text.replaceAll('\n', ' ')} |`,
        (text: string) => `[${text}](${text.replaceAll(/\s/g, '')} "${text}")`,
        (text: string) => `> - **${text}**`,
        (text: string) => `~~~${text}\n${text}\n~~~\n`,
      ]) {
        const texts = attacks.map(around);
        assert.deepEqual(await page.evaluate((all) => markdown.findViolations(all), texts), []);
      }
    });
  }

  it('may have 150,000 pieces of formatted text in a paragraph [attack: slow text]', async () => {
    const count = await page.evaluate(
      (text) => markdown.renderPlain(text).querySelectorAll('em').length,
      '*a* '.repeat(150_000),
    );
    assert.equal(count, 150_000);
  });

  it('counts no children of a list with 20,000 items, which takes quadratic time', async () => {
    const worked = await watchMainThread(page);
    const counted = await page.evaluate((text) => markdown.measureCounting(text), '- a\n'.repeat(20_000));
    await assertShort(page, worked, { ms: await worked(), limit: MAX_ATTACK_WORK, what: 'The list' });
    assert.ok(counted < 500_000, `${counted}`);
  });

  it('is never parsed as HTML [attack: script]', async () => {
    const shown = await page.evaluate((all) => markdown.renderWithoutHtmlParser(all), hostile.join('\n\n'));
    assert.match(shown, /<script>alert\(1\)<\/script>/);
  });

  it('loads nothing: images become links, unless the reply contains the picture', async () => {
    const html = await page.evaluate(() => [
      markdown.render('![a *pic*](https://x.y/z.png "t")').innerHTML,
      markdown.render('![](https://x.y/z.png)').innerHTML,
      markdown.render('![a](/z.png)').innerHTML,
      markdown.render('[![a](https://x.y/z.png)](https://x.y)').innerHTML,
      markdown.render('![a](data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)')
        .innerHTML,
      markdown.render('![a](data:image/png;base64,iVBORw0KGgo=)').innerHTML,
    ]);
    const link = (text: string, rest = '') =>
      `<div class="md-section" role="presentation"><p><a href="https://x.y${rest.startsWith('/') ? '/z.png' : ''}" rel="noreferrer noopener"${rest.slice(1)}>${text}</a></p></div>`;
    assert.deepEqual(html, [
      link('a pic', '/ title="t"'),
      link('https://x.y/z.png', '/'),
      '<div class="md-section" role="presentation"><p>a</p></div>',
      link('a'),
      '<div class="md-section" role="presentation"><p><img alt="a" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"></p></div>',
      '<div class="md-section" role="presentation"><p><img alt="a"></p></div>',
    ]);
  });

  it('has only links and texts of a limited length for addresses and titles, which references may share', async () => {
    const [long, longer] = ['x'.repeat(9000), 'x'.repeat(10_000)].map((path) => `https://x.y/${path}`);
    const texts = [`[a](${long})`, `[a](${longer})`, `[a](https://x.y "${longer}")`, `![](${long})`];
    const lengths = await page.evaluate((all) => {
      const links = all.map((text) => markdown.render(text).querySelector('a'));
      return links.map((link) => link && [link.href.length, link.title.length, link.text.length]);
    }, texts);
    assert.deepEqual(lengths, [[9012, 0, 1], null, [12, 1000, 1], [9012, 0, 101]]);
  });

  it("is shown as the text of a link if the link doesn't lead to the web or mail [attack: script]", async () => {
    const html = await page.evaluate(() => markdown.render('a [b *c*](command:x) d').innerHTML);
    assert.equal(html, '<div class="md-section" role="presentation"><p>a b <em>c</em> d</p></div>');
  });

  it('stays fast and shallow however deep and long its markup is', async () => {
    const attacks = [
      '>'.repeat(20_000),
      `${'- '.repeat(20_000)}a`,
      `${'1) '.repeat(20_000)}a`,
      '['.repeat(50_000),
      '*a '.repeat(20_000),
      '*a **b '.repeat(10_000),
      '*a_ '.repeat(40_000),
      `${'*a **b '.repeat(5_000)}${'c** d* '.repeat(5_000)}`,
      '`a``b```c````d'.repeat(4_000),
      '[a](<b'.repeat(10_000),
      '[a](b "c'.repeat(10_000),
      '<!--'.repeat(20_000),
      '<a b="'.repeat(10_000),
      '&amp'.repeat(20_000),
      'a@'.repeat(30_000),
      `http://a${'!'.repeat(50_000)}`,
      `http://a${'('.repeat(25_000)}${')'.repeat(50_000)}`,
      '![[]()'.repeat(10_000),
      `|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}\n|`,
      `[a]: ${'('.repeat(50_000)}`,
      '[a]: b\n'.repeat(10_000),
      `${'[a] '.repeat(10_000)}\n\n[a]: https://x.y`,
      ' '.repeat(100_000),
      `a${' '.repeat(100_000)}b`,
      `# ${'# '.repeat(50_000)}`,
      '~a'.repeat(20_000),
      '[a]('.repeat(10_000),
      '![a][b'.repeat(10_000),
      '_a__b'.repeat(10_000),
      '<a '.repeat(20_000),
      '\\|'.repeat(20_000),
      '$'.repeat(50_000),
      '$a '.repeat(30_000),
      '$a_b $'.repeat(20_000),
      '$$a '.repeat(20_000),
      `$$${'a '.repeat(40_000)}`,
      `${'a $$ b\n'.repeat(10_000)}`,
      '\\(a'.repeat(30_000),
      '\\[a_'.repeat(15_000),
      '$$\n'.repeat(20_000),
      `$$\n${'a\n'.repeat(40_000)}`,
      `$${' a'.repeat(40_000)}`,
      `$a${' '.repeat(100_000)}b$`,
    ];
    const worked = await watchMainThread(page);
    for (const attack of attacks) {
      const depth = await page.evaluate((text) => markdown.measureDepth(text), attack);
      const what = `${attack.slice(0, 20)}…`;
      await assertShort(page, worked, { ms: await worked(), limit: MAX_ATTACK_WORK, what });
      assert.ok(depth <= 320, `${what} nests ${depth} deep`);
    }
  });

  for (const [what, use, target] of [
    ['addresses', '[a][b]', `https://x.y/${'x'.repeat(9_000)}`],
    ['addresses of pictures', '![a][b]', `https://x.y/${'x'.repeat(9_000)}`],
    ['titles', '[a][b]', `https://x.y "${'x'.repeat(1_000)}"`],
    ['titles of pictures', '![a][b]', `data:image/png;base64,AA== "${'x'.repeat(1_000)}"`],
  ] as const)
    it(`has no more than the text and a million characters of ${what} that references repeat [attack: slow text]`, async () => {
      const text = `[b]: ${target}\n\n${`${use.repeat(20)}\n\n`.repeat(250)}`;
      const lengths = await page.evaluate((markup) => markdown.measureTargets(markup, 100), text);
      for (const length of lengths)
        assert.ok(length > 500_000 && length < 2 ** 20 + text.length, `${length}`);
    });

  it('has room for a reference again that was only shown in what might have become a table', async () => {
    const definition = `[b]: https://x.y/${'x'.repeat(9_000)}\n\n`;
    const lines = '| [a][b] | c\n\n'.repeat(100);
    const counts = await page.evaluate(
      (texts) =>
        texts.map((text) => {
          const offsets = Array.from({ length: text.length }, (_, index) => index);
          return markdown.renderStreamed(text, offsets).querySelectorAll('[href]').length;
        }),
      [definition + lines, lines + definition],
    );
    assert.deepEqual(counts, [100, 100]);
  });

  it('has room for a reference again that was only shown until more of the text arrived', async () => {
    const text = `[b]: https://x.y/${'x'.repeat(9_000)}\n\n${'*a [a][b] '.repeat(100)}`;
    const offsets = Array.from({ length: text.length }, (_, index) => index);
    const count = await page.evaluate(
      ([markup, cuts]) => markdown.renderStreamed(markup, cuts).querySelectorAll('[href]').length,
      [text, offsets] as const,
    );
    assert.equal(count, 100);
  });
});
