// biome-ignore-all lint/suspicious/noTemplateCurlyInString: prompts have variables in this syntax.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatPromptFile, parsePromptFile } from '../../../src/chat/prompts/promptFile';
import { cases } from '../../support/fuzz';

describe('A prompt file', () => {
  it('has a name, a description, a hint and a text; agent, model and tools are ignored', () => {
    const text = `---
agent: 'agent'
model: GPT-4o
tools: ['search/codebase']
name: review
description: 'Reviews  an API'
argument-hint: path of the API
---
Review it.
`;
    assert.deepEqual(parsePromptFile('api.prompt.md', text), {
      name: 'review',
      description: 'Reviews an API',
      argumentHint: 'path of the API',
      body: 'Review it.',
    });
  });

  it('is named by its file if it has no name of its own', () => {
    assert.equal(parsePromptFile('create-form.prompt.md', 'Create it.').name, 'create-form');
    assert.equal(parsePromptFile('a.prompt.md', '---\nname: "\\u202e "\n---\nA').name, 'a');
    assert.equal(parsePromptFile('.prompt.md', 'A').name, '.prompt.md');
  });

  it('can’t hide or reorder characters, and has short names [attack: prompt file]', () => {
    const text = `---\nname: "a\\u202eb\\u0007\\nc${'x'.repeat(500)}"\ndescription: "d\\u2066${'y'.repeat(500)}"\n---\ne\u202ef\u{e0041}\tg`;
    const { name, description = '', body } = parsePromptFile('a.prompt.md', text);
    assert.match(name, /^ab cx{50,60}…$/);
    assert.match(description, /^dy{150,200}…$/);
    assert.equal(body, 'e\\u{202e}f\\u{e0041}\tg');
  });

  it('a prompt file is read as it was written', () => {
    const name = fc
      .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 })
      .map((it) => it.trim().replace(/\s+/g, ' '));
    const body = fc
      .array(fc.constantFrom('---', 'name: x', '${selection}', 'text', '', '  indented'))
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(
        name.filter((it) => it !== ''),
        body,
        (someName, someBody) => {
          const file = parsePromptFile(
            'other.prompt.md',
            formatPromptFile({ name: someName, body: someBody }),
          );
          assert.deepEqual(file, { name: someName, body: someBody.replace(/^(?:\s*\n)+/, '').trimEnd() });
        },
      ),
      cases(200),
    );
  });
});
