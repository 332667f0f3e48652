import assert from 'node:assert/strict';
import { Panel } from './support/panel';
import { leaveScene, scenes, showScene } from './support/scenes';
import { message, panelState, reply, streaming } from './support/states';

describe('motion', () => {
  let panel: Panel;

  afterEach(async () => {
    assert.deepEqual(panel.errors, []);
    await panel.close();
  });

  /** What moves: animations that do more than change at once. */
  const moving = () =>
    panel.page.evaluate(() =>
      document.getAnimations().flatMap((animation) => {
        const frames = (animation.effect as KeyframeEffect).getKeyframes();
        const atOnce = frames.every(({ easing }) => easing.startsWith('step'));
        return animation.playState === 'running' && !atOnce
          ? [(animation as CSSAnimation).animationName]
          : [];
      }),
    );
  const show = async () => {
    await panel.snapshot(panelState({ turns: [message('1', 'Hi'), streaming('2')], earlier: true }));
    await panel.page.locator('.waiting').waitFor();
    await panel.change({ type: 'revealTurn', turnId: '1' });
    await panel.page.locator('.revealed').waitFor();
  };

  it('is there where it is welcome', async () => {
    panel = await Panel.open();
    await show();
    assert.deepEqual([...new Set(await moving())].toSorted(), ['reveal', 'turn', 'wait']);
  });

  it('is not where the system is asked for less', async () => {
    panel = await Panel.open({ reducedMotion: 'reduce' });
    await show();
    assert.deepEqual(await moving(), []);
  });

  it('is not where VS Code is asked for less', async () => {
    panel = await Panel.open();
    await panel.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    await show();
    assert.deepEqual(await moving(), []);
  });

  it('is nowhere else, whatever the panel shows', async () => {
    panel = await Panel.open({ reducedMotion: 'reduce' });
    for (const [name, scene] of Object.entries(scenes)) {
      await showScene(panel, scene);
      assert.deepEqual(await moving(), [], name);
      await leaveScene(panel);
    }
  }).timeout(60_000);
});

describe('fonts', () => {
  let panel: Panel;

  beforeEach(async () => {
    panel = await Panel.show(
      panelState({
        turns: [message('1', 'Hi\n```\ncode\n```'), reply('2', 'Prose\n\n```\ncode\n```\n\nand `code`')],
      }),
    );
  });
  afterEach(async () => {
    assert.deepEqual(panel.errors, []);
    await panel.close();
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

  it('of prose are what VS Code says of chats, as it changes', async () => {
    for (const size of [11, 22]) {
      await panel.change({ type: 'chatFont', chatFont: { family: 'Some Serif, serif', size } });
      for (const it of prose) assert.deepEqual(await font(it), ['"Some Serif", serif', size], it);
    }
    await panel.change({ type: 'chatFont', chatFont: { size: 13 } });
    assert.match(String((await font('.markdown p'))[0]), /system-ui/);
    for (const it of code) assert.equal((await font(it))[1], 12, it);
  });

  it('of code are the editor’s', async () => {
    await panel.page.evaluate(() => {
      document.documentElement.style.setProperty('--vscode-editor-font-size', '19px');
      document.documentElement.style.setProperty('--vscode-editor-font-family', 'Some Mono');
    });
    for (const it of code) assert.deepEqual(await font(it), ['"Some Mono"', 19], it);
    for (const it of prose) assert.equal((await font(it))[1], 13, it);
  });

  it('leave room for themselves: no line is lower than its letters', async () => {
    await panel.close();
    panel = await Panel.open({ reducedMotion: 'reduce' });
    for (const [name, scene] of Object.entries(scenes)) {
      await showScene(panel, scene);
      await panel.change({ type: 'chatFont', chatFont: { size: 30 } });
      const low = await panel.page.evaluate(() =>
        [...document.querySelectorAll('#app *:not(math *)')]
          .filter((it) => [...it.childNodes].some((node) => node instanceof Text && node.data.trim() !== ''))
          .filter((it) => {
            const { lineHeight, fontSize } = getComputedStyle(it);
            return Number.parseFloat(lineHeight) < Number.parseFloat(fontSize);
          })
          .map((it) => it.className),
      );
      assert.deepEqual(low, [], name);
      await leaveScene(panel);
    }
  }).timeout(60_000);
});
