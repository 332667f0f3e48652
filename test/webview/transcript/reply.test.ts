import assert from 'node:assert/strict';
import { createPicture } from '../markdown/picture';
import { describePanel, Panel } from '../support/panel';
import { message, panelState, reply, streaming } from '../support/states';

describePanel('reply', { width: 600 }, (panel) => {
  const show = async (text: string) => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi'), reply('2', text)] }));
    await panel.intents();
  };

  describe('links', () => {
    const link = () => panel.page.getByRole('link', { name: 'the docs' });
    const clicks = [{}, { button: 'middle' as const }, { modifiers: ['Control' as const] }];

    for (const how of clicks) {
      it(`asks the host on a click with ${JSON.stringify(how)}, and doesn't navigate`, async () => {
        await show('See [**the docs**](https://example.com/a?b=c#d).');
        const { url, pages } = { url: panel.page.url(), pages: panel.page.context().pages().length };
        // Like VS Code's own listener on the window, which would open the link as well.
        await panel.page.evaluate(() => {
          const heard: string[] = [];
          for (const type of ['click', 'auxclick']) window.addEventListener(type, () => heard.push(type));
          Object.assign(window, { heard });
        });
        await link().click(how);
        assert.deepEqual(await panel.intents(), [{ type: 'openLink', href: 'https://example.com/a?b=c#d' }]);
        assert.deepEqual(
          await panel.page.evaluate(() => (window as unknown as { heard: string[] }).heard),
          [],
        );
        assert.equal(panel.page.url(), url);
        assert.equal(panel.page.context().pages().length, pages);
      });
    }

    it('asks the host on Enter', async () => {
      await show('See [the docs](https://example.com).');
      await link().press('Enter');
      assert.deepEqual(await panel.intents(), [{ type: 'openLink', href: 'https://example.com' }]);
    });
  });

  describe('code', () => {
    const code = 'const a = "<b>";\n\n  a();\n';

    beforeEach(() => show(`So:\n\n\`\`\`ts\n${code}\`\`\`\n`));

    it('shows code below its language', async () => {
      assert.equal(await panel.page.locator('.code-language').innerText(), 'ts');
      assert.equal(await panel.page.locator('.code-block pre').textContent(), code);
    });

    it('sends code to the target of each button', async () => {
      await panel.button('Insert at Cursor').click();
      await panel.button('New File').click();
      assert.deepEqual(await panel.intents(), [
        { type: 'insertAtCursor', text: code },
        { type: 'newFile', text: code, language: 'ts' },
      ]);
    });

    it('is copied, which the button shows for two seconds and announces once', async () => {
      const fresh = await Panel.open();
      await fresh.page.clock.install({ time: 0 });
      await fresh.snapshot(panelState({ turns: [reply('1', `\`\`\`\n${code}\`\`\``)] }));
      await fresh.page.clock.pauseAt(600_000);
      await fresh.button('Copy').click();
      assert.deepEqual(await fresh.intents(), [{ type: 'copy', text: code }]);
      assert.equal(await fresh.page.getByRole('status').innerText(), 'Copied');
      await fresh.page.clock.runFor(1900);
      assert.equal(await fresh.button('Copied').count(), 1);
      await fresh.page.clock.runFor(200);
      assert.equal(await fresh.button('Copy').count(), 1);
      await fresh.close();
    });

    it('has its buttons while it streams, with the text so far', async () => {
      await panel.snapshot(panelState({ turns: [streaming('1', '```py\nprint(1)\n')] }));
      await panel.change({ type: 'chunk', turnId: '1', text: 'print(2)\n' });
      await panel.button('Copy').click();
      assert.deepEqual(await panel.intents(), [{ type: 'copy', text: 'print(1)\nprint(2)\n' }]);
    });
  });

  describe('hostile text', () => {
    it('would reach the canary without our defenses', async () => {
      const undefended = await Panel.open();
      await undefended.openUndefended();
      await undefended.page.evaluate((html) => {
        document.body.innerHTML = html;
      }, vectors[0] ?? '');
      await undefended.page.waitForFunction(() => document.title === '1');
      assert.deepEqual(undefended.takeStrays(), ['/canary']);
      await undefended.close();
    });

    const vectors = [
      '<img src=/canary onerror="document.title=1">',
      '<script>document.title=1</script>',
      '<svg onload="document.title=1"><image href="/canary"/></svg>',
      '<iframe src="/canary"></iframe><object data="/canary"></object><embed src="/canary">',
      '<link rel=stylesheet href=/canary><style>@import "/canary"; body{background:url(/canary)}</style>',
      '<meta http-equiv=refresh content="0;url=/canary"><base href=/canary>',
      '<form action=/canary><input autofocus onfocus="document.title=1"></form>',
      '<video poster=/canary src=/canary></video><p style="background:url(/canary)">',
      '![picture](/canary "t") ![](http://127.0.0.1/canary)',
      '[click](javascript:document.title=1) <javascript:document.title=1> [x](data:text/html,1)',
      '[x]: javascript:document.title=1\n\n[x]',
      '```"><img src=/canary onerror=document.title=1>\n<img src=/canary>\n```',
    ];

    for (const vector of vectors) {
      it(`does nothing: ${vector.slice(0, 60)}`, async () => {
        await show(vector);
        await panel.snapshot(panelState({ turns: [streaming('1')] }));
        await panel.stream('1', vector);
        const found = await panel.page.evaluate(() => ({
          title: document.title,
          elements: document.querySelectorAll(
            '.markdown :is(img, script, svg:not(.icon), iframe, style, form, video)',
          ).length,
          unsafe: [...document.querySelectorAll('.markdown [href]')]
            .map((it) => it.getAttribute('href') ?? '')
            .filter((href) => !/^(https?|mailto):/.test(href)),
          handlers: [...document.querySelectorAll('.markdown *')].flatMap((it) =>
            it.getAttributeNames().filter((name) => name.startsWith('on') || name === 'style'),
          ),
        }));
        assert.deepEqual(found, { title: 'Parley', elements: 0, unsafe: [], handlers: [] });
        assert.deepEqual(panel.takeStrays(), []);
      });
    }
  });

  it('shows a picture as wide as the panel at most', async () => {
    await show(`![a](data:image/png;base64,${createPicture(2000, 20)})`);
    const picture = panel.page.locator('.markdown img');
    await picture.waitFor();
    const box = await picture.boundingBox();
    assert.ok(box && box.width > 300 && box.width < 600 && box.x > 0, JSON.stringify(box));
  });
});
