import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openMarkdownPage } from './browser';
import type * as pageScript from './pageScript';
import { addExif, createGif, createPicture } from './picture';

declare const markdown: typeof pageScript;

describe('Pictures in a reply', () => {
  let page: Page;
  before(async () => {
    page = await openMarkdownPage();
  });
  after(() => page.close());

  const show = async (...data: string[]) =>
    (await page.evaluate((all) => markdown.showPictures(all), data)).join(' ');
  const draw = (kind: 'jpeg' | 'webp', width: number, height: number) =>
    page.evaluate(([a, b, c]) => markdown.drawPicture(a, b, c), [kind, width, height] as const);

  it('are shown as their alternative text if they have so many pixels that they take all memory [attack: picture bomb]', async () => {
    assert.equal(await show(createPicture(1, 1)), 'picture');
    assert.equal(await show(createPicture(8192, 1)), 'picture');
    assert.equal(await show(createPicture(4096, 4097)), 'text');
    assert.equal(await show(createPicture(8193, 1)), 'text');
  });

  for (const kind of ['jpeg', 'webp'] as const) {
    it(`have the same limits as ${kind}`, async () => {
      assert.equal(await show(await draw(kind, 4096, 4096)), 'picture');
      assert.equal(await show(await draw(kind, 4096, 4097)), 'text');
      assert.equal(await show(await draw(kind, 8193, 1)), 'text');
    });
  }

  it('have the same limits as gif, whose first frame may be larger than the picture', async () => {
    assert.equal(await show(createGif([10, 10], [10, 10])), 'picture');
    assert.equal(await show(createGif([5000, 5000], [10, 10])), 'text');
    assert.equal(await show(createGif([10, 10], [5000, 5000])), 'text');
  });

  it('are measured by their own bytes, not by metadata that make a browser report less [attack: picture bomb]', async () => {
    const large = addExif(await draw('jpeg', 5000, 5000), 5000, 5000);
    assert.deepEqual(await page.evaluate((data) => markdown.getNaturalSize(data), large), [500, 500]);
    assert.equal(await show(large), 'text');
    assert.equal(await show(addExif(await draw('jpeg', 3000, 3000), 3000, 3000)), 'picture');
  });

  it('of other kinds or without a size are shown as their alternative text', async () => {
    const cut = Buffer.from(createPicture(1, 1), 'base64').subarray(0, 22).toString('base64');
    for (const data of [
      'AAAA',
      'A',
      '',
      'Qk0=',
      'AAAAIGZ0eXBhdmlm',
      '_/_/',
      '/9j/',
      'R0lGODlh',
      'UklGRgAAAABXRUJQVlA4WA==',
      cut,
    ])
      assert.equal(await show(data), 'text', data);
  });

  it('are shown while the page has room for all their pixels [attack: picture bomb]', async () => {
    const all = Array.from({ length: 11 }, (_, index) => createPicture(4096, 4096, index));
    const shown = (await show(...all)).split(' ');
    assert.equal(shown.filter((what) => what === 'picture').length, 8);
    assert.equal(shown.filter((what) => what === 'text').length, 3);
    // Pictures that are gone take no room.
    assert.equal(await show(...all.slice(8)), 'picture picture picture');
  });
});
