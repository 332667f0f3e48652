import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { SCRIPT_RETRY_PAUSES_MS } from '../../../src/shared/protocol/loadScript';
import { waitUntil } from '../../support/waitUntil';
import { toLaterUrl } from '../support/pageServer';
import { describePanel, Panel } from '../support/panel';
import { message, panelState, reply } from '../support/states';

describePanel('first frame of a page that was shown before', { width: 400 }, (panel) => {
  const scripts: Route[] = [];
  const getBox = (selector: string) => panel.page.locator(selector).boundingBox();
  const showsShell = () => panel.page.locator('#shell').isVisible();

  /** Loads the page again without its script, as if that were still to come. */
  async function reloadWithoutScript(): Promise<void> {
    await panel.page.route('**/main.js', (route) => void scripts.push(route));
    await panel.page.reload({ waitUntil: 'commit' });
    await panel.page.locator('#app').waitFor({ state: 'attached' });
  }

  async function loadScript(): Promise<void> {
    await Promise.all(scripts.splice(0).map((route) => route.continue()));
    await panel.page.unroute('**/main.js');
  }

  beforeEach(() => panel.renew());

  it('has the name and the composer where the page draws them, which then replaces it', async () => {
    const state = panelState({ name: 'Plans', turns: [message('1', 'Hi'), reply('2', 'Hello')] });
    const shown = { ...state, chatFont: { family: 'monospace', size: 17 } };
    await panel.snapshot(shown);
    const drawn = [await getBox('.title bdi'), await getBox('.composer')];
    const placeholder = await panel.message.getAttribute('placeholder');
    await reloadWithoutScript();
    assert.deepEqual([await getBox('#shell-title bdi'), await getBox('#shell-composer')], drawn);
    assert.equal(await panel.page.locator('#shell').innerText(), `Plans\n${placeholder}`);
    await loadScript();
    await panel.snapshot(shown);
    await panel.page.locator('#shell').waitFor({ state: 'detached' });
  });

  it('has names as text, and no text in the place of a draft', async () => {
    const name = '</bdi><img src="/stray"><script>document.title = "run"</script>';
    await panel.snapshot(panelState({ name, turns: [message('1', 'Hi')], draft: 'not sent yet' }));
    await reloadWithoutScript();
    assert.equal(await panel.page.locator('#shell-title').innerText(), name);
    assert.equal(await panel.page.locator('#shell-composer').innerText(), '');
    assert.equal(await panel.page.locator('#shell img').count(), 0);
    await loadScript();
    await panel.ready();
  });

  describe('whose script is loaded after it, as in VS Code', () => {
    const openLater = () => panel.page.goto(toLaterUrl(panel.page.url()));
    const state = panelState({ name: 'Plans', turns: [message('1', 'Hi'), reply('2', 'Hello')] });
    let url: string;
    beforeEach(async () => {
      url = panel.page.url();
      await panel.snapshot(state);
    });
    afterEach(async () => {
      await panel.page.unroute('**/main.js');
      await panel.page.goto(url);
      await panel.ready();
    });

    it('the page replaces the first frame', async () => {
      await openLater();
      await panel.snapshot(state);
      await panel.page.getByText('Hello').waitFor();
      await panel.page.locator('#shell').waitFor({ state: 'detached' });
    });

    it('the page replaces it even if the script loads only at the third attempt', async () => {
      let attempts = 0;
      await panel.page.route('**/main.js', (route) => (++attempts < 3 ? route.abort() : route.continue()));
      await openLater();
      await waitUntil('the script is requested again', () => attempts === 3);
      await panel.ready();
      await panel.snapshot(state);
      await panel.page.getByText('Hello').waitFor();
      assert.ok(panel.errors.splice(0).length > 0);
    });

    it('is replaced by what to do if the script can’t be loaded', async () => {
      let attempts = 0;
      const fresh = await Panel.open();
      await fresh.page.clock.install();
      await fresh.page.route('**/main.js', (route) => {
        attempts++;
        return route.abort();
      });
      await fresh.page.goto(toLaterUrl(fresh.page.url()));
      for (const [index, pauseMs] of SCRIPT_RETRY_PAUSES_MS.entries()) {
        await waitUntil('the script is requested', () => attempts > index);
        await fresh.drawn();
        assert.equal(await fresh.page.getByRole('alert').count(), 0);
        await fresh.page.clock.fastForward(pauseMs);
      }
      await fresh.page.getByRole('alert').getByText('Not loaded.').waitFor();
      assert.equal(await fresh.page.locator('#shell').count(), 0);
      assert.ok(attempts > SCRIPT_RETRY_PAUSES_MS.length);
      await fresh.close();
    });
  });

  it('is empty before the page was first shown', async () => {
    await panel.page.evaluate(() => sessionStorage.clear());
    await reloadWithoutScript();
    assert.equal(await showsShell(), false);
    await loadScript();
    await panel.ready();
  });
});
