import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { repositoryRoot } from '../vscode/cacheDir';
import { describePanel } from './support/panel';
import { itInScenes } from './support/scenes';
import { AT } from './support/states';

/** The most common states of the panel, and those with the most distinctive looks. */
const picturedScenes = [
  'first run, key',
  'empty conversation',
  'waiting',
  'complete',
  'forked',
  'edit and ask again',
  'interrupted',
  'failed',
  'documents, unfolded',
  'chips, a preview, web search',
  'prompts, the list',
  'prompts, the inputs',
  'mentions, the list',
  'too long, the offer',
  'sources that have changed since a reply',
  'documents of the workspace that have changed',
  'earlier answer, the line',
  'earlier answer, shown',
  'notice: not saved',
  'notice: the service was removed',
  'proposed service',
  'proposed service, first run',
  'list, filtered by a removed service',
  'list, search hits',
  'list, selecting',
  'find',
  'timeline',
] as const;
const picturesFolder = path.join(repositoryRoot, 'test/webview/pictures');
const screenshotsFolder = path.join(repositoryRoot, 'dist/test/screenshots');
const acceptsPictures = process.env.PARLEY_ACCEPT_PICTURES === '1';
/** In pixels: versions of Chromium may render edges a little differently. A button moved by 3 px differs by twice as many. */
const TOLERATED_PIXELS = 100;

/** Fonts that are the same on every machine, passed as bytes since the page's content policy blocks loading them. */
const fonts = [
  ['Picture Sans', '400', '@fontsource/inter/files/inter-latin-400-normal.woff2'],
  ['Picture Sans', '600', '@fontsource/inter/files/inter-latin-600-normal.woff2'],
  ['Picture Mono', '400', '@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff2'],
] as const;

const options = {
  width: 360,
  height: 560,
  reducedMotion: 'reduce',
  locale: 'en-US',
  timezoneId: 'UTC',
} as const;

describePanel('pictures', options, (panel) => {
  before(async () => {
    await panel.page.clock.setFixedTime(AT + 3_600_000);
    for (const [family, weight, file] of fonts) {
      const bytes = await readFile(path.join(repositoryRoot, 'node_modules', file), 'base64');
      await panel.page.evaluate(
        async (font) => {
          const data = Uint8Array.from(atob(font.bytes), (character) => character.charCodeAt(0));
          document.fonts.add(await new FontFace(font.family, data, { weight: font.weight }).load());
        },
        { family, weight, bytes },
      );
    }
    await panel.page.evaluate(() => {
      const { style } = document.documentElement;
      style.setProperty('--vscode-font-family', 'Picture Sans');
      style.setProperty('--vscode-editor-font-family', 'Picture Mono');
    });
  });

  itInScenes(
    panel,
    'look as they were accepted, in three themes',
    async (_, name) => {
      for (const theme of ['light', 'dark', 'hcDark'] as const) {
        await panel.setTheme(theme);
        const bytes = await panel.page.screenshot({ animations: 'disabled', caret: 'hide' });
        await compare(`${name.replace(/\W+/g, '-')}.${theme}.png`, bytes);
      }
    },
    picturedScenes,
  );
});

async function compare(name: string, bytes: Buffer): Promise<void> {
  const file = path.join(picturesFolder, name);
  if (acceptsPictures) {
    await mkdir(picturesFolder, { recursive: true });
    await writeFile(file, bytes);
    return;
  }
  const acceptedBytes = await readFile(file);
  if (bytes.equals(acceptedBytes)) return;
  const actual = PNG.sync.read(bytes);
  const { width, height } = actual;
  const expected = PNG.sync.read(acceptedBytes);
  const diff = new PNG({ width, height });
  const isSame = expected.width === width && expected.height === height;
  const different = isSame
    ? pixelmatch(expected.data, actual.data, diff.data, width, height, { threshold: 0.1 })
    : width * height;
  if (different <= TOLERATED_PIXELS) return;
  await mkdir(screenshotsFolder, { recursive: true });
  await writeFile(path.join(screenshotsFolder, name), bytes);
  await writeFile(path.join(screenshotsFolder, name.replace('.png', '.diff.png')), PNG.sync.write(diff));
  assert.fail(
    `${different} pixels differ. Look at ${path.relative(repositoryRoot, path.join(screenshotsFolder, name))} and its .diff.png;
    if it is as it should be: npm run pictures -- accept`,
  );
}
