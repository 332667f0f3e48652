import assert from 'node:assert/strict';
import { findMoving, holdHighlight } from './support/motion';
import { describePanel } from './support/panel';
import { message, panelState, reply, streaming } from './support/states';

describePanel('motion', {}, (panel) => {
  before(() => holdHighlight(panel.page));
  afterEach(async () => {
    await panel.page.emulateMedia({ reducedMotion: null });
    await panel.setTheme('dark');
  });

  const moving = () => panel.page.evaluate(findMoving);
  const show = async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi'), streaming('2')], earlier: true }));
    await panel.page.locator('.waiting').waitFor();
    await panel.change({ type: 'revealTurn', turnId: '1' });
    await panel.page.locator('.revealed').waitFor();
  };

  it('animations run by default', async () => {
    await show();
    assert.deepEqual([...new Set(await moving())].toSorted(), ['reveal', 'turn', 'wait']);
  });

  it('animations are absent if the system asks for reduced motion', async () => {
    await panel.page.emulateMedia({ reducedMotion: 'reduce' });
    await show();
    assert.deepEqual(await moving(), []);
  });

  it('is absent if VS Code asks for reduced motion', async () => {
    await panel.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    await show();
    assert.deepEqual(await moving(), []);
  });
});

describePanel('fonts', {}, (panel) => {
  beforeEach(async () => {
    await panel.renew();
    await panel.snapshot(
      panelState({
        turns: [message('1', 'Hi\n```\ncode\n```'), reply('2', 'Prose\n\n```\ncode\n```\n\nand `code`')],
      }),
    );
  });

  const font = (selector: string) =>
    panel.page
      .locator(selector)
      .first()
      .evaluate((it) => {
        const { fontFamily, fontSize } = getComputedStyle(it);
        return [fontFamily, Number.parseFloat(fontSize)];
      });
  const prose = ['.bubble p', '.markdown p', 'textarea', '.title'];
  const code = ['.bubble pre code', '.markdown pre code'];

  it("follow VS Code's chat font settings for prose, also when they change", async () => {
    for (const size of [11, 22]) {
      await panel.change({ type: 'chatFont', chatFont: { family: 'Some Serif, serif', size } });
      for (const it of prose) assert.deepEqual(await font(it), ['"Some Serif", serif', size], it);
    }
    await panel.change({ type: 'chatFont', chatFont: { size: 13 } });
    assert.match(String((await font('.markdown p'))[0]), /system-ui/);
    for (const it of code) assert.equal((await font(it))[1], 12, it);
  });

  it("use the editor's font for code", async () => {
    await panel.page.evaluate(() => {
      document.documentElement.style.setProperty('--vscode-editor-font-size', '19px');
      document.documentElement.style.setProperty('--vscode-editor-font-family', 'Some Mono');
    });
    for (const it of code) assert.deepEqual(await font(it), ['"Some Mono"', 19], it);
    for (const it of prose) assert.equal((await font(it))[1], 13, it);
  });
});
