import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { grammarFiles } from '../../../src/webview/highlight/grammarFiles';
import { repeat } from '../../support/repetition';
import { Panel } from '../support/panel';
import { patientIntervals } from '../support/patientTimers';
import { panelState, reply, streaming } from '../support/states';
import { loadPrecompiled } from './precompiled';
import { sampleTheme } from './sampleThemes';

declare global {
  interface Window {
    /** The regular expressions with which the page's main thread has searched. */
    searched: Set<string>;
  }
}

/** A regular expression of C#'s grammar takes twice as long for each of these. */
const EXPONENTIAL = '.a '.repeat(27);
const SEEDS = repeat([1], [1, 2, 3]);
const LINES_PER_GRAMMAR = repeat(2, 6);
const LINE_LENGTH = 1_900;

describe('line of code that a grammar takes too long for', () => {
  let panel: Panel;

  beforeEach(async () => {
    panel = await Panel.open({ width: 600 });
    // A small factor: the tests wait until the page gives up.
    await panel.page.addInitScript(patientIntervals(3));
    await panel.renew();
    await watchSearches(panel);
  });

  afterEach(async () => {
    assert.deepEqual(panel.errors, []);
    assert.deepEqual(panel.takeStrays(), []);
    await panel.close();
  });

  const show = (text: string) =>
    panel.snapshot(panelState({ turns: [reply('1', text)] }, { codeTheme: sampleTheme }));
  const block = (number: number) => panel.page.locator('.code-block').nth(number);
  const coloured = (number: number, word: string) =>
    block(number).locator('span[class^=token]', { hasText: word });

  it('stays plain with the rest of its block, and other code is colored [attack: slow code]', async () => {
    await show(
      `\`\`\`cs\nclass First {}\n${EXPONENTIAL}\nclass Third {}\n\`\`\`\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\n\`\`\`cs\nclass Other {}\n\`\`\`\n`,
    );
    await coloured(1, 'const').waitFor();
    await coloured(2, 'class').waitFor();
    await coloured(0, 'class').first().waitFor();
    assert.equal(await coloured(0, 'class').count(), 1);
    assert.match((await block(0).locator('code').textContent()) ?? '', /First.*\n.*\.a \.a.*\nclass Third/);
    await assertNoSearch(panel, ['csharp', 'typescript']);
  });

  it("doesn't lose the state of other open blocks [attack: slow code]", async () => {
    await panel.snapshot(
      panelState(
        { turns: [streaming('1', '```ts\n/* one\ntwo\n'), reply('2', `\`\`\`cs\n${EXPONENTIAL}\n\`\`\``)] },
        { codeTheme: sampleTheme },
      ),
    );
    await coloured(0, 'two').waitFor();
    await panel.change({ type: 'chunk', turnId: '1', text: 'three */ const a\n' });
    await coloured(0, 'const').waitFor();
    const colours = await panel.page.evaluate(() =>
      [...document.querySelectorAll('.code-block code span[class^=token]')].map(
        (span) => `${span.textContent?.trim()} ${getComputedStyle(span).color}`,
      ),
    );
    assert.deepEqual(colours.slice(0, 3), [
      '/* one rgb(0, 100, 0)',
      'two rgb(0, 100, 0)',
      'three */ rgb(0, 100, 0)',
    ]);
  });

  it('never blocks the page, in any grammar [attack: slow code]', async () => {
    for (const seed of SEEDS) {
      const random = randomNumbers(seed);
      const blocks: string[] = [];
      for (const name of Object.keys(grammarFiles)) {
        const words = findWords((await loadPrecompiled(name)).at(-1));
        const lines = Array.from({ length: LINES_PER_GRAMMAR }, () => makeLine(words, random));
        blocks.push(`${'~'.repeat(40)}${name}\n${lines.join('\n')}\n${'~'.repeat(40)}\n`);
      }
      await show(`${blocks.join('\n')}\n\`\`\`ts\nconst last = 1;\n\`\`\`\n`);
      // Blocks are colored one after another.
      await coloured(blocks.length, 'const').waitFor();
      await assertNoSearch(panel, Object.keys(grammarFiles));
    }
  });
});

