import assert from 'node:assert/strict';
import { createUploadNameByExtension } from '../../../src/chat/documents/fileUploadName';
import { baseName } from '../../../src/chat/documents/uploadName';
import { deriveName } from '../../../src/chat/model/conversation';
import { formatExcerpt } from '../../../src/chat/text/excerpt';
import { attackLists } from '../../support/attackLists';
import { countLongCalls } from '../../support/countCalls';
import { assertLinear } from '../../support/cpuTime';

const asText = new Set(['ts', 'json']);

describe('createUploadNameByExtension', () => {
  const cases: [path: string, name: string, type: string][] = [
    ['src/app.ts', 'app.ts.txt', 'text/plain'],
    ['APP.TS', 'APP.TS.txt', 'text/plain'],
    ['Dockerfile', 'Dockerfile.txt', 'text/plain'],
    ['.env', '.env.txt', 'text/plain'],
    ['.eslintrc.json', '.eslintrc.json.txt', 'text/plain'],
    ['report.pdf', 'report.pdf', 'application/pdf'],
    ['notes.md', 'notes.md', 'text/markdown'],
    ['blob.unheardof', 'blob.unheardof', 'application/octet-stream'],
    ['../x', 'x.txt', 'text/plain'],
    ['a/../..', 'file.txt', 'text/plain'],
    ['C:\\temp\\notes.txt', 'notes.txt', 'text/plain'],
    ['a\u202Etxt.pdf\0\r\n', 'atxt.pdf', 'application/pdf'],
    ['', 'file.txt', 'text/plain'],
    ['a/.', 'file.txt', 'text/plain'],
    [' a.md ', 'a.md', 'text/markdown'],
    ['a.tar.gz', 'a.tar.gz', 'application/gzip'],
    [`a.${'x'.repeat(20)}`, `a.${'x'.repeat(20)}`, 'application/octet-stream'],
    [`a.${'x'.repeat(21)}`, `a.${'x'.repeat(21)}.txt`, 'text/plain'],
    [`${'a'.repeat(196)}.pdf`, `${'a'.repeat(196)}.pdf`, 'application/pdf'],
  ];
  for (const [path, name, contentType] of cases) {
    it(`uploads ${JSON.stringify(path)} as ${name}`, () => {
      assert.deepEqual(createUploadNameByExtension(path, asText), { name, contentType });
    });
  }

  it('keeps only the base name, without invisible or control characters [attack: file name]', () => {
    const names = [
      '../x.md',
      'a/b.md',
      'C:\\a\\b.md',
      'a\0b.md',
      'a\r\nb.md',
      'a\u202Egpj.md',
      '\u{e0041}a.md',
      '..',
    ];
    assert.deepEqual(
      names.map((name) => createUploadNameByExtension(name, asText).name),
      ['x.md', 'b.md', 'b.md', 'ab.md', 'ab.md', 'agpj.md', 'a.md', 'file.txt'],
    );
  });

  for (const [list, attacks] of attackLists) {
    it(`returns a base name with an extension for each of ${list} [attack: file name]`, () => {
      for (const path of attacks.flatMap((attack) => [attack, `${attack}.pdf`, `${attack}.ts`])) {
        const { name } = createUploadNameByExtension(path, asText);
        assert.match(name, /^[^/\\\p{Cc}\p{Cf}\u2028\u2029]+\.[^./]+$/u, JSON.stringify(path));
        assert.ok(Buffer.byteLength(name) <= 200, name);
      }
    });
  }

  it('leaves noncharacters and lone surrogates out of a name [attack: file name]', () => {
    assert.equal(createUploadNameByExtension('a\u{10ffff}\ufdd0\ud83db.md', asText).name, 'ab.md');
    assert.equal(baseName('src/\u{1fffe}'), 'file');
  });

  it('shortens a name of any length in linear time', async () => {
    await assertLinear((length) => {
      // White space before other text, with and without an extension.
      const name = `${'a'.repeat(length)}${' '.repeat(length)}b`;
      for (let repetition = 0; repetition < 20; repetition++)
        for (const path of [name, `${name}.md`]) createUploadNameByExtension(path, asText);
    }, 10_000);
  });

  it('shortens a name of 300 bytes without splitting a character or losing the extension [attack: file name]', () => {
    const { name } = createUploadNameByExtension(`${'é'.repeat(150)}.pdf`, asText);
    assert.ok(Buffer.byteLength(name) <= 200);
    assert.match(name, /^é+\.pdf$/);
  });
});

describe('deriveName', () => {
  it('returns the first line with collapsed white space', () => {
    assert.equal(deriveName('  What \t is this?\nmore'), 'What is this?');
  });
  it('reads the start of a long line only', () => {
    const calls = countLongCalls('replace', 20_000, () => {
      assert.equal(deriveName(`a${' b'.repeat(10_000)}`), `a${' b'.repeat(29)}…`);
    });
    assert.equal(calls, 0);
  });

  it('truncates to 60 code points without splitting one', () => {
    assert.equal(deriveName('👋'.repeat(60)), '👋'.repeat(60));
    assert.equal(deriveName('👋'.repeat(61)), `${'👋'.repeat(59)}…`);
  });
});

describe('formatExcerpt', () => {
  const excerpt = { path: 'src/a.ts', firstLine: 3, lastLine: 4, language: 'typescript', text: 'a\r\nb\n' };
  it('puts the path and line numbers above a fenced block', () => {
    assert.equal(formatExcerpt(excerpt), 'src/a.ts:3-4\n```typescript\na\nb\n```');
    assert.match(formatExcerpt({ ...excerpt, lastLine: 3 }), /^src\/a\.ts:3\n/);
  });
  it('uses a fence longer than any in the text', () => {
    assert.match(formatExcerpt({ ...excerpt, text: 'x ```` y' }), /\n`{5}typescript\nx ```` y\n`{5}$/);
  });
});
