import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { readChangeDiff, unquotePath } from '../../../src/chat/reviews/changeDiff';
import { findChangedPath } from '../../../src/chat/reviews/findingPath';
import { cases } from '../../support/fuzz';

const DIFF = `diff --git a/src/app.ts b/src/app.ts
index 1..2 100644
--- a/src/app.ts
+++ b/src/app.ts
@@ -1,3 +1,3 @@ function x() {
 one
-two
+-- zwei
 three
@@ -10 +10,2 @@
--- not a header
+++ ++ not a header
+twelve
\\ No newline at end of file
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git "a/\\303\\244.md" "b/\\303\\244.md"
--- "a/\\303\\244.md"
+++ "b/\\303\\244.md"
@@ -0,0 +1 @@
+new
`;

describe('A diff to review', () => {
  it('has the new lines of its files by their numbers, also those that look like headers', () => {
    const { paths, files } = readChangeDiff(DIFF);
    assert.deepEqual(paths, ['src/app.ts', 'old.txt', 'ä.md']);
    assert.deepEqual(Object.fromEntries(files.get('src/app.ts')?.lines ?? []), {
      1: 'one',
      2: '-- zwei',
      3: 'three',
      10: '++ ++ not a header',
      11: 'twelve',
    });
    assert.deepEqual([...files.keys()], ['src/app.ts', 'ä.md']);
    assert.deepEqual([...(files.get('ä.md')?.lines ?? [])], [[1, 'new']]);
  });

  it('is sent with the new number in front of each line, and otherwise unchanged', () => {
    const { numbered } = readChangeDiff(DIFF);
    assert.ok(numbered.includes('     2 +-- zwei\n     3  three\n@@ -10 +10,2 @@'), numbered);
    assert.ok(numbered.includes('       --- not a header\n'));
    const hasNumber = /^ {0,6}[\d ]{6} (?=[-+ \\])/;
    assert.equal(
      numbered
        .split('\n')
        .map((line) => line.replace(hasNumber, ''))
        .join('\n'),
      DIFF,
    );
  });

  it('of any two texts has the lines that Git counts', function () {
    this.timeout(60_000);
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-diff-'));
    const lines = fc.array(fc.constantFrom('a', 'b', '', '--- x', '+++ y', '@@ -1 +1 @@', 'diff --git a b'), {
      maxLength: 30,
    });
    try {
      fc.assert(
        fc.property(lines, lines, (before, after) => {
          writeFileSync(path.join(folder, 'a'), before.join('\n'));
          writeFileSync(path.join(folder, 'b'), after.join('\n'));
          let diff = '';
          try {
            execFileSync('git', ['diff', '--no-index', 'a', 'b'], { cwd: folder });
          } catch (error) {
            diff = String((error as { stdout: Buffer }).stdout);
          }
          const numbers = [...(readChangeDiff(diff).files.get('b')?.lines ?? [])];
          const isShown = diff !== '' && after.length > 0;
          assert.equal(numbers.length > 0, isShown && /^@@.*\+[1-9]/m.test(diff), diff);
          for (const [number, text] of numbers) assert.equal(text, after[number - 1]);
        }),
        cases(60),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('of any text is read without an error', () => {
    const part = fc.oneof(
      fc.constantFrom('@@ -1,9 +1,9 @@', '+++ "b/\\', '--- ', '+', ' ', '-', '\\'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        readChangeDiff(parts.join('\n'));
        unquotePath(parts.join(''));
      }),
      cases(300),
    );
  });
});

describe('The path that a reply names', () => {
  const paths = ['src/app.ts', 'a/b.ts', 'lib/one/x.ts', 'lib/two/x.ts'];
  it('is found with a prefix of Git’s, and by its end if only one file of the diff ends so', () => {
    assert.equal(findChangedPath('src/app.ts', paths)[0], 'src/app.ts');
    assert.equal(findChangedPath('b/src/app.ts', paths)[0], 'src/app.ts');
    assert.equal(findChangedPath('a/b.ts', paths)[0], 'a/b.ts');
    assert.deepEqual(findChangedPath('app.ts', paths), ['app.ts', 'src/app.ts']);
    assert.deepEqual(findChangedPath('x.ts', paths), ['x.ts']);
    assert.deepEqual(findChangedPath('..\\x', paths), ['../x']);
  });
});
