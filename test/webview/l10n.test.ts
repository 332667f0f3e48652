import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { bundlePath, languages } from '../../scripts/l10n.mjs';
import { plainWords, pseudoBundle } from '../support/pseudoLocale';
import { Panel } from './support/panel';
import { leaveScene, scenes, showScene } from './support/scenes';
import { document, panelState } from './support/states';

/** Words of the test, and of the host: what a state holds where it holds text. */
function wordsOf(value: unknown, at = ''): string[] {
  if (typeof value === 'string')
    return /^(?:kind|state|ending|actions|type|step|id|sendWith)$/.test(at) ? [] : plainWords(value);
  if (Array.isArray(value)) return value.flatMap((each) => wordsOf(each, at));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => wordsOf(each, key));
}

/** Whatever the page shows or tells assistive technology. */
async function textsOf(panel: Panel): Promise<string[]> {
  return await panel.page.evaluate(() => {
    const attributes = [
      'aria-label',
      'aria-description',
      'aria-roledescription',
      'aria-valuetext',
      'title',
      'placeholder',
      'alt',
    ];
    const app = globalThis.document.body;
    const texts = [...app.querySelectorAll('*')].flatMap((element) =>
      attributes.flatMap((name) => element.getAttribute(name) ?? []),
    );
    const walker = globalThis.document.createTreeWalker(app, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.closest('script, style')) texts.push(node.nodeValue ?? '');
    }
    return texts;
  });
}

/** Parley's own name, and what scenes type and find. */
const OTHER_WORDS = plainWords(
  'Parley. Old talk, said before the room and after it, for two lines or so. Said elsewhere, Echo. ro nowhere',
);

async function bundle(language?: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await readFile(bundlePath(language), 'utf8')) as Record<string, string>;
}

/** Opens the page with all of its scripts, those that come later too. */
async function openIn(
  language: string,
  translations: Readonly<Record<string, string>>,
  width = 320,
): Promise<Panel> {
  const panel = await Panel.open({ language, translations, width, reducedMotion: 'reduce' });
  await panel.snapshot(panelState({ turns: [document('1')] }));
  await panel.page.locator('.document').waitFor();
  await panel.button('Search the Web').waitFor();
  return panel;
}

describe('The page in another language', () => {
  let panel: Panel;

  before(async () => {
    const translations = pseudoBundle(Object.keys(await bundle()));
    // Dates and numbers come from the browser, which has none in a made-up language: in this one they have no letter of ASCII.
    panel = await openIn('ja', translations);
  });

  after(async () => {
    assert.deepEqual(panel.errors, []);
    await panel.close();
  });

  for (const [name, scene] of Object.entries(scenes)) {
    it(`leaves no English in: ${name}`, async () => {
      await showScene(panel, scene);
      const own = new Set([...wordsOf(scene.state()), ...OTHER_WORDS]);
      const texts = await textsOf(panel);
      assert.ok(
        texts.some((text) => text.startsWith('[')),
        'nothing is translated',
      );
      assert.deepEqual(
        texts.filter((text) => plainWords(text).some((word) => !own.has(word))),
        [],
      );
      await leaveScene(panel);
    });
  }
});

describe('Translations in the page', () => {
  it('say a count by the rules of their language', async () => {
    const panel = await openIn('fr', await bundle('fr'));
    const sizes = [0, 1, 1234];
    const context = sizes.map(
      (size) => ({ id: `${size}`, kind: 'file', name: 'a', text: 'x'.repeat(size) }) as const,
    );
    await panel.snapshot(panelState({ composing: { context, webSearch: false } }));
    const costs = await panel.page.locator('.chip-name .unseen').allTextContents();
    assert.deepEqual(costs, ['0 caractère', '1 caractère', '1\u202f234 caractères']);
    await panel.close();
  });

  it('are text, whatever they hold', async () => {
    const hostile = '</script><script>window.hit = true</script><!--<script>\u2028';
    const panel = await Panel.open({ language: 'de', translations: { Send: hostile } });
    await panel.snapshot(panelState());
    assert.equal(await panel.page.locator('.send').getAttribute('aria-label'), hostile);
    assert.equal(await panel.page.evaluate('window.hit'), undefined);
    assert.deepEqual(panel.errors, []);
    await panel.close();
  });

  for (const language of languages) {
    it(`fit into 300 pixels in ${language}`, async function () {
      this.timeout(60_000);
      const panel = await openIn(language, await bundle(language), 300);
      const wide: string[] = [];
      for (const [name, scene] of Object.entries(scenes)) {
        await showScene(panel, scene);
        wide.push(...(await tooWide(panel)).map((text) => `${name}: ${text}`));
        await leaveScene(panel);
      }
      assert.deepEqual(wide, []);
      assert.deepEqual(panel.errors, []);
      await panel.close();
    });
  }
});

/** Buttons that reach out of the page or whose words reach out of them, and the page itself if it scrolls sideways. */
async function tooWide(panel: Panel): Promise<string[]> {
  return await panel.page.evaluate(() => {
    const width = globalThis.innerWidth;
    const page = globalThis.document.documentElement.scrollWidth > width ? ['the page'] : [];
    // Names of documents and chips may be of any length: they end in an ellipsis.
    const buttons = globalThis.document.querySelectorAll<HTMLElement>(
      '.button, .quiet-button, .jump, .menu button',
    );
    const wide = [...buttons].filter((button) => {
      const { left, right } = button.getBoundingClientRect();
      return left < 0 || right > width || button.scrollWidth > button.clientWidth;
    });
    return [...page, ...wide.map((button) => button.innerText)];
  });
}
