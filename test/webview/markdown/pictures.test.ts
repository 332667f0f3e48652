import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openMarkdownPage } from './browser';
import type * as pageScript from './pageScript';
import {
  addExif,
  addPngFrames,
  createAnimation,
  createGif,
  createPicture,
  createProgressive,
  createWebPAnimation,
} from './picture';

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

  it('pictures of other kinds or without a size are shown as their alternative text', async () => {
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
    assert.equal(shown.filter((what) => what === 'picture').length, 3);
    assert.equal(shown.filter((what) => what === 'text').length, 8);
    // Pictures that are gone take no room.
    assert.equal(await show(...all.slice(8)), 'picture picture picture');
    assert.equal(await show(...all.slice(5, 8)), 'picture picture picture');
  });

  it('are shown if they are what replies have: three dozen charts, photos, an animation', async () => {
    const charts = Array.from({ length: 36 }, (_, index) => createPicture(1600, 1000, index));
    assert.equal(await show(...charts), charts.map(() => 'picture').join(' '));
    const photo = await draw('jpeg', 4000, 3000);
    assert.equal(await show(createPicture(4000, 3000), photo), 'picture picture');
    assert.equal(await show(createProgressive(4096, 3072, 10)), 'picture');
    assert.equal(await show(createAnimation(800, 600, 60), createAnimation(64, 64, 200)), 'picture picture');
  });

  it('count as many times as a browser passes over their pixels [attack: picture bomb]', async () => {
    assert.equal(await show(createProgressive(4096, 4096, 20)), 'picture');
    assert.equal(await show(createProgressive(4096, 4096, 30)), 'text');
    assert.equal(await show(createProgressive(1024, 1024, 600)), 'text');
    assert.equal(await show(createAnimation(4096, 4096, 3)), 'picture');
    assert.equal(await show(createAnimation(4096, 4096, 4)), 'text');
    assert.equal(await show(addPngFrames(createPicture(4096, 4096), 3)), 'picture');
    assert.equal(await show(addPngFrames(createPicture(4096, 4096), 4)), 'text');
    assert.equal(await show(createWebPAnimation(4096, 4096, 4)), 'text');
    // Interlaced, and with 16 bits for each color.
    const slow = Buffer.from(createPicture(4096, 4096), 'base64');
    slow[28] = 1;
    assert.equal(await show(slow.toString('base64')), 'picture');
    slow[24] = 16;
    assert.equal(await show(slow.toString('base64')), 'text');
    // A color profile.
    const profile = Buffer.from('\0\0\0\0iCCP\0\0\0\0', 'latin1');
    const addProfile = (base64: string) => {
      const bytes = Buffer.from(base64, 'base64');
      return Buffer.concat([bytes.subarray(0, 33), profile, bytes.subarray(33)]).toString('base64');
    };
    assert.equal(await show(addProfile(createPicture(4096, 4096))), 'picture');
    assert.equal(await show(addProfile(addPngFrames(createPicture(4096, 4096), 2))), 'text');
  });

  it('keep nothing of a reply that is gone', async () => {
    const session = await page.context().newCDPSession(page);
    const countNodes = async () => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Memory.getDOMCounters')).nodes;
    };
    const text = `![a](data:image/png;base64,${createPicture(1, 1)})\n\n${'One.\n\n'.repeat(2000)}`;
    const before = await countNodes();
    for (let count = 0; count < 5; count++)
      await page.evaluate((all) => void markdown.renderPlain(all), text);
    const after = await countNodes();
    assert.ok(after - before < 2000, `${after - before} nodes are left`);
  });

  it('take time proportional to their number once the page is full [attack: picture bomb]', async () => {
    const large = createAnimation(4096, 4096, 1);
    for (const count of [1000, 4000]) {
      const text = `${'![a][large] '.repeat(8)}${'![a][small] '.repeat(count)}${define('large', large)}${define('small', createPicture(600, 600))}`;
      const { shown, seen } = await page.evaluate((all) => markdown.countPictureWork(all), text);
      assert.ok(shown < 50, `${shown} are shown`);
      assert.ok(seen < 200, `${seen} were looked at for ${count}`);
    }
  });

  it('are limited in number [attack: picture bomb]', async () => {
    const text = `${'![a][small] '.repeat(5000)}${define('small', createPicture(1, 1))}`;
    const { shown } = await page.evaluate((all) => markdown.countPictureWork(all), text);
    assert.ok(shown > 4000 && shown < 4096, `${shown} are shown`);
  });

  it('are read once, and shown as often as their size allows, however often they are used [attack: picture bomb]', async () => {
    const bytes = Buffer.concat([Buffer.from(createPicture(1, 1), 'base64'), Buffer.alloc(750_000, 'IHDR')]);
    const text = `${'![a][long] '.repeat(400)}${define('long', bytes.toString('base64'))}`;
    const { shown, decoded } = await page.evaluate((all) => markdown.countPictureWork(all), text);
    assert.ok(shown > 50 && shown < 70, `${shown} are shown`);
    assert.equal(decoded, 1);
  });

  it('are read once each, however many of the same length are used in turn [attack: picture bomb]', async () => {
    const labels = Array.from({ length: 20 }, (_, index) => `${index}`);
    const uses = labels.map((label) => `![a][${label}] `).join('');
    const definitions = labels.map((label) => define(label, createPicture(64, 64, Number(label))));
    const text = `${uses.repeat(10)}${definitions.join('')}`;
    const { shown, decoded } = await page.evaluate((all) => markdown.countPictureWork(all), text);
    assert.deepEqual([shown, decoded], [200, 20]);
  });
});

function define(label: string, base64: string): string {
  return `\n\n[${label}]: data:image/png;base64,${base64}\n`;
}
