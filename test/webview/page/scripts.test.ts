import assert from 'node:assert/strict';
import { SCRIPT_RETRY_PAUSES_MS } from '../../../src/shared/protocol/loadScript';
import { waitUntil } from '../../support/waitUntil';
import { Panel } from '../support/panel';
import { document, message, panelState, reply, summary } from '../support/states';

const state = panelState(
  { turns: [message('1', 'Hi'), reply('2', 'Hello, $x^2$'), document('3')] },
  { conversations: [summary('x', 'Plans')] },
);

describe('A script that VS Code doesn’t load', () => {
  let panel: Panel;
  /** How often each script was requested, by its name without hash. */
  let requests: Map<string, number>;
  const getRequests = (name: string) => requests.get(name) ?? 0;
  const failure = () => panel.page.getByRole('alert');

  /** Reloads the page; of the attempts to load each of its scripts, only number `succeeds` succeeds. */
  async function open(succeeds: number): Promise<void> {
    requests = new Map();
    await panel.page.route(/-\w+\.js$/, async (route) => {
      const [, name = ''] = /([\w]+)-\w+\.js$/.exec(route.request().url()) ?? [];
      const attempt = getRequests(name) + 1;
      requests.set(name, attempt);
      // Chunks are what several scripts share.
      if (name === 'chunk' || attempt === succeeds) await route.continue();
      else await route.fulfill({ status: attempt % 2 === 0 ? 404 : 408 });
    });
    await panel.reload();
    await panel.snapshot(state);
  }

  /** Lets all attempts at a script fail, without waiting for the pauses between them. */
  async function failAll(name: string): Promise<void> {
    for (const [index, pauseMs] of SCRIPT_RETRY_PAUSES_MS.entries()) {
      await waitUntil(`${name} was requested`, () => getRequests(name) > index);
      await panel.drawn();
      await panel.page.clock.fastForward(pauseMs);
    }
    await waitUntil(`${name} was requested`, () => getRequests(name) > SCRIPT_RETRY_PAUSES_MS.length);
  }

  before(async () => {
    panel = await Panel.open();
    await panel.page.clock.install();
  });
  after(() => panel.close());

  it('is requested again until it loads: documents, the list, the find widget, formulas', async () => {
    await open(3);
    await panel.page.locator('.document').waitFor();
    await panel.page.locator('math').waitFor();
    await panel.post({ type: 'showList' });
    await panel.page.getByRole('dialog', { name: 'Conversations' }).getByText('Plans').waitFor();
    await panel.page.keyboard.press('Escape');
    await panel.post({ type: 'find' });
    await panel.page.locator('.find-input').waitFor();
    assert.equal(await failure().count(), 0);
    for (const name of ['DocumentTray', 'ConversationList', 'FindWidget'])
      assert.equal(getRequests(name), 3, name);
  });

  it('is given up after the last attempt, and the panel says so', async () => {
    await open(Number.POSITIVE_INFINITY);
    await failAll('DocumentTray');
    await failure().getByText('Developer: Reload Window').waitFor();
    assert.equal(getRequests('DocumentTray'), SCRIPT_RETRY_PAUSES_MS.length + 1);
  });

  it('is loaded although the page is never idle', async () => {
    await panel.page.addInitScript(() => {
      window.requestIdleCallback = (callback, options) => {
        const idle = { didTimeout: true, timeRemaining: () => 0 };
        return options?.timeout === undefined ? 0 : window.setTimeout(() => callback(idle), options.timeout);
      };
      window.cancelIdleCallback = (id) => window.clearTimeout(id);
    });
    await open(1);
    await panel.page.locator('.document').waitFor();
    await panel.post({ type: 'showList' });
    await panel.page.getByRole('dialog', { name: 'Conversations' }).waitFor();
  });
});
