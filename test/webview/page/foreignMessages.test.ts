import assert from 'node:assert/strict';
import type { ConsoleMessage } from 'playwright-core';
import type { ToPage } from '../../../src/shared/protocol/toPage';
import { describePanel } from '../support/panel';
import { message, panelState, reply } from '../support/states';

/** A site that isn't VS Code, as another webview of the window may show. */
const SITE = 'https://elsewhere.example/';

describePanel('messages that aren’t from the host', {}, (panel) => {
  let warnings = 0;
  const onConsole = (line: ConsoleMessage) => {
    if (line.type() === 'warning') warnings++;
  };

  beforeEach(async () => {
    warnings = 0;
    await panel.showLoaded(panelState({ turns: [message('m', 'Hi'), reply('r', 'Hello')] }));
    panel.page.on('console', onConsole);
  });
  afterEach(() => panel.page.off('console', onConsole));

  it('don’t change the page, however well-formed, and log a warning', async () => {
    const state = panelState({ name: 'Not yours', draft: 'Delete everything.' });
    const forged: readonly ToPage[] = [
      { type: 'snapshot', seq: 1, state },
      { type: 'delta', seq: 1, changes: [{ type: 'conversation', conversation: state.conversation }] },
      { type: 'delta', seq: 9, changes: [] },
      { type: 'codeAction', action: 'runInTerminal' },
      { type: 'showList' },
    ];
    const before = await panel.page.locator('#app').innerText();
    await panel.page.context().route(`${SITE}**`, (route) => route.fulfill({ body: '' }));
    const [site] = await Promise.all([
      panel.page.waitForEvent('popup'),
      panel.page.evaluate((url) => void window.open(url), SITE),
    ]);
    await site.waitForURL(SITE);
    const received = panel.page.evaluate(
      (count) =>
        new Promise<void>((resolve) => {
          window.addEventListener('message', () => --count === 0 && resolve());
        }),
      forged.length,
    );
    await site.evaluate((all) => {
      for (const each of all) window.opener.postMessage(each, '*');
    }, forged);
    await received;
    await panel.drawn();
    assert.equal(await panel.page.locator('#app').innerText(), before);
    assert.deepEqual(await panel.intents(), []);
    assert.equal(warnings, forged.length);
    await site.close();
    await panel.change({ type: 'title', name: 'Still here' });
    await panel.page.getByRole('heading', { name: 'Still here' }).waitFor();
  });

  it('don’t change the page if they have no type, such as those of a browser’s extension', async () => {
    const before = await panel.page.locator('#app').innerText();
    const others = [null, 1, 'snapshot', {}, { source: 'devtools' }, { type: 7 }, { type: '__proto__' }];
    await panel.post(...(others as unknown as ToPage[]));
    assert.equal(await panel.page.locator('#app').innerText(), before);
    assert.deepEqual(await panel.intents(), []);
    assert.equal(warnings, others.length - 1);
  });
});