describe('code without a worker in the page', () => {
  for (const [how, prepare] of [
    [
      'because the policy forbids it',
      async (panel: Panel) => {
        const change = async (route: Route) => {
          const response = await route.fetch({ timeout: 0 });
          const policy = response.headers()['content-security-policy'] ?? '';
          assert.match(policy, /worker-src blob:/);
          const headers = {
            ...response.headers(),
            'content-security-policy': policy.replace('worker-src blob:', "worker-src 'none'"),
          };
          await route.fulfill({ response, headers });
        };
        await panel.page.route(/\/\?page=/, change, { times: 1 });
        await panel.reload();
      },
    ],
    [
      'because the engine has none',
      async (panel: Panel) => {
        await panel.page.evaluate(() => {
          Object.assign(window, { Worker: undefined });
        });
      },
    ],
  ] as const) {
    it(`stays plain ${how}`, async () => {
      const panel = await Panel.open({ width: 600 });
      await prepare(panel);
      const warned = panel.page.waitForEvent('console', (message) => message.type() === 'warning');
      await panel.snapshot(
        panelState(
          { turns: [reply('1', '```ts\nconst a = 1;\n```\n\n```cs\nclass A {}\n```')] },
          { codeTheme: sampleTheme },
        ),
      );
      await warned;
      assert.equal(await panel.page.locator('.code-block code').first().textContent(), 'const a = 1;\n');
      assert.equal(await panel.page.locator('.code-block span[class^=token]').count(), 0);
      await panel.close();
    });
  }
});

/** Makes the page's main thread, without a worker, remember with which expressions it searches. */
async function watchSearches(panel: Panel): Promise<void> {
  await panel.page.evaluate(() => {
    window.searched = new Set();
    const { exec } = RegExp.prototype;
    RegExp.prototype.exec = function (text) {
      window.searched.add(this.source);
      return exec.call(this, text);
    };
  });
}

/** Fails if the page's main thread has searched with an expression of these grammars: only a worker may, which can be ended. */
async function assertNoSearch(panel: Panel, grammars: readonly string[]): Promise<void> {
  const searched = new Set(await panel.page.evaluate(() => [...window.searched]));
  assert.ok(searched.size > 0);
  for (const name of grammars) {
    const found = findExpressions(await loadPrecompiled(name)).filter((source) => searched.has(source));
    assert.deepEqual(found, [], name);
  }
}

/** Returns the sources of all expressions in a grammar. */
function findExpressions(grammar: unknown): string[] {
  if (grammar instanceof RegExp) return [grammar.source];
  return grammar && typeof grammar === 'object' ? Object.values(grammar).flatMap(findExpressions) : [];
}

/** Returns words and characters that a grammar's expressions match. */
function findWords(grammar: unknown): string[] {
  const words = new Set('()[]{}<>.,;:"\'`*_-+=/\\|&!?@#$%^~ a1\t');
  const collect = (value: unknown) => {
    if (value instanceof RegExp) {
      const source = value.source.replace(/\\[pP]\{[^}]*\}|\\[a-zA-Z]|\(\?<?[=!:]|\(\?<\w+>/g, ' ');
      for (const [word] of source.matchAll(/[A-Za-z_]{1,12}|[^\w\s\\]/g)) words.add(word);
    } else if (value && typeof value === 'object') Object.values(value).forEach(collect);
  };
  collect(grammar);
  return [...words];
}

/** Returns a few words, followed by a few others repeated. */
function makeLine(words: readonly string[], random: (below: number) => number): string {
  const pick = () => words[random(words.length)] ?? '';
  const start = Array.from({ length: random(3) }, pick).join(' ');
  const unit = Array.from({ length: 1 + random(4) }, pick).join('');
  return `${start}${unit.repeat(LINE_LENGTH / unit.length)}`.slice(0, LINE_LENGTH);
}

/** Returns random numbers below a bound, the same ones for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
