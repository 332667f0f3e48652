import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { FileChangedError } from '../../../src/chat/model/failure';
import { listFiles, MAX_FILES } from '../../../src/host/documents/folders';
import { inspectFile } from '../../../src/host/files/candidate';
import { getDocumentName } from '../../../src/host/files/editorText';
import { GitIgnore } from '../../../src/host/files/gitIgnore';
import { inTime } from '../../support/fuzz';

const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

/** Creates a folder with the files in the workspace. */
async function createFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<vscode.Uri> {
  const folder = await mkdtemp(path.join(workspace, 'upload-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  folders.push(folder);
  return vscode.Uri.file(folder);
}
const folders: string[] = [];

describe('Checks before an upload', () => {
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('ignore the same files as git, with nested, negated and anchored patterns and special characters', async () => {
    const folder = await createFolder({
      '.gitignore': '*.log\n!keep.log\n/top.txt\nbuild/\ndocs/*.pdf\n# a comment\n\\#odd.txt\n\n',
      'a/.gitignore': '!b.log\n/here.txt\nsecret\nnot/there.txt\n*.tmp\n',
      'a/[x] y/.gitignore': '*.md\n!a.md\n',
      'b/.gitignore': '!build/\n',
    });
    const files = [
      [
        'x.log',
        'keep.log',
        'a/x.log',
        'a/b.log',
        'a/keep.log',
        'top.txt',
        'a/top.txt',
        'build/x',
        'a/build/x',
      ],
      ['docs/a.pdf', 'docs/in/a.pdf', 'a/docs/a.pdf', '#odd.txt', 'a/here.txt', 'a/in/here.txt', 'here.txt'],
      ['a/secret', 'a/in/secret', 'secret', 'a/secret-not', 'a/not/there.txt', 'a/in/not/there.txt'],
      [
        'a/[x] y/a.md',
        'a/[x] y/b.md',
        'a/[x] y/in/c.md',
        'a/x y/b.md',
        'a/deep/er/x.tmp',
        'b/build/x',
        'X.LOG',
      ],
    ].flat();
    for (const file of files) {
      await mkdir(path.dirname(path.join(folder.fsPath, file)), { recursive: true });
      await writeFile(path.join(folder.fsPath, file), 'x');
    }
    execFileSync('git', ['init', '-q'], { cwd: folder.fsPath });
    await writeFile(path.join(folder.fsPath, '.git/info/exclude'), 'a/top.txt\n');
    const others = ['ls-files', '-z', '--others', '--exclude-standard'];
    const listed = execFileSync('git', ['-c', 'core.excludesFile=', ...others], {
      cwd: folder.fsPath,
      encoding: 'utf8',
    });
    const kept = new Set(listed.split('\0'));
    const gitIgnore = new GitIgnore();
    for (const file of files) {
      const ignored = await gitIgnore.ignores(vscode.Uri.joinPath(folder, file));
      assert.equal(ignored, !kept.has(file), file);
    }
  });

  it('skip patterns of .gitignore and files.exclude that could take too long [attack: hostile pattern]', async () => {
    const folder = await createFolder({
      '.gitignore': `${'**/a/'.repeat(12)}b\n${'*a'.repeat(60)}b\n${'[a-z]'.repeat(20_000)}\n*.log\n`,
      [`${'a/'.repeat(60)}c.txt`]: 'x',
      [`${'a'.repeat(200)}.txt`]: 'x',
      'x.log': 'x',
    });
    // Not a repository: VS Code's own git and search would read these patterns, and be busy with them for years.
    const setting = vscode.workspace.getConfiguration('files');
    const exclude = { [`**/${'*a'.repeat(60)}b`]: true, '**/*.txt': true };
    await setting.update('exclude', exclude, vscode.ConfigurationTarget.Workspace);
    try {
      await inTime(async () => {
        const { files } = await listFiles(folder, new GitIgnore());
        assert.deepEqual(
          files.map((file) => path.relative(folder.fsPath, file.fsPath)),
          ['.gitignore'],
        );
      });
    } finally {
      await setting.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
      await rm(path.join(workspace, '.vscode'), { recursive: true, force: true });
    }
  });

  it('apply many .gitignore patterns, and count everything as ignored where there are too many [attack: hostile pattern]', async () => {
    const patterns = Array.from({ length: 1000 }, (_, index) => `a/**/${index}b`).join('\n');
    const folder = await createFolder({
      // Too many to be applied.
      '.gitignore': `*.log\n${'a*b\n'.repeat(70_000)}`,
      'many/.git/config': '',
      'many/.gitignore': `*.log\n${patterns}\n*.late`,
      'many/in/.gitignore': '*.later',
      'wild/.git/config': '',
      'wild/.gitignore': `${Array.from({ length: 100 }, (_, index) => `**/a/**/${index}b`).join('\n')}\n**/a/**/c`,
      'odd/.git/config': '',
      'odd/.gitignore/file': 'a folder',
    });
    const names = ['x.txt', 'many/x.log', 'many/x.late', 'many/in/x.later', 'odd/x.log'];
    const deep = 'a/'.repeat(100);
    await inTime(async () => {
      const gitIgnore = new GitIgnore();
      const ignored: string[] = [];
      for (const name of [...names, `many/${deep}c`, `wild/${deep}c`]) {
        if (await gitIgnore.ignores(vscode.Uri.joinPath(folder, name))) ignored.push(name);
      }
      assert.deepEqual(ignored, [...names.slice(0, -1), `wild/${deep}c`]);
    });
  });

  describe('a folder', () => {
    const names = (folder: vscode.Uri, files: readonly vscode.Uri[]) =>
      files.map((file) => path.relative(folder.fsPath, file.fsPath));

    it('lists its files without ignored, excluded and empty ones and links to folders', async () => {
      const folder = await createFolder({
        '.gitignore': 'dist/\n',
        'a.md': 'a',
        'in/b.md': 'b',
        'dist/c.js': 'c',
        'empty.txt': '',
        '.DS_Store': 'x',
        '.git/config': 'x',
        'in/d.js': 'x',
        'in/d.ts': 'x',
        'in/e.js': 'x',
      });
      await symlink(workspace, path.join(folder.fsPath, 'loop'));
      const setting = vscode.workspace.getConfiguration('files');
      await setting.update(
        'exclude',
        // Values of a wrong type are left out.
        { '**/*.js': { when: '$(basename).ts' }, '**/*.md': null, '**/*.ts': { when: 7 }, in: 'yes' },
        vscode.ConfigurationTarget.Workspace,
      );
      try {
        const { files, leftOut, tooMany } = await listFiles(folder, new GitIgnore());
        assert.deepEqual(names(folder, files), ['.gitignore', 'a.md', 'in/b.md', 'in/d.ts', 'in/e.js']);
        // dist, empty.txt, .DS_Store, .git, in/d.js, loop
        assert.deepEqual([leftOut, tooMany], [6, false]);
      } finally {
        await setting.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
        await rm(path.join(workspace, '.vscode'), { recursive: true, force: true });
      }
    });

    it('reports if it has more files than allowed', async () => {
      const folder = await createFolder(
        Object.fromEntries(Array.from({ length: MAX_FILES + 2 }, (_, i) => [`${i}.txt`, 'x'])),
      );
      const { files, tooMany } = await listFiles(folder, new GitIgnore());
      assert.deepEqual([files.length, tooMany], [MAX_FILES, true]);
    });
  });

  describe('a file', () => {
    const inspect = (uri: vscode.Uri) => inspectFile(uri, new GitIgnore());

    it('an ordinary file raises no concerns', async () => {
      const folder = await createFolder({ 'a.md': 'text' });
      const candidate = await inspect(vscode.Uri.joinPath(folder, 'a.md'));
      assert.deepEqual([candidate.concerns, candidate.secret], [[], undefined]);
      await candidate.file.opened.close();
    });

    it('that is large, ignored or of an unusual type has concerns, and can be uploaded as text if it is text', async () => {
      const folder = await createFolder({
        '.gitignore': '*.pdf',
        'a.pdf': Buffer.alloc(10_000_001),
        'a.xyz': 'text',
        'b.xyz': Uint8Array.of(1, 0, 2),
      });
      execFileSync('git', ['init', '-q'], { cwd: folder.fsPath });
      const [pdf, text, binary] = await Promise.all(
        ['a.pdf', 'a.xyz', 'b.xyz'].map((name) => inspect(vscode.Uri.joinPath(folder, name))),
      );
      assert.deepEqual(pdf?.concerns, ['ignored', 'large']);
      assert.deepEqual([text?.concerns, text?.file.asText?.name], [['kind'], 'a.xyz.txt']);
      assert.deepEqual([binary?.concerns, binary?.file.asText], [['kind'], undefined]);
      for (const candidate of [pdf, text, binary]) await candidate?.file.opened.close();
    });

    it('behind a link has its target, and a concern if that is outside the workspace [attack: symlink]', async () => {
      const folder = await createFolder({ 'a.md': 'text' });
      const outside = path.join(path.dirname(workspace), 'outside.md');
      await writeFile(outside, 'text');
      try {
        await symlink(path.join(folder.fsPath, 'a.md'), path.join(folder.fsPath, 'inner.md'));
        await symlink(outside, path.join(folder.fsPath, 'outer.md'));
        const inner = await inspect(vscode.Uri.joinPath(folder, 'inner.md'));
        const outer = await inspect(vscode.Uri.joinPath(folder, 'outer.md'));
        const direct = await inspect(vscode.Uri.file(outside));
        assert.deepEqual([inner.concerns, outer.concerns], [['link'], ['link', 'outside']]);
        assert.equal(path.basename(outer.realUri.fsPath), 'outside.md');
        assert.deepEqual(direct.concerns, ['outside']);
        for (const candidate of [inner, outer, direct]) await candidate.file.opened.close();
      } finally {
        await rm(outside, { force: true });
      }
    });

    it('behind a link to a secret is a secret [attack: secrets]', async () => {
      const folder = await createFolder({ '.env': 'TOKEN=1' });
      await symlink(path.join(folder.fsPath, '.env'), path.join(folder.fsPath, 'notes.txt'));
      const candidate = await inspect(vscode.Uri.joinPath(folder, 'notes.txt'));
      assert.equal(candidate.secret, 'name');
      await candidate.file.opened.close();
    });

    it('an empty file is refused [fault 45]', async () => {
      const folder = await createFolder({ 'a.md': '' });
      await assert.rejects(inspect(vscode.Uri.joinPath(folder, 'a.md')), /empty/);
    });

    it('is reopened with its current content for Retry, unless it became a secret or a link', async () => {
      const folder = await createFolder({ 'a.txt': 'text', 'b.txt': 'other' });
      const file = path.join(folder.fsPath, 'a.txt');
      const candidate = await inspect(vscode.Uri.file(file));
      await writeFile(file, 'more text');
      const again = await candidate.file.reopen();
      assert.equal(again.body.size, 9);
      await writeFile(file, '-----BEGIN PRIVATE KEY-----');
      await assert.rejects(candidate.file.reopen(), FileChangedError);
      await rm(file);
      await assert.rejects(candidate.file.reopen(), FileChangedError);
      await symlink(path.join(folder.fsPath, 'b.txt'), file);
      await assert.rejects(candidate.file.reopen(), FileChangedError);
      await Promise.all([again.close(), candidate.file.opened.close()]);
    });
  });

  describe('an editor', () => {
    const textOf = async (uri: vscode.Uri) => {
      const { file } = await inspectFile(uri, new GitIgnore());
      return {
        name: file.name,
        unsaved: file.unsaved,
        text: await new Response(await file.opened.body.open()).text(),
      };
    };

    it('an editor’s unsaved changes are uploaded', async () => {
      const folder = await createFolder({ 'a.md': 'saved' });
      const uri = vscode.Uri.joinPath(folder, 'a.md');
      const editor = await vscode.window.showTextDocument(uri);
      assert.deepEqual(await textOf(uri), { name: 'a.md', unsaved: undefined, text: 'saved' });
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'un'));
      assert.deepEqual(await textOf(uri), { name: 'a.md', unsaved: true, text: 'unsaved' });
      assert.equal(await readFile(uri.fsPath, 'utf8'), 'saved');
      await editor.document.save();
    });

    it('an editor without a file is named after its first line and language', async () => {
      const open = (language: string, content: string) =>
        vscode.workspace.openTextDocument({ language, content });
      const plan = await open('markdown', '\n# My plan: 1/2\n\nText');
      assert.equal(getDocumentName(plan), 'My plan 1 2.md');
      assert.deepEqual(await textOf(plan.uri), {
        name: 'My plan 1 2.md',
        unsaved: true,
        text: '\n# My plan: 1/2\n\nText',
      });
      assert.equal(getDocumentName(await open('plaintext', 'Notes\nmore')), 'Notes.txt');
      assert.match(getDocumentName(await open('javascript', '// Adds one */')), /^Adds one\.\w+$/);
      assert.match(getDocumentName(await open('plaintext', ' \n')), /^Untitled-\d+\.txt$/);
    });
  });
});
