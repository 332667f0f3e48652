import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { toFileName } from '../../../src/chat/text/fileName';
import { attackLists } from '../../support/attackLists';
import { cases } from '../../support/fuzz';

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
    ['Naïve 日本 👋', 'Naïve 日本 👋'],
  ];
  for (const [name, fileName] of examples) {
    it(`returns ${JSON.stringify(fileName)} for ${JSON.stringify(name)}`, () =>
      assert.equal(toFileName(name), fileName));
  }

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
