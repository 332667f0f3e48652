import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { MatchSteps, matchesGitPattern, parseGitPattern } from '../../../src/chat/files/gitPattern';
import { createGitIgnoreRules, toUriPath } from '../../../src/mcp/alone/filesToUpload';
import { cases } from '../../support/fuzz';
import { writeFiles } from '../../support/writeFiles';

describe('Git’s ignore rules', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'parley-ignore-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const write = (files: Readonly<Record<string, string>>) => writeFiles(root, files);
  const findIgnored = async (names: readonly string[], inside = '') => {
    const home = toUriPath(path.join(root, 'user'));
    const rules = createGitIgnoreRules(root, { home, config: `${home}/.config` });
    const ignored: string[] = [];
    for (const name of names) {
      if (await rules.ignores(toUriPath(path.join(root, inside, name)))) ignored.push(name);
    }
    return ignored;
  };

  it('apply with several folders of any name in a pattern, and in a linked worktree', async () => {
    await write({
      'main/.git/HEAD': '',
      'main/.git/info/exclude': 'excluded.md\n',
      'main/.git/worktrees/linked/commondir': '../..\n',
      'main/.gitignore': '**/private/**/*.md\ndocs/**/drafts/**/*.md\n',
      'linked/.git': `gitdir: ${path.join(root, 'main', '.git', 'worktrees', 'linked')}\n`,
    });
    const names = ['a.md', 'x/private/a.md', 'private/x/y/a.md', 'docs/drafts/a.md', 'docs/x/drafts/y/a.md'];
    assert.deepEqual(await findIgnored([...names, 'excluded.md'], 'main'), [
      ...names.slice(1),
      'excluded.md',
    ]);
    assert.deepEqual(await findIgnored(['a.md', 'excluded.md'], 'linked'), ['excluded.md']);
  });

  it('count everything as ignored in a folder whose rules are too many or too large to apply', async () => {
    await write({
      '.git/HEAD': '',
      'many/.gitignore': 'x\n'.repeat(10_001),
      'large/.gitignore': `#${'x'.repeat(1024 * 1024)}\n`,
      'wild/.gitignore': `*${'a'.repeat(100)}b\n`.repeat(1000),
    });
    const wild = `wild/${'a'.repeat(200)}`;
    const names = ['a.md', 'many/a.md', 'many/in/a.md', 'large/a.md', wild];
    assert.deepEqual(await findIgnored(names), names.slice(1));
  });

  it('apply in any case if the repository is set to ignore case', async () => {
    const gitignore = 'Build/\n*.LOG\n[x-z].TXT\n';
    await write({
      'exact/.git/config': '[core]\n\tignorecase = false\n',
      'exact/.gitignore': gitignore,
      'any/.git/config': '[core]\n\tbare = false\n\tignorecase = true\n',
      'any/.git/info/exclude': 'Mine.md\n',
      'any/.gitignore': gitignore,
      'any/In/.gitignore': '!B.log\n',
    });
    const names = ['build/a', 'a.log', 'Y.txt', 'mine.MD', 'In/b.LOG', 'In/c.LOG'];
    assert.deepEqual(await findIgnored(names, 'exact'), ['In/b.LOG', 'In/c.LOG']);
    assert.deepEqual(await findIgnored(names, 'any'), ['build/a', 'a.log', 'Y.txt', 'mine.MD', 'In/c.LOG']);
  });

  describe('with settings of the user', () => {
    const names = ['a.md', 'default.md', 'named.md', 'included.md', 'local.md'];

    it('include those for all repositories, which others can take back', async () => {
      await write({
        'user/.config/git/ignore': 'default.md\nback.md\n',
        'repo/.git/config': '',
        'repo/.gitignore': '!back.md\n',
        'folder/a.md': '',
      });
      assert.deepEqual(await findIgnored([...names, 'back.md'], 'repo'), ['default.md']);
      assert.deepEqual(await findIgnored(names, 'folder'), []);
    });

    it('include the files that the settings name, also in settings that they include', async () => {
      await write({
        'user/.config/git/ignore': 'default.md\n',
        'user/.gitconfig': [
          '[core]\n\tExcludesFile = "~/my ignore" ; mine\n',
          '[include]\n\tpath = work/config\n[includeIf "gitdir:~/x/"]\n\tpath = .gitconfig\n',
        ].join(''),
        'user/my ignore': 'named.md\n',
        'user/work/config': `[core] excludesfile = ${toUriPath(path.join(root, 'user', 'included'))}\n`,
        'user/included': 'included.md\n',
        'user/local': 'local.md\n',
        'repo/.git/config': '[core]\n\tbare = false\n\texcludesFile = ~/local\n',
      });
      assert.deepEqual(await findIgnored(names, 'repo'), ['named.md', 'included.md', 'local.md']);
    });

    it('count everything as ignored if they are too large, and read only regular files of this machine', async () => {
      await write({
        'user/.config/git/ignore': `#${'x'.repeat(1024 * 1024)}\n`,
        'large/.git/config': '',
        'hostile/.git/config': '[core]\n\texcludesFile = //other/share\n\texcludesFile = /dev/zero\n',
      });
      assert.deepEqual(await findIgnored(['a.md'], 'large'), ['a.md']);
      assert.deepEqual(await findIgnored(['a.md'], 'hostile'), []);
    });
  });

  it('apply beyond the thousandth one and in large files', async () => {
    await write({
      '.git/HEAD': '',
      '.gitignore': `${'# comment\n'.repeat(40_000)}${'x\n'.repeat(2000)}*.late\n`,
    });
    assert.deepEqual(await findIgnored(['a.md', 'a.late']), ['a.late']);
  });

  for (const ignoresCase of [false, true])
    it(`are those of Git for any patterns, ${ignoresCase ? 'in any case' : 'in their case'}`, async function () {
      // Without Git there is nothing to compare with.
      if (spawnSync('git', ['--version']).status !== 0) return this.skip();
      const names = ['a', 'b', 'ab', 'a.b', '[a]'];
      const paths: string[] = [];
      const add = async (folder: string, depth: number) => {
        await mkdir(path.join(root, folder), { recursive: true });
        for (const name of names) {
          const inside = folder === '' ? name : `${folder}/${name}`;
          paths.push(inside);
          if (depth > 0 && name !== 'a.b') await add(inside, depth - 1);
          else await writeFile(path.join(root, inside), '');
        }
      };
      await add('', 2);
      execFileSync('git', ['init', '-q', root]);
      execFileSync('git', ['-C', root, 'config', 'core.ignoreCase', String(ignoresCase)]);
      // Two stars after another character are left out: some versions of Git take them for folders, others don't.
      const part = fc
        .array(
          fc.constantFrom(
            'a',
            'b',
            'A',
            '*',
            '?',
            '.',
            '[',
            ']',
            '!',
            '-',
            '\\',
            '[ab]',
            '[!a]',
            '[[:alpha:]]',
            '[a-b]',
          ),
          {
            ...{ minLength: 1, maxLength: 4 },
          },
        )
        .map((units) => units.join('').replace(/\*+/g, '*'));
      const pattern = fc
        .tuple(
          fc.constantFrom('', '', '!', '/'),
          fc.array(fc.oneof(part, fc.constant('**')), { minLength: 1, maxLength: 4 }),
          fc.constantFrom('', '', '/', ' '),
        )
        .map(([start, parts, end]) => start + parts.join('/') + end);
      const patterns = fc.array(pattern, { minLength: 1, maxLength: 3 });
      const isFolder = (name: string) => name.split('/').length < 3 && !name.endsWith('a.b');
      await fc.assert(
        fc.asyncProperty(patterns, patterns, async (top, inner) => {
          await writeFile(path.join(root, '.gitignore'), `${top.join('\n')}\n`);
          await writeFile(path.join(root, 'a', '.gitignore'), `${inner.join('\n')}\n`);
          const { stdout } = spawnSync(
            'git',
            ['-c', 'core.excludesFile=', 'check-ignore', '--no-index', '--stdin', '-z'],
            { cwd: root, input: `${paths.join('\0')}\0`, encoding: 'utf8' },
          );
          const rules = createGitIgnoreRules(root);
          const ignored: string[] = [];
          for (const name of paths) {
            if (await rules.ignores(toUriPath(path.join(root, name)), isFolder(name))) ignored.push(name);
          }
          assert.deepEqual(ignored, stdout.split('\0').slice(0, -1));
        }),
        cases(40),
      );
    });

  it('take time in the length of path and pattern only [attack: hostile pattern]', () => {
    const count = (line: string, place: string) => {
      const pattern = parseGitPattern(line);
      assert.ok(pattern);
      const steps = new MatchSteps();
      const parts = place.split('/').map((name) => Array.from(name));
      assert.equal(matchesGitPattern(pattern, parts, false, steps), false, line);
      return steps.used;
    };
    const hostile: readonly ((length: number) => string)[] = [
      (length) => `${'**/a/'.repeat(length)}b`,
      (length) => `${'*a'.repeat(length)}b`,
      (length) => `${'**/*a*a*/'.repeat(length)}b`,
      (length) => `${'*'.repeat(length)}b`,
      (length) => `${'**/'.repeat(length)}b`,
    ];
    const places = [(length: number) => `${'a/'.repeat(length)}c`, (length: number) => 'a'.repeat(length)];
    for (const create of hostile) {
      for (const place of places) {
        // A longer path, then a longer pattern.
        assert.ok(count(create(20), place(1600)) <= 16 * count(create(20), place(100)) * 1.1);
        assert.ok(count(create(320), place(1600)) <= 16 * count(create(20), place(1600)) * 1.1 + 1600);
      }
    }
  });
});
