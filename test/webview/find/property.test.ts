import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FindQuery } from '../../../src/webview/find/pattern';
import { Wait } from '../../service/hang';
import { cases } from '../../support/fuzz';
import { describePanel, type Panel } from '../support/panel';
import { patientIntervals } from '../support/patientTimers';
import { message, panelState, reply, streaming } from '../support/states';

/** A turn as it is posted, and the lines that are displayed. */
interface Sample {
  readonly kind: 'message' | 'reply';
  readonly source: string;
  readonly lines: readonly string[];
}

const word = fc.constantFrom('ab', 'Ab', 'BA', 'a_b', 'é', 'É', 'ßb', '😀a', 'b(a', 'c.a', 'abab');
const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

/** Blocks of Markdown, with the lines that they display. */
const block = fc.oneof(
  line.map((text) => ({ source: text, lines: [text] })),
  fc.tuple(word, line).map(([bold, rest]) => ({ source: `**${bold}**${rest}`, lines: [`${bold}${rest}`] })),
  fc.tuple(line, line).map(([one, two]) => ({ source: `${one}\n${two}`, lines: [`${one} ${two}`] })),
  fc.tuple(line, line).map(([one, two]) => ({ source: `- ${one}\n- \`${two}\``, lines: [one, two] })),
  line.map((text) => ({ source: `## ${text}`, lines: [text] })),
  fc.tuple(line, line).map(([one, two]) => ({ source: `\`\`\`\n${one}\n${two}\n\`\`\``, lines: [one, two] })),
);
const sample: fc.Arbitrary<Sample> = fc.oneof(
  line.map((text) => ({ kind: 'message' as const, source: text, lines: [text] })),
  fc.array(block, { minLength: 1, maxLength: 3 }).map((blocks) => ({
    kind: 'reply' as const,
    source: blocks.map(({ source }) => source).join('\n\n'),
    lines: blocks.flatMap(({ lines }) => lines),
  })),
);
/** Chunks that end with a word, since a space at the end of a line isn't displayed. */
const chunk = fc.tuple(fc.constantFrom(' ', '\n', '\n\n', ''), word).map(([before, text]) => before + text);

const option = fc.boolean();
const query: fc.Arbitrary<FindQuery> = fc.oneof(
  fc.record({
    text: fc.oneof(word, line, fc.constantFrom('a', 'A', 'b', ' ', '.', '(', 'ab a', 'É')),
    matchCase: option,
    wholeWord: option,
    regex: fc.constant(false),
  }),
  fc.record({
    text: fc.constantFrom('a+', '[ab]+', 'b.a', '^a', 'b$', 'x*', '(?:ab){2}', ' a'),
    matchCase: option,
    wholeWord: fc.constant(false),
    regex: fc.constant(true),
  }),
);

describePanel('find, compared with a plain search of the transcript', { height: 2000 }, (panel) => {
  before(async () => {
    await panel.page.addInitScript(patientIntervals());
    await panel.renew();
    await panel.snapshot(panelState({ turns: [message('1', 'Hi')] }));
    await panel.post({ type: 'find' });
    await panel.page.locator('.find-input:focus').waitFor();
    await panel.page.keyboard.press('Escape');
  });

  it('finds the same for any turns, any query and any moment of a stream', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sample, { maxLength: 4 }),
        fc.array(chunk, { minLength: 1, maxLength: 5 }),
        fc.array(query, { minLength: 1, maxLength: 3 }),
        async (samples, chunks, queries) => {
          const turns = samples.map(({ kind, source }, index) =>
            kind === 'message' ? message(`${index}`, source) : reply(`${index}`, source),
          );
          await panel.snapshot(panelState({ turns: [...turns, message('m', 'c'), streaming('s', 'c')] }));
          await panel.post({ type: 'find' });
          await panel.page.locator('.find-input:focus').waitFor();
          const texts = [...samples.map(({ lines }) => lines.join('\n')), 'c'];
          let streamed = 'c';
          for (const [index, text] of chunks.entries()) {
            const wanted = queries[index % queries.length] as FindQuery;
            // Some queries are typed before the chunk comes, some after it.
            if (index % 2) await type(panel, wanted);
            await panel.change({ type: 'chunk', turnId: 's', text });
            streamed += text;
            if (index % 2 === 0) await type(panel, wanted);
            const displayed = streamed.replaceAll('\n\n', '\0').replaceAll('\n', ' ').replaceAll('\0', '\n');
            const expected = [...texts, displayed].flatMap((each) => searchPlainly(each, wanted));
            assert.deepEqual(await waitForMarks(panel, expected), expected, JSON.stringify(wanted));
          }
        },
      ),
      cases(15),
    );
  });
});

/** Returns the text of each match. */
function searchPlainly(text: string, { text: wanted, matchCase, wholeWord, regex }: FindQuery): string[] {
  const found: string[] = [];
  if (regex) {
    const pattern = new RegExp(wanted, matchCase ? 'gmu' : 'gimu');
    return [...text.matchAll(pattern)].map(([match]) => match).filter((match) => match !== '');
  }
  const fold = (part: string) => (matchCase ? part : part.toLowerCase());
  const isWordEnd = (character: string) => /[\p{L}\p{N}_]/u.test(character);
  for (let at = 0; at < text.length; ) {
    const end = at + wanted.length;
    const isWhole =
      !isWordEnd([...text.slice(0, at)].at(-1) ?? '') && !isWordEnd([...text.slice(end)][0] ?? '');
    if (fold(text.slice(at, end)) === fold(wanted) && (!wholeWord || isWhole)) {
      found.push(text.slice(at, end));
      at = end;
    } else at++;
  }
  return found;
}

async function type(panel: Panel, { text, ...options }: FindQuery): Promise<void> {
  for (const [index, option] of (['matchCase', 'wholeWord', 'regex'] as const).entries()) {
    const button = panel.page.locator('.find-option').nth(index);
    if ((await button.getAttribute('aria-pressed')) !== `${options[option]}`) await button.click();
  }
  await panel.page.locator('.find-input').fill(text);
}

/**
 * Waits until the status tells the number of these matches, and they are marked; or until that is in vain. Resolves to what
 * was marked last.
 */
async function waitForMarks(panel: Panel, expected: readonly string[]): Promise<readonly string[]> {
  for (const wait = new Wait(); ; ) {
    const [status, marked] = await Promise.all([
      panel.page.locator('.find-status').textContent(),
      getMarked(panel),
    ]);
    const count = status === 'No results' ? 0 : Number(/ of (\d+)$/.exec(status ?? '')?.[1]);
    const isMarked = count === expected.length && marked.join('|') === expected.join('|');
    if (isMarked || wait.isInVain) return marked;
  }
}

/** Returns the text of what is marked, in the order of the page. */
async function getMarked(panel: Panel): Promise<string[]> {
  await panel.drawn();
  return await panel.page.evaluate(() =>
    ['search-match', 'find-current']
      .flatMap((name) => [...(CSS.highlights.get(name) ?? [])] as Range[])
      .sort((one, other) => one.compareBoundaryPoints(Range.START_TO_START, other))
      .map((range) => range.toString().replaceAll('\n', ' ')),
  );
}
