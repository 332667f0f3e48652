import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { describePanel } from '../support/panel';
import { document as documentTurn, message, panelState, reply, streaming, summary } from '../support/states';

const hebrew = 'שלום עולם';
const arabic = 'كيف أشغل الاختبارات؟';

describePanel('right-to-left text', { width: 400, reducedMotion: 'reduce' }, (panel) => {
  /** Returns the side of its box at which a text starts. */
  const side = (box: Locator) =>
    box.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const text = range.getBoundingClientRect();
      const { left, right } = element.getBoundingClientRect();
      return text.left - left < right - text.right ? 'left' : 'right';
    });
  /** Returns how far from the left (px) a part of a text is. */
  const getLeft = (within: Locator, part: string) =>
    within.evaluate((element, wanted) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent?.indexOf(wanted) ?? -1;
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        return range.getBoundingClientRect().left;
      }
      return Number.NaN;
    }, part);

  it('starts at the right in messages, replies, lists and tables, for each paragraph separately', async () => {
    const text = `${hebrew}\n\nEnglish\n\n- ${hebrew}\n\n| ${hebrew} ${hebrew} |\n|---|\n| x |\n\n# ${arabic}\n`;
    await panel.snapshot(panelState({ turns: [message('1', `${arabic}\n`), reply('2', text)] }));
    const body = panel.page.locator('.markdown');
    assert.equal(
      await panel.page.locator('.bubble p').evaluate((it) => getComputedStyle(it).direction),
      'rtl',
    );
    assert.equal(await side(body.locator('p').nth(0)), 'right');
    assert.equal(await side(body.locator('p').nth(1)), 'left');
    assert.equal(await side(body.locator('li')), 'right');
    assert.equal(await side(body.locator('h1')), 'right');
    assert.equal(await side(body.locator('td')), 'left');
  });

  it('starts at the right in a reply that started in English, while it streams', async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi'), streaming('2')] }));
    await panel.stream('2', `English first.\n\n${hebrew}`);
    const paragraphs = panel.page.locator('.markdown p');
    assert.equal(await side(paragraphs.nth(0)), 'left');
    assert.equal(await side(paragraphs.nth(1)), 'right');
  });

  it('starts at the right in a letter that is a character reference, which two chunks split', async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi'), streaming('2')] }));
    await panel.stream('2', 'English first.\n\n&');
    await panel.stream('2', '#x5e9;&#x5dc;');
    const last = panel.page.locator('.markdown p').nth(1);
    await last.getByText('של').waitFor();
    assert.equal(await side(last), 'right');
  });

  it('gives the paragraphs of a reply no direction of their own, which is slow, without such letters', async () => {
    await panel.snapshot(
      panelState({ turns: [reply('2', 'English & *more*'), reply('3', `English ${hebrew}`)] }),
    );
    const bidi = await panel.page
      .locator('.markdown p')
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).unicodeBidi));
    assert.deepEqual(bidi, ['isolate', 'plaintext']);
  });

  it("doesn't affect code, in blocks and inline", async () => {
    const text = `${hebrew} \`f(a, b)\` ${hebrew}\n\n\`\`\`ts\nconst a = 1; // ${hebrew}\n\`\`\`\n`;
    await panel.snapshot(
      panelState({ turns: [message('1', `${hebrew}\n\`\`\`\na(1)\n\`\`\``), reply('2', text)] }),
    );
    for (const code of ['.bubble pre', '.markdown pre', '.markdown p code']) {
      assert.equal(
        await panel.page.locator(code).evaluate((it) => getComputedStyle(it).direction),
        'ltr',
        code,
      );
    }
    const line = panel.page.locator('.markdown p code');
    assert.ok((await getLeft(line, 'f(')) < (await getLeft(line, ', b)')));
    const block = panel.page.locator('.markdown pre code');
    assert.ok((await getLeft(block, 'const')) < (await getLeft(block, hebrew)));
  });

  it('keeps names separate from adjacent text: titles, rows, documents, sources', async () => {
    await panel.snapshot(
      panelState(
        {
          name: hebrew,
          bot: { id: 'b', name: arabic },
          turns: [
            message('1', 'Hi'),
            reply('2', 'So', { bot: arabic, sources: [{ name: hebrew, opens: 'file' }] }),
            documentTurn('3', { name: `${hebrew}.pdf`, state: 'attached' }),
          ],
        },
        { conversations: [summary('x', hebrew, { bot: { id: 'b', name: arabic } })] },
      ),
    );
    await panel.post({ type: 'showList' });
    await panel.page.locator('.list-item').waitFor();
    await panel.page.locator('.document').waitFor();
    const isolated = await panel.page.evaluate(
      (texts) =>
        [...document.querySelectorAll('#app *')]
          .filter((it) =>
            texts.some((text) => it.childNodes.length === 1 && it.textContent?.startsWith(text)),
          )
          .filter((it) => it.firstChild instanceof Text)
          .map((it) => [it.className || it.localName, it.matches('bdi, [dir=auto]')]),
      [hebrew, arabic],
    );
    assert.ok(isolated.length >= 7, `There are only ${isolated}`);
    assert.deepEqual(
      isolated.filter(([, is]) => !is),
      [],
    );
    // A name is left of its bot's, as the panel runs left to right.
    const row = panel.page.locator('.list-main');
    assert.ok((await getLeft(row, hebrew)) < (await getLeft(row, arabic)));
  });

  it('starts at the right while it is typed', async () => {
    await panel.snapshot(panelState());
    const direction = () => panel.message.evaluate((it) => getComputedStyle(it).direction);
    await panel.message.fill(hebrew);
    assert.equal(await direction(), 'rtl');
    await panel.message.fill('Hello');
    assert.equal(await direction(), 'ltr');
    await panel.post({ type: 'showList' });
    await panel.page.getByRole('combobox', { name: 'Search conversations' }).fill(hebrew);
    const filter = panel.page.getByRole('combobox', { name: 'Search conversations' });
    assert.equal(await filter.evaluate((it) => getComputedStyle(it).direction), 'rtl');
  });

  it("isn't reordered by hidden characters [attack: control characters]", async () => {
    const trojan = 'if (a \u202e\u2066// only admins\u2069 \u2066{';
    const text = `See \u202efdp.exe\n\n\`\`\`ts\n${trojan}\n\`\`\`\n`;
    await panel.snapshot(panelState({ turns: [message('1', text), streaming('2')] }));
    await panel.stream('2', text);
    for (const [prose, code] of [
      ['.bubble p', '.bubble pre'],
      ['.markdown p', '.markdown pre'],
    ] as const) {
      assert.equal(await panel.page.locator(prose).first().innerText(), 'See \\u{202e}fdp.exe');
      const block = panel.page.locator(code);
      assert.match(
        await block.innerText(),
        /^if \(a \\u\{202e\}\\u\{2066\}\/\/ only admins\\u\{2069\} \\u\{2066\}\{/,
      );
      assert.ok((await getLeft(block, 'if')) < (await getLeft(block, 'only')));
    }
  });
});
