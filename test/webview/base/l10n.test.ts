import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { getBundlePath, languages } from '../../../scripts/l10n';
import { createPseudoBundle, findPlainWords } from '../../support/pseudoLocale';
import { repeat } from '../../support/repetition';
import { describePanel, Panel } from '../support/panel';
import { itInScenes } from '../support/scenes';
import { document, panelState } from '../support/states';

/** Returns the words in the strings of a state: text from the test or the host. */
function getWords(value: unknown, at = ''): string[] {
  if (typeof value === 'string')
    return /^(?:kind|state|ending|actions|type|step|id|sendWith)$/.test(at) ? [] : findPlainWords(value);
  if (Array.isArray(value)) return value.flatMap((each) => getWords(each, at));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => getWords(each, key));
}

/** Returns all texts that the page displays or exposes to assistive technology. */
async function getTexts(panel: Panel): Promise<string[]> {
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

/** Parley's name, units translated by the browser, and what scenes type and find. */
const OTHER_WORDS = findPlainWords(
  'Parley. KB MB bytes. Old talk, said before the room and after it, for two lines or so. Said elsewhere, Echo. ro nowhere. Keys: Alt, Shift, Enter, Escape. Prompts: Review. Reviews an API, and so on. a-name-that-is-so-long-that-it-does-not-fit-into-any-of-them.md a-name-that-is-so-long-that-it-does-not-fit-into-any-of-them Explain this code. path api aim Mentions: Selection in schedule.ts, Problems in plan.ts, Git Diff of the planner, Terminal Selection in bash, handbook.pdf, createPlan. src/planner docs/and/a/path/that/is/long/too',
);

function readBundle(language?: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(getBundlePath(language), 'utf8')) as Record<string, string>;
}

/** Waits for all of the page's scripts, including lazy ones. */
async function loadAll(panel: Panel): Promise<void> {
  await panel.snapshot(panelState({ turns: [document('1')] }));
  await panel.page.locator('.document').waitFor();
  await panel.button('Search the Web').waitFor();
}

// Dates and numbers are formatted by the browser, which doesn't know a made-up language: this one has no ASCII letters.
const pseudo = {
  language: 'ja',
  translations: createPseudoBundle(Object.keys(readBundle())),
  reducedMotion: 'reduce',
} as const;

describePanel('The page in another language', pseudo, (panel) => {
  before(() => loadAll(panel));

  itInScenes(panel, 'shows no English text', async (scene) => {
    const own = new Set([...getWords(scene.state()), ...OTHER_WORDS]);
    const texts = await getTexts(panel);
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

describe('translations in the page', () => {
  it('format counts by the plural rules of their language', async () => {
    const panel = await Panel.open({ language: 'fr', translations: readBundle('fr') });
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

  it('are rendered as text, whatever they contain', async () => {
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
  translations: readBundle(language),
}));
/** If these fit, every language fits. */
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

      itInScenes(panel, 'has room for all texts', async () => assert.deepEqual(await findTooWide(panel), []));
    },
  );
}

/** Picks each message in the language in which it is longest. */
function findLongest(all: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  // A Chinese or Japanese character is as wide as two letters.
  const measure = (text: string) => text.length + (text.match(/[\u2e80-\uffef]/g)?.length ?? 0);
  const longest: Record<string, string> = {};
  for (const [message, text] of all.flatMap((each) => Object.entries(each))) {
    if (measure(text) > measure(longest[message] ?? '')) longest[message] = text;
  }
  return longest;
}

/** Returns buttons that overflow the page or their own bounds, and the page itself if it scrolls sideways. */
async function findTooWide(panel: Panel): Promise<string[]> {
  return await panel.page.evaluate(() => {
    const width = globalThis.innerWidth;
    const page = globalThis.document.documentElement.scrollWidth > width ? ['the page'] : [];
    // Names of documents and chips may have any length: they end in an ellipsis.
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
