import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { checkFormula } from '../../../src/webview/math/formulaLimits';

/** Temml instrumented to count its tokens and nodes and to list its commands. */
interface CountingTemml {
  readonly default: { __renderToMathMLTree(tex: string, options: object): unknown };
  readonly commands: readonly string[];
  readonly symbols: readonly string[];
  readonly environments: readonly string[];
  readonly work: { steps: number };
}

/** Ways to nest arguments in a command: the text before and after an argument. */
const NESTINGS: readonly (readonly [string, string])[] = [
  ['{', '}'],
  ['{a}{', '}'],
  ['{a}{b}{', '}'],
  ['{a}{b}{c}{', '}'],
  ['{', '}{b}'],
  ['{', '}{b}{c}'],
  ['{a}{', '}{c}'],
  ['[{', '}]{a}'],
  ['[a]{', '}'],
  ['_{', '}'],
  ['*{', '}'],
  [' {', '}'],
  [' ', ''],
];
/** More than any accepted formula needs, even one of 5,000 characters: about 0.1 s. */
const MAX_STEPS = 250_000;

describe('limits of a formula', () => {
  let temml: CountingTemml;

  before(async () => {
    const file = require.resolve('temml/dist/temml.mjs');
    const source = await readFile(file, 'utf8');
    const counting = [
      /const buildGroup\$1 = function\(group, style\) \{/,
      /class MathNode \{\s*constructor\([^)]*\) \{/,
      /popToken\(\) \{/,
    ].reduce((text, place) => {
      assert.match(text, place);
      return text.replace(place, (found) => `${found} work.steps++;`);
    }, source);
    const { outputFiles } = await build({
      stdin: {
        contents: `${counting}
          const work = { steps: 0 };
          const commands = [_functions, _macros].flatMap(Object.keys);
          const symbolNames = [symbols.math, symbols.text].flatMap(Object.keys);
          const environmentNames = Object.keys(_environments);
          export { work, commands, symbolNames as symbols, environmentNames as environments };`,
        resolveDir: path.dirname(file),
      },
      bundle: true,
      write: false,
      format: 'esm',
    });
    temml = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
  });

  /** Counts Temml's steps for a formula, whether or not it can be drawn. */
  const countSteps = (tex: string) => {
    temml.work.steps = 0;
    try {
      temml.default.__renderToMathMLTree(tex, {
        displayMode: true,
        throwOnError: true,
        trust: false,
        wrap: 'tex',
        maxSize: [30, 300],
        maxExpand: 1_000,
      });
    } catch {
      // Only the steps until it gives up count.
    }
    return temml.work.steps;
  };

  const passes = (tex: string) => {
    try {
      checkFormula(tex);
      return true;
    } catch (error) {
      assert.ok(error instanceof RangeError);
      return false;
    }
  };

  const nest = (name: string, [open, close]: readonly [string, string], depth: number) =>
    `${`${name}${open}`.repeat(depth)}x${close.repeat(depth)}`;

  it("reject everything that grows exponentially when nested, of all of Temml's commands [attack: formula]", () => {
    const { commands, symbols, environments } = temml;
    assert.ok(commands.length > 600 && symbols.length > 1_400, `${commands.length}, ${symbols.length}`);
    const nestings: (readonly [string, string])[] = [
      ...commands.flatMap((name) => NESTINGS.map(([open, close]) => [`${name}${open}`, close] as const)),
      // These take no argument.
      ...symbols.map((name) => [`${name}{`, '}'] as const),
      ...environments.flatMap((name) =>
        ['', '{cc}', '{1}'].map((argument) => [`\\begin{${name}}${argument}`, `\\end{${name}}`] as const),
      ),
    ];
    const found: string[] = [];
    for (const nesting of nestings) {
      const [three, seven] = [3, 7].map((depth) => countSteps(nest('', nesting, depth))) as [number, number];
      // A command that repeats its argument takes sixteen times as long four levels deeper. The rest is at most quadratic.
      if (seven < three * 8) continue;
      for (let depth = 7; depth <= 50; depth++) {
        const tex = nest('', nesting, depth);
        if (!passes(tex)) break;
        if (countSteps(tex) <= MAX_STEPS) continue;
        found.push(tex.slice(0, 100));
        break;
      }
    }
    assert.deepEqual(found, []);
  });

  for (const command of [
    '\\llap{',
    '\\mathllap{',
    '\\cancelto{0}{',
    '\\equilibriumRight{',
    '\\equilibriumLeft[a]{',
  ]) {
    it(`reject ${command} nested twelve times, and accept what fits [attack: formula]`, () => {
      assert.ok(!passes(nest('', [command, '}'], 12)));
      for (let depth = 1; depth < 12; depth++) {
        const padding = 'x+'.repeat(2_500);
        for (const length of [0, 100, 400, 1_200, 3_600]) {
          const tex = nest('', [command, '}'], depth).replace('x}', `${padding.slice(0, length)}x}`);
          if (passes(tex)) assert.ok(countSteps(tex) < MAX_STEPS, `${depth} deep, ${length} long`);
        }
      }
    });
  }

  it('accept formulas that people write', () => {
    for (const tex of [
      '\\frac{1}{1+\\frac{1}{1+\\frac{1}{1+x}}}',
      '\\lim_{x \\to 0} \\cancelto{0}{x^2} + \\cancelto{1}{\\frac{\\sin x}{x}} + \\cancelto{0}{\\epsilon}',
      '\\llap{a}b \\mathrel{\\llap{/}}=',
      '\\left\\{ x \\in \\{1, 2\\} \\right\\}',
      `\\begin{pmatrix}${'a & b \\\\'.repeat(100)}\\end{pmatrix}`,
      `${'\\{'.repeat(60)}x${'\\}'.repeat(60)}`,
    ]) {
      assert.doesNotThrow(() => checkFormula(tex), tex);
    }
  });

  for (const [name, tex] of [
    ['length', 'x'.repeat(5_001)],
    ['depth of braces', `${'{'.repeat(51)}x${'}'.repeat(51)}`],
    ['definitions', '\\def\\a{x}\\a'],
  ] as const) {
    it(`apply to ${name}`, () => assert.throws(() => checkFormula(tex), RangeError));
  }
});
