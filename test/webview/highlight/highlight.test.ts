import assert from 'node:assert/strict';
import { Wait } from '../../service/hang';
import { describePanel } from '../support/panel';
import { patientIntervals } from '../support/patientTimers';
import { panelState, reply, streaming } from '../support/states';
import { lightTheme, sampleTheme } from './sampleThemes';

const code = `// Adds.
export const add = (one: number): string => \`\${one} + "x"\`;

/* two
   lines */
class Sum extends Base { total = 1; }
`;
const fenced = `So:\n\n\`\`\`ts\n${code}\`\`\`\n\nThat's it.\n`;

describePanel('code coloring', { width: 600 }, (panel) => {
  before(async () => {
    await panel.page.addInitScript(patientIntervals());
    await panel.renew();
  });
  afterEach(() => assert.deepEqual(panel.takeStrays(), []));

  const show = (text: string, codeTheme = sampleTheme) =>
    panel.snapshot(panelState({ turns: [reply('1', text)] }, { codeTheme }));

  /** Waits until these words have these colors, each at its last occurrence. */
  const assertColors = async (expected: Readonly<Record<string, string>>) => {
    const wait = new Wait();
    let found = await getColors(Object.keys(expected));
    while (JSON.stringify(found) !== JSON.stringify(expected) && !wait.isInVain) {
      await panel.page.waitForTimeout(20);
      found = await getColors(Object.keys(expected));
    }
    assert.deepEqual(found, expected);
  };

  const getColors = (words: readonly string[]) =>
    panel.page.evaluate((wanted) => {
      const code = document.querySelector('.code-block code') as Element;
      const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      const found: Record<string, string> = Object.fromEntries(wanted.map((word) => [word, '']));
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const style = getComputedStyle(node.parentElement as Element);
        for (const word of wanted.filter((each) => node.textContent?.includes(each))) {
          found[word] = `${style.color} ${style.fontStyle} ${style.fontWeight}`;
        }
      }
      return found;
    }, words);

  it("uses the theme's colors by class, with unchanged text and no style attribute", async () => {
    await show(fenced);
    await panel.page.locator('.code-block span', { hasText: 'Sum' }).last().waitFor();
    await assertColors({
      '// Adds': 'rgb(0, 100, 0) italic 400',
      const: 'rgb(0, 0, 200) normal 700',
      Sum: 'rgb(100, 0, 100) normal 400',
      total: 'rgb(1, 2, 3) normal 400',
    });
    assert.equal(await panel.page.locator('.code-block pre').textContent(), code);
    assert.equal(await panel.page.locator('.markdown [style]').count(), 0);
  });

  it('coloring starts when the theme arrives', async () => {
    // The page keeps a theme that it has received.
    await panel.renew();
    await panel.snapshot(panelState({ turns: [reply('1', fenced)] }));
    assert.equal(await panel.page.locator('.code-block code span[class^=token]').count(), 0);
    await panel.change({ type: 'codeTheme', codeTheme: sampleTheme });
    await assertColors({ const: 'rgb(0, 0, 200) normal 700' });
  });

  it('colors line by line while the reply streams; the open line is plain', async () => {
    await panel.snapshot(panelState({ turns: [streaming('1', '```ts\n')] }, { codeTheme: sampleTheme }));
    await panel.change({ type: 'chunk', turnId: '1', text: 'const a = 1;\nconst b' });
    await panel.page.locator('.code-block span', { hasText: 'const' }).last().waitFor();
    const lines = panel.page.locator('.code-block .md-lines');
    const last = await lines
      .last()
      .evaluate((group) => [group.lastChild?.nodeName, group.lastChild?.textContent]);
    assert.deepEqual(last, ['#text', 'const b']);
    await panel.change({ type: 'chunk', turnId: '1', text: ' = 2;\n' });
    await panel.page.waitForFunction(
      () => document.querySelector('.code-block .md-lines')?.lastChild?.textContent !== 'const b = 2;\n',
    );
    assert.equal(await panel.page.locator('.code-block pre').textContent(), 'const a = 1;\nconst b = 2;\n');
  });

  it('changes with the theme, in the same elements', async () => {
    await show(fenced);
    await assertColors({ '// Adds': 'rgb(0, 100, 0) italic 400', total: 'rgb(1, 2, 3) normal 400' });
    await panel.page.locator('.code-block span', { hasText: 'Sum' }).last().waitFor();
    await panel.page.evaluate(() => {
      const nodes = [...document.querySelectorAll('.code-block code span')];
      Object.assign(window, { nodes });
    });
    await panel.change({ type: 'codeTheme', codeTheme: lightTheme });
    await assertColors({ '// Adds': 'rgb(9, 9, 9) normal 400', const: 'rgb(200, 0, 0) normal 400' });
    const kept = await panel.page.evaluate(() => {
      const { nodes } = window as unknown as { nodes: Element[] };
      return nodes.every((node) => node.isConnected);
    });
    assert.ok(kept);
  });

  it('is exact after a theme change that separates styles that were the same', async () => {
    await show('```ts\nfoo(1, "x");\n```\n', [
      { scope: ['string', 'constant.numeric'], foreground: '#111111' },
    ]);
    await assertColors({ '1': 'rgb(17, 17, 17) normal 400', x: 'rgb(17, 17, 17) normal 400' });
    await panel.change({
      type: 'codeTheme',
      codeTheme: [
        { scope: ['string'], foreground: '#222222' },
        { scope: ['constant.numeric'], foreground: '#333333' },
        { scope: ['entity.name.function'], foreground: '#444444' },
      ],
    });
    await panel.page.locator('.code-block span', { hasText: 'foo' }).last().waitFor();
    await panel.page.waitForFunction(
      () => document.querySelector('.code-block code')?.textContent === 'foo(1, "x");\n',
    );
    await assertColors({
      foo: 'rgb(68, 68, 68) normal 400',
      '1': 'rgb(51, 51, 51) normal 400',
      x: 'rgb(34, 34, 34) normal 400',
    });
  });

  it('keeps the selection', async () => {
    await panel.renew();
    await panel.snapshot(panelState({ turns: [reply('1', fenced)] }));
    await panel.page.evaluate(() => {
      const group = document.querySelector('.code-block .md-lines');
      const [first, second] = [...(group?.childNodes ?? [])];
      if (first && second) getSelection()?.setBaseAndExtent(first, 3, second, 12);
    });
    const selected = () => panel.page.evaluate(() => String(getSelection()));
    assert.equal(await selected(), 'Adds.\nexport const');
    await panel.change({ type: 'codeTheme', codeTheme: sampleTheme });
    await panel.page.locator('.code-block span', { hasText: 'Sum' }).last().waitFor();
    assert.equal(await selected(), 'Adds.\nexport const');
  });

  it('finds grammars by the names that replies use; unknown languages stay plain', async () => {
    for (const [name, text] of [
      ['py', 'def f(): pass'],
      ['c++', 'class A {};'],
      ['sh', 'if true; then echo "x"; fi'],
      ['Dockerfile', 'FROM x'],
      ['yml', 'a: "b"'],
    ] as const) {
      await panel.snapshot(
        panelState({ turns: [reply('1', `\`\`\`${name}\n${text}\n\`\`\``)] }, { codeTheme: sampleTheme }),
      );
      await panel.page.locator('.code-block code span[class^=token]').first().waitFor();
    }
    await show(`\`\`\`klingon\nconst a = 1;\n\`\`\`\n\n${fenced}`);
    await panel.page.locator('.code-block').nth(1).locator('span[class^=token]').first().waitFor();
    assert.equal(await panel.page.locator('.code-block').first().locator('span[class^=token]').count(), 0);
  });

  it('skips extremely long lines, and colors the lines after them', async () => {
    const long = `const s = "${'x'.repeat(2100)}";`;
    await show(`\`\`\`ts\n${long}\nconst after = 1;\n\`\`\`\n`);
    await assertColors({ const: 'rgb(0, 0, 200) normal 700' });
    const first = await panel.page
      .locator('.code-block .md-lines')
      .evaluate((group) => [group.firstChild?.nodeName, group.firstChild?.textContent?.length]);
    assert.deepEqual(first, ['#text', long.length + 1]);
  });
});
