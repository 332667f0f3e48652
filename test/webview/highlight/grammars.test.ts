import assert from 'node:assert/strict';
import { grammarFiles } from '../../../src/webview/highlight/grammarFiles';
import { findGrammarName } from '../../../src/webview/highlight/languages';

describe('grammars', () => {
  it('are each found under their own name', () => {
    for (const name of Object.keys(grammarFiles)) assert.equal(findGrammarName(name), name);
  });

  it('include all grammars that can be requested', () => {
    const names =
      'ts tsx js jsx py java c c++ c# go rs rb php swift kt scala html css scss json yml toml xml md sql sh powershell dockerfile makefile diff ini lua perl r dart elixir haskell graphql vue svelte terraform';
    for (const name of names.split(' ')) assert.ok(findGrammarName(name), name);
    assert.equal(findGrammarName('klingon'), undefined);
    assert.equal(findGrammarName('constructor'), undefined);
  });
});
