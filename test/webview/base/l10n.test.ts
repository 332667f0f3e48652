import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { getBundlePath, languages } from '../../../scripts/l10n';
import { createPseudoBundle, findPlainWords } from '../../support/pseudoLocale';
import { repeat } from '../../support/repetition';
import { describePanel, Panel } from '../support/panel';
import { itInScenes } from '../support/scenes';
import { document, panelState } from '../support/states';

/** Words of the test, and of the host: what a state holds where it holds text. */
function wordsOf(value: unknown, at = ''): string[] {
  if (typeof value === 'string')
    return /^(?:kind|state|ending|actions|type|step|id|sendWith)$/.test(at) ? [] : findPlainWords(value);
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

/** Parley's own name, units that the browser translates, and what scenes type and find. */
const OTHER_WORDS = findPlainWords(
  'Parley. KB MB bytes. Old talk, said before the room and after it, for two lines or so. Said elsewhere, Echo. ro nowhere',
);

function bundle(language?: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(getBundlePath(language), 'utf8')) as Record<string, string>;
}

/** Waits for all of the page's scripts, those that come later too. */
async function loadAll(panel: Panel): Promise<void> {
  await panel.snapshot(panelState({ turns: [document('1')] }));
  await panel.page.locator('.document').waitFor();
  await panel.button('Search the Web').waitFor();
}

// Dates and numbers come from the browser, which has none in a made-up language: in this one they have no letter of ASCII.
const toPseudo = {
  language: 'ja',
  translations: createPseudoBundle(Object.keys(bundle())),
  reducedMotion: 'reduce',
} as const;

describePanel('The page in another language', toPseudo, (panel) => {
  before(() => loadAll(panel));

  itInScenes(panel, 'leaves no English', async (scene) => {
    const own = new Set([...wordsOf(scene.state()), ...OTHER_WORDS]);
    const texts = await textsOf(panel);
    assert.ok(
      texts.some((text) => text.startsWith('[')),
      'nothing is translated',
    );
    assert.deepEqual(
      texts.filter((text) => findPlainWords(text).some((word) => !own.has(word))),
      [],
    );
  });
});

describe('Translations in the page', () => {
  it('say a count by the rules of their language', async () => {
    const panel = await Panel.open({ language: 'fr', translations: bundle('fr') });
    await loadAll(panel);
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
});

const translated = languages.map((language) => ({
  name: language,
  language,
  translations: bundle(language),
}));
/** Where there is room for these, there is room for each language. */
const longest = {
  name: 'each message in the longest of its translations',
  language: 'de',
  translations: findLongest(translated.map(({ translations }) => translations)),
};

for (const { name, ...said } of repeat([longest], [longest, ...translated])) {
  describePanel(
    `A panel of 300 pixels, ${name}`,
    { ...said, width: 300, reducedMotion: 'reduce' },
    (panel) => {
      before(() => loadAll(panel));

      itInScenes(panel, 'has room for all words', async () => assert.deepEqual(await tooWide(panel), []));
    },
  );
}

/** Takes each message in the language in which it is the longest. */
function findLongest(all: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  // A letter of Chinese or Japanese is as wide as two.
  const measure = (text: string) => text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0);
  const longest: Record<string, string> = {};
  for (const [message, text] of all.flatMap((each) => Object.entries(each))) {
    if (measure(text) > measure(longest[message] ?? '')) longest[message] = text;
  }
  return longest;
}

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
