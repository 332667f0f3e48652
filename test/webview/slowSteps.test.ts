import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { WAIT_LIMIT_MS } from '../service/hang';
import { newContext } from './support/browser';

describe('A slow step of a page test', () => {
  let context: BrowserContext;
  let page: Page;

  beforeEach(async () => {
    context = await newContext();
    page = await context.newPage();
    page.setDefaultTimeout(500);
    page.setDefaultNavigationTimeout(WAIT_LIMIT_MS);
  });
  afterEach(() => context.close());

  it('presses each key once', async () => {
    await page.setContent('<input>');
    const input = page.locator('input');
    await input.pressSequentially('0123456789', { delay: 100 });
    await input.press('x', { delay: 1000 });
    assert.equal(await input.inputValue(), '0123456789x');
  });

  it('ends at its own time limit if it sets one', async () => {
    await page.setContent('');
    await assert.rejects(page.locator('input').press('x', { timeout: 10 }), /Timeout 10ms exceeded/);
  });

  it('clicks once, however long the page takes for each event of the mouse', async () => {
    await page.setContent('<button>Go</button>');
    await page.evaluate((busyMs) => {
      const button = document.querySelector('button') as HTMLButtonElement;
      for (const type of ['mousemove', 'mousedown', 'mouseup', 'click']) {
        button.addEventListener(type, () => {
          if (type === 'click') button.textContent += '!';
          for (const end = performance.now() + busyMs; performance.now() < end; );
        });
      }
    }, 1000);
    await page.locator('button').click();
    assert.equal(await page.locator('button').textContent(), 'Go!');
  });

  it('clicks once, however long the page that the click opens takes', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      setTimeout(() => response.end(), 1000);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      await page.setContent(`<a href="http://127.0.0.1:${port}/">Open</a>`);
      await page.locator('a').click();
      await page.waitForURL((url) => url.port === `${port}`);
      assert.equal(requests, 1);
    } finally {
      await page.close();
      server.close();
    }
  });
});
