import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { normalizeAddress, readRepositoryKey } from '../../../src/host/documentSync/repositoryKey';
import { writeFiles } from '../../support/writeFiles';

describe('The key of a repository’s documents', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'parley-key-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const readKey = (name: string) =>
    readRepositoryKey({ uri: vscode.Uri.file(path.join(root, name)), name: 'docs', index: 0 });
  const clone = (name: string, config: string) => writeFiles(root, { [`${name}/.git/config`]: config });

  it('is one for the same folder of all clones, and differs for other folders and repositories', async () => {
    await clone('a', '[remote "origin"]\n\turl = git@git.example.com:team/repo.git\n');
    await clone('b', '[remote "mine"]\n\turl = https://token@Git.example.com/team/repo/\n');
    await clone('c', '[remote "origin"]\n\turl = https://git.example.com/team/other\n');
    await clone(
      'd',
      '[remote "x"]\nurl = https://x.example.com/a\n[remote "y"]\nurl = https://x.example.com/b\n',
    );
    await writeFiles(root, {
      'a/.git/worktrees/w/commondir': '../..\n',
      'w/.git': `gitdir: ${path.join(root, 'a', '.git', 'worktrees', 'w')}\n`,
      'a/lib/docs/x.md': '',
      'a/docs/x.md': '',
      'w/docs/x.md': '',
    });
    const key = await readKey('a');
    assert.match(key ?? '', /^[\da-f]{16}$/);
    assert.deepEqual([await readKey('b'), await readKey('w')], [key, key]);
    assert.equal(await readKey('w/docs'), await readKey('a/docs'));
    const names = ['a', 'c', 'a/docs', 'a/lib/docs'];
    assert.equal(new Set(await Promise.all(names.map(readKey))).size, names.length);
    assert.deepEqual([await readKey('d'), await readKey('none')], [undefined, undefined]);
  });

  it('takes only addresses that mean the same on every machine', () => {
    const same = [
      ...[
        'git@git.example.com:team/repo.git',
        'git.example.com:/team/repo',
        'ssh://git@git.example.com:22/team/repo',
      ],
      ...['https://git.example.com/team/repo.git/', 'git://git.example.com/team/repo'],
    ];
    assert.deepEqual([...new Set(same.map(normalizeAddress))], ['git.example.com/team/repo']);
    const local = [
      ...[
        '/srv/git/repo.git',
        '../repo',
        'C:\\git\\repo',
        'C:/git/repo',
        'file:///srv/git/repo',
        'work:team/repo',
      ],
      ...[
        'https://localhost/team/repo',
        'ssh://git@127.0.0.1/repo',
        'https://git.example.com/',
        '',
        'ext::sh -c x',
      ],
    ];
    assert.deepEqual(
      local.map(normalizeAddress),
      local.map(() => undefined),
    );
    assert.notEqual(
      normalizeAddress('https://git.example.com:8443/team/repo'),
      normalizeAddress('https://git.example.com/team/repo'),
    );
  });
});
