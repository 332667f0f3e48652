import assert from 'node:assert/strict';
import { assertShort, watchMainThread } from '../support/mainThread';
import { describePanel } from '../support/panel';
import { message, panelState, reply, streaming } from '../support/states';

/** The elements of drawn formulas. */
const ELEMENTS =
  'math mrow mi mn mo mtext mspace mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd';

/** For how many pieces of known work a formula may hold the page: about a second on a quick machine. */
const MAX_FORMULA_WORK = 20;

describePanel('formulas', { width: 420 }, (panel) => {
  afterEach(() => assert.deepEqual(panel.takeStrays(), []));

  const show = (text: string) =>
    panel.snapshot(panelState({ turns: [message('1', 'Hi'), reply('2', text)] }));
  const formula = () => panel.page.locator('.markdown .md-math');
  const drawn = () => panel.page.locator('.markdown .md-drawn > math');

  it('are drawn as MathML, inline and display', async () => {
    await show('The $x^2$ of\n\n$$\n\\frac{a}{b}\n$$\n');
    await drawn().nth(1).waitFor();
    assert.equal(await drawn().nth(0).locator('msup').textContent(), 'x2');
    assert.equal(await drawn().nth(1).getAttribute('display'), 'block');
    assert.equal(await drawn().nth(1).locator('mfrac').count(), 1);
    const box = await drawn().nth(0).boundingBox();
    assert.ok(box && box.height > 10 && box.height < 40, JSON.stringify(box));
  });

  it('contain no characters that reorder or hide text [attack: control characters]', async () => {
    await show('The $\\text{a\\char"202E b}$ and $\\char"1B x$.');
    await drawn().nth(1).waitFor();
    const shown = (await drawn().allTextContents()).join();
    assert.match(shown, /^a\\u\{202e\}\s?b,\\u\{1b\}x$/);
  });

  it('load the drawing script with the first one, and show their source until then', async () => {
    await panel.renew();
    let loaded = 0;
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await panel.page.route('**/drawing-*.js', async (route) => {
      loaded++;
      await held;
      await route.continue();
    });
    await show('Costs $5 and $10. No `$x$` either.');
    assert.equal(loaded, 0);
    const asked = panel.page.waitForRequest('**/drawing-*.js');
    await show('Above.\n\nThe $x^2$ here.');
    await asked;
    assert.equal(await formula().innerText(), '$x^2$');
    assert.equal(loaded, 1);
    const paragraph = await panel.page.locator('.markdown p').first().elementHandle();
    const before = await paragraph?.boundingBox();
    release?.();
    await drawn().waitFor();
    await panel.page.unroute('**/drawing-*.js');
    assert.deepEqual(await paragraph?.boundingBox(), before, "the content above doesn't move");
    assert.equal(await formula().getAttribute('data-source'), '$x^2$');
  });

  it('are drawn once, as soon as they are complete while a reply streams', async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi'), streaming('2')] }));
    await panel.stream('2', 'First $x_1$, ');
    await drawn().waitFor();
    const first = await drawn().elementHandle();
    await panel.stream('2', 'then $y_2 +');
    assert.equal(await formula().nth(1).innerText(), '$y_2 +');
    await panel.stream('2', ' z$ **and** so on.\n\n$$\nz\n');
    assert.equal(await drawn().count(), 2);
    assert.equal(await formula().nth(2).textContent(), '$$\nz');
    await panel.stream('2', '$$\nThe end.');
    assert.equal(await drawn().count(), 3);
    assert.ok(await first?.evaluate((node) => node.isConnected));
  });

  it("show their source with the reason if they can't be drawn", async () => {
    await show('Bad $\\frac{a}{$ and $\\nosuch_1$, good $x$.');
    await drawn().waitFor();
    assert.deepEqual((await formula().allInnerTexts()).slice(0, 2), ['$\\frac{a}{$', '$\\nosuch_1$']);
    assert.match((await formula().nth(1).getAttribute('title')) ?? '', /nosuch/);
  });

  it('break or scroll in their own box if they are too wide, never the page', async () => {
    const sum = Array.from({ length: 40 }, (_, index) => `a_{${index}}`).join(' + ');
    await show(
      `Long $${sum}$, unbroken $\\overline{${'abcdef'.repeat(30)}}$ and\n\n$$${sum}$$\n\n- $$${sum}$$\n`,
    );
    await drawn().nth(3).waitFor();
    const [pageWidth, inner, ...overflows] = await panel.page.evaluate(() => [
      document.documentElement.scrollWidth,
      innerWidth,
      ...[...document.querySelectorAll('.md-drawn')].map((box) => box.scrollWidth - box.clientWidth),
    ]);
    assert.equal(pageWidth, inner);
    const [wrapped = 0, unbroken = 0, display = 0, inList = 0] = overflows;
    assert.ok(wrapped <= 1 && unbroken > 100 && display > 100 && inList > 100, `${overflows}`);
    const sideways = await panel.page.evaluate(
      () =>
        [...document.querySelectorAll('.transcript, .markdown, .markdown p')].filter(
          (box) => box.scrollWidth > box.clientWidth + 1,
        ).length,
    );
    assert.equal(sideways, 0);
    await formula().nth(2).focus();
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.waitForFunction(() => document.querySelectorAll('.md-drawn')[2]?.scrollLeft);
  });

  it('copies formulas as their source', async () => {
    await show('The $x^2$.\n\n$$\ny\n$$\n');
    await drawn().nth(1).waitFor();
    for (const name of ['Copy Reply', 'Copy as Markdown']) {
      await panel.button(name).press('Enter');
      const { text } = await panel.intent('copy');
      assert.equal(text.trim().replace(/\n+/g, '\n'), 'The $x^2$.\n$$\ny\n$$', name);
    }
  });

  it("don't link, load or style anything from a reply [attack: canary]", async () => {
    const hostile = [
      '\\href{javascript:alert(1)}{x}',
      '\\href{https://example.com}{x}',
      '\\url{https://example.com}',
      '\\includegraphics{https://example.com/x.png}',
      '\\class{send}{x}',
      '\\id{app}{x}',
      '\\style{position:fixed}{x}',
      '\\data{a=b}{x}',
      '\\ref{app}',
      '\\label{app} x',
      '\\color{url(https://example.com)}{x}',
      '\\textcolor{red;position:fixed}{x}',
      '\\text{<img src=x onerror=alert(1)>}',
      '<script>alert(1)</script> = 1',
      '\\rule{100000em}{100000em}',
      '\\kern{-100000em} x',
      '\\raise{10000em}{x}',
      '\\llap{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}',
      '\\hspace{-10000em} x \\boxed{x}',
      '\\def\\a{\\a}\\a',
    ];
    await show(`${hostile.map((tex) => `$$${tex}$$`).join('\n\n')}\n\n$$last_1$$`);
    await panel.page.waitForFunction(() =>
      [...document.querySelectorAll('.md-math')].at(-1)?.matches('.md-drawn'),
    );
    const found = await panel.page.evaluate((elements) => {
      const names = new Set(elements.split(' '));
      const wrong: string[] = [];
      for (const element of document.querySelectorAll('.md-drawn *')) {
        if (!names.has(element.localName)) wrong.push(`<${element.localName}>`);
        for (const { name, value } of element.attributes) {
          if (/^(?:on|data-|id$|href$|src$|title$)|:/.test(name)) wrong.push(`${name}="${value}"`);
          if (name === 'style' && /url|fixed/.test(value)) wrong.push(value);
        }
      }
      return wrong;
    }, ELEMENTS);
    assert.deepEqual(found, []);
    const outside = await panel.page.evaluate(
      () =>
        [...document.querySelectorAll('.md-drawn')].filter((box) => {
          const { left, right } = box.getBoundingClientRect();
          return left < 0 || right > innerWidth || getComputedStyle(box).overflowX !== 'auto';
        }).length,
    );
    assert.equal(outside, 0);
  });

  it('never take long, however deep, long or expensive', async () => {
    const attacks = [
      `${'{'.repeat(2_000)}x${'}'.repeat(2_000)}`,
      `${'\\sqrt{'.repeat(700)}x${'}'.repeat(700)}`,
      `${'\\sqrt{'.repeat(90)}x${'}'.repeat(90)}`,
      `${'\\begin{pmatrix}a&'.repeat(30)}x${'\\end{pmatrix}'.repeat(30)}`,
      `\\def\\a#1{${'#1'.repeat(200)}}\\a{\\a{\\a{${'x'.repeat(500)}}}}`,
      `\\newcommand\\a{${'x'.repeat(2_000)}}${'\\a'.repeat(900)}`,
      'x+'.repeat(2_400),
      'x+'.repeat(50_000),
      `\\frac{a}{${'b'.repeat(4_900)}}`,
      `${'\\left('.repeat(300)}x${'\\right)'.repeat(300)}`,
      `\\begin{array}{${'c'.repeat(2_000)}}${'&'.repeat(2_000)}\\end{array}`,
      `\\begin{matrix}${'\\\\'.repeat(2_000)}\\end{matrix}`,
      `x${"'".repeat(4_000)}`,
      `${'\\substack{a\\\\'.repeat(30)}x${'}'.repeat(30)}`,
      `${'\\llap{'.repeat(20)}x${'}'.repeat(20)}`,
      `${'\\cancelto{0}{'.repeat(14)}x${'}'.repeat(14)}`,
    ];
    await show('$x$');
    await drawn().waitFor();
    const worked = await watchMainThread(panel.page);
    for (const tex of attacks) {
      await worked();
      await panel.page.evaluate(() => {
        const state = window as unknown as { longest: number };
        state.longest = 0;
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) state.longest = Math.max(state.longest, duration);
        }).observe({ type: 'longtask' });
      });
      await show(`$$\n${tex}\n$$\n\nEnd $z^2$.`);
      await drawn().last().locator('msup').waitFor();
      const longest = await panel.page.evaluate(async () => {
        // A long task is reported after it has ended.
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))));
        return (window as unknown as { longest: number }).longest;
      });
      // By the clock, of which the page worked for at most this long: other processes took the rest.
      const ms = Math.min(longest, await worked());
      await assertShort(panel.page, worked, { ms, limit: MAX_FORMULA_WORK, what: `${tex.slice(0, 30)}…` });
    }
  });
});
