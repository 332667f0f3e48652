import assert from 'node:assert/strict';
import { type Canary, getHtmlVectors, startCanary, type Vector } from './support/canary';
import { Panel } from './support/panel';
import { document as documentTurn, message, panelState, reply, streaming } from './support/states';

/** Navigates away from the page, which no policy directive can prevent: only a renderer that creates no markup can. */
const NAVIGATING_VECTOR = 'meta-refresh';

describe('canary in replies', () => {
  let panel: Panel;
  let canary: Canary;

  before(async () => {
    canary = await startCanary();
  });
  after(() => canary.close());
  beforeEach(async () => {
    panel = await Panel.open({ width: 600 });
  });
  afterEach(() => panel.close());

  /** Inserts the vectors into a page by innerHTML and clicks those that need it. Only the policy can block them. */
  async function parse(policy: 'none' | 'ours', vectors: readonly Vector[]): Promise<void> {
    const leaving = vectors.filter(({ name }) => name === NAVIGATING_VECTOR);
    const staying = vectors.filter(({ name }) => name !== NAVIGATING_VECTOR);
    for (const together of [staying, leaving]) {
      const page = await panel.page.context().newPage();
      await page.goto(new URL(policy === 'none' ? '/bare' : '/untyped', panel.page.url()).href);
      await page.evaluate(
        (html) => {
          document.body.innerHTML = html;
          for (const clicked of document.body.querySelectorAll<HTMLElement>('a, button')) clicked.click();
        },
        together.map(({ text }) => text).join('\n'),
      );
    }
  }

  /** Requests to the canary are handled in order: once this one arrives, earlier ones have arrived too. */
  async function settle(run: string): Promise<void> {
    const control = getHtmlVectors(canary.createVectors(`after-${run}`));
    await parse('none', control);
    await canary.untilHit(
      `after-${run}`,
      control.map(({ name }) => name),
    );
  }

  it('is reached by every vector without the renderer and the policy [attack: canary]', async () => {
    const vectors = getHtmlVectors(canary.createVectors('off'));
    await parse('none', vectors);
    await canary.untilHit(
      'off',
      vectors.map(({ name }) => name),
    );
    assert.equal(canary.hits('off').length, vectors.length);
  });

  it('is reached only by page redirects with the policy alone [attack: canary]', async () => {
    await parse('ours', getHtmlVectors(canary.createVectors('policy')));
    await settle('policy');
    assert.deepEqual(
      canary.hits('policy').filter((name) => name !== NAVIGATING_VECTOR),
      [],
    );
  });

  it("isn't reached by any vector in any text that the page shows [attack: canary]", async () => {
    const vectors = canary.createVectors('on');
    for (const { text } of vectors) {
      const problem = { text, detail: text, fields: [{ name: text, messages: [text] }], actions: [] };
      const state = panelState({
        name: text,
        bot: { id: 'b', name: text },
        turns: [
          message('1', text),
          documentTurn('2', { name: text, state: 'failed', problem }),
          { ...reply('3', text), bot: text, sources: [{ name: text }] },
          reply('4', text, { ending: 'failed', problem }),
          streaming('5'),
        ],
      });
      await panel.snapshot(state);
      await panel.stream('5', text);
      await panel.page.evaluate(() => {
        for (const clicked of document.querySelectorAll<HTMLElement>('[data-turn] a')) clicked.click();
      });
    }
    await settle('on');
    assert.deepEqual(canary.hits('on'), []);
    assert.deepEqual(panel.takeStrays(), []);
    assert.deepEqual(panel.errors, []);
  });
});

describe("the page's content policy", () => {
  let panel: Panel;
  before(async () => {
    panel = await Panel.open();
  });
  after(() => panel.close());

  it('keeps text from becoming markup or script, and blocks loading and sending [attack: script]', async () => {
    const refused = await panel.page.evaluate(async () => {
      const ways: Readonly<Record<string, () => unknown>> = {
        innerHTML: () => {
          document.createElement('p').innerHTML = '<b>a</b>';
        },
        outerHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>a</b>'),
        parser: () => new DOMParser().parseFromString('<b>a</b>', 'text/html'),
        source: () => {
          document.createElement('script').src = '/main.js';
        },
        policy: () =>
          (
            window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
          ).trustedTypes.createPolicy('mine', {}),
        codePolicy: () =>
          (
            window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
          ).trustedTypes.createPolicy('codeWorker', {}),
        handler: () => document.createElement('p').setAttribute('onclick', 'x()'),
        // Playwright's own calls may evaluate text, but a timer's may not.
        function: () =>
          new Promise((resolve, reject) => {
            setTimeout(() => {
              try {
                resolve(new Function('return 1')());
              } catch (error) {
                reject(error);
              }
            });
          }),
        fetch: () => fetch('/main.js'),
        socket: () =>
          new Promise((resolve, reject) => {
            const socket = new WebSocket(location.href.replace('http', 'ws'));
            socket.onopen = resolve;
            socket.onerror = reject;
          }),
        worker: () => new Worker(URL.createObjectURL(new Blob(['']))),
        workerOfFile: () => new Worker('/main.js'),
        sharedWorker: () => new SharedWorker(URL.createObjectURL(new Blob(['']))),
      };
      const passed: string[] = [];
      for (const [name, way] of Object.entries(ways)) {
        try {
          await way();
          passed.push(name);
        } catch {
          // Refused, as expected.
        }
      }
      return passed;
    });
    assert.deepEqual(refused, []);
  });

  it('blocks scripts in links [attack: script]', async () => {
    const violation = await panel.page.evaluate(() => {
      const link = document.createElement('a');
      link.setAttribute('href', 'javascript:document.title = "ran"');
      document.body.append(link);
      const violated = new Promise<string>((resolve) =>
        document.addEventListener(
          'securitypolicyviolation',
          ({ violatedDirective }) => resolve(violatedDirective),
          {
            once: true,
          },
        ),
      );
      link.click();
      return violated;
    });
    assert.match(violation, /^script-src|^require-trusted-types-for/);
    assert.equal(await panel.page.title(), 'Parley');
  });
});
