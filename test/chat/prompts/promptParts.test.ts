// biome-ignore-all lint/suspicious/noTemplateCurlyInString: prompts have variables in this syntax.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { getVariableNames, splitPrompt } from '../../../src/chat/prompts/promptParts';
import { fillPrompt, getInputs } from '../../../src/shared/conversation/prompt';
import { cases } from '../../support/fuzz';

describe('The variables of a prompt', () => {
  const variables = { selection: 'let a;', file: 'src/a.ts', fileBasename: undefined };

  it('are replaced; unknown and broken ones, and those without a value, stay text', () => {
    const body =
      'See ${file}: ${selection} ${fileBasename} ${other} ${toString} ${ file} ${file $file ${input} ${input:}';
    assert.deepEqual(
      fillPrompt(splitPrompt(body, variables) ?? [], new Map()),
      body.replace('${file}', 'src/a.ts').replace('${selection}', 'let a;'),
    );
  });

  it('include inputs with a hint, which may be used several times', () => {
    const parts = splitPrompt('${input:name} is ${input:what:a noun: thing}, ${input:name:Who?}.', {}) ?? [];
    assert.deepEqual(getInputs(parts), [
      { name: 'name', hint: 'Who?' },
      { name: 'what', hint: 'a noun: thing' },
    ]);
    assert.equal(fillPrompt(parts, new Map([['name', 'Ann']])), 'Ann is , Ann.');
  });

  it('are parts without empty texts around them, with trimmed hints', () => {
    assert.deepEqual(splitPrompt('${input:a}${input:b: x }', {}), [
      { text: '', input: 'a' },
      { text: 'x', input: 'b' },
    ]);
  });

  it('may have values of a million characters in all', () => {
    const expand = (length: number) => splitPrompt('${selection}', { selection: 'x'.repeat(length) });
    assert.equal(expand(1_000_000)?.length, 1);
    assert.equal(expand(1_000_001), undefined);
  });

  it('getVariableNames returns each variable once, without inputs', () => {
    assert.deepEqual(
      [...getVariableNames('${selection} ${input:a:b} ${file}${file}')],
      ['selection', 'file'],
    );
  });

  it('have at most 20 inputs and a bounded text [attack: prompt file]', () => {
    const many = Array.from({ length: 50 }, (_, index) => `\${input:i${index}}`).join('');
    const parts = splitPrompt(many, {}) ?? [];
    assert.equal(getInputs(parts).length, 20);
    assert.match(fillPrompt(parts, new Map()), /^\$\{input:i20\}.*\$\{input:i49\}$/);
    assert.equal(splitPrompt('${selection}'.repeat(5000), { selection: 'x'.repeat(1_000_000) }), undefined);
  });

  it('never expand inside the value of another one [attack: prompt file]', () => {
    const token = fc.constantFrom(
      '${selection}',
      '${file}',
      '${input:a}',
      '${input:b:hint}',
      '${',
      '}',
      '$',
      ' text ',
    );
    const value = fc.array(token, { maxLength: 6 }).map((tokens) => tokens.join(''));
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('${selection}', '${file}', '${input:a}', '${input:b:hint}', ' and '), {
          maxLength: 8,
        }),
        fc.record({ selection: value, file: value, a: value, b: value }),
        (tokens, values) => {
          const parts = splitPrompt(tokens.join(''), values) ?? [];
          const text = fillPrompt(
            parts,
            new Map([
              ['a', values.a],
              ['b', values.b],
            ]),
          );
          const byToken: Record<string, string> = {
            '${selection}': values.selection,
            '${file}': values.file,
            '${input:a}': values.a,
            '${input:b:hint}': values.b,
          };
          assert.equal(text, tokens.map((token) => byToken[token] ?? token).join(''));
        },
      ),
      cases(500),
    );
  });
});
