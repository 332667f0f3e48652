import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { canBeInPath, toFileName } from '../../../src/chat/text/fileName';
import { attackLists } from '../../support/attackLists';
import { cases } from '../../support/fuzz';

const planes = Array.from({ length: 17 }, (_, plane) => plane * 0x10000);
/** All noncharacters of Unicode, and some halves of pairs. */
const FORBIDDEN_IN_PATHS = [
  ...planes.flatMap((plane) => [plane + 0xfffe, plane + 0xffff]),
  ...Array.from({ length: 32 }, (_, index) => 0xfdd0 + index),
  ...[0xd800, 0xdbff, 0xdc00, 0xdfff],
].map((point) => String.fromCodePoint(point));

describe('toFileName', () => {
  const examples: [name: string, fileName: string][] = [
    ['What is moss?', 'What is moss'],
    ['../../etc/passwd', 'etc passwd'],
    ['a\\b:c', 'a b c'],
    ['.hidden', 'hidden'],
    ['end...', 'end'],
    ['line\r\nbreak\0 \u202egnp', 'line break gnp'],
    ['', 'Conversation'],
    ['???', 'Conversation'],
    ['con', 'Conversation con'],
    ['nul .x', 'Conversation nul .x'],
    ['COM¹', 'Conversation COM¹'],
    ['LPT².txt', 'Conversation LPT².txt'],
    ['CONIN$', 'Conversation CONIN$'],
    ['conout$ . a', 'Conversation conout$ . a'],
    ['con job', 'con job'],
    ['COM10', 'COM10'],
    ['null.x', 'null.x'],
    ['Naïve 日本 👋', 'Naïve 日本 👋'],
    ['a\u{10ffff}b', 'a b'],
    ['a\ud83db\ufffe', 'a b'],
  ];
  for (const [name, fileName] of examples) {
    it(`returns ${JSON.stringify(fileName)} for ${JSON.stringify(name)}`, () =>
      assert.equal(toFileName(name), fileName));
  }

  it('returns no noncharacter and no lone surrogate [attack: file name]', () => {
    for (const character of FORBIDDEN_IN_PATHS) {
      assert.equal(toFileName(`a${character}b`), 'a b', character.codePointAt(0)?.toString(16));
      assert.equal(toFileName(character), 'Conversation');
    }
    // Half a pair is left where 60 code points end.
    assert.equal(toFileName(`${'a'.repeat(59)}\ud83d\ude00b`), `${'a'.repeat(59)}\ud83d\ude00`);
  });

  it('returns a name that creates exactly one file in its folder for any input', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-name-'));
    try {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 100 }), async (name) => {
          const file = path.join(folder, `${toFileName(name)}.md`);
          assert.equal(path.dirname(file), folder);
          await writeFile(file, name);
          assert.equal(await readFile(file, 'utf8'), Buffer.from(name).toString());
        }),
        cases(300),
      );
      for (const attack of attackLists.flatMap(([, attacks]) => attacks)) {
        const name = toFileName(attack);
        assert.doesNotMatch(name, /[\p{Cc}\p{Cf}/\\:*?"<>|]|^[. ]|[. ]$/u, JSON.stringify(attack));
        await writeFile(path.join(folder, `${name}.md`), attack);
      }
      assert.equal(path.basename(toFileName('👋'.repeat(100))), '👋'.repeat(60));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('canBeInPath', () => {
  it('refuses noncharacters, lone surrogates and NUL, and nothing else', () => {
    for (const character of [...FORBIDDEN_IN_PATHS, '\0']) assert.equal(canBeInPath(`a${character}b`), false);
    for (const text of ['', 'Naïve 日本 👋', '\ufffd', '\ufdcf\ufdf0', '\u{10fffd}', 'a:b\\c']) {
      assert.equal(canBeInPath(text), true, text);
    }
  });
});
