import assert from 'node:assert/strict';
import { rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { filterExistingFiles, showWorkspaceFile } from '../../../src/host/editor/workspaceFiles';

describe('Workspace files', () => {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const root = folder?.uri.fsPath ?? '';
  const outside = path.join(path.dirname(root), 'outside.txt');

  before(async () => {
    await writeFile(outside, 'not of the workspace');
    await symlink(path.join(root, 'notes.txt'), path.join(root, 'link.txt'));
    await symlink(outside, path.join(root, 'outer.txt'));
    await symlink(path.dirname(root), path.join(root, 'above'));
  });
  after(async () => {
    await rm(outside, { force: true });
    for (const link of ['link.txt', 'outer.txt', 'above']) await rm(path.join(root, link), { force: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are found by relative path, also with ./ or the folder’s name, and by the path of a link', async () => {
    const paths = ['src/app.ts', './src/app.ts', 'src\\app.ts', `${folder?.name}/src/app.ts`, 'link.txt'];
    assert.deepEqual(await filterExistingFiles([...paths, 'src', 'none.ts', 'src/none.ts']), paths);
  });

  it('are not found outside the workspace, not even by a link [attack: symlink]', async () => {
    const ways = [
      '../outside.txt',
      './../outside.txt',
      'src/../../outside.txt',
      '..\\outside.txt',
      'src\\..\\..\\outside.txt',
      `${folder?.name}/../../outside.txt`,
      outside,
      `/${outside}`,
      `file://${outside}`,
      `C:${outside}`,
      'C:\\Windows\\win.ini',
      `\\\\host\\share\\x.txt`,
      '/etc/passwd',
      '//etc/passwd',
      'src/app.ts\0.png',
      'src//app.ts',
      '',
      '.',
      '..',
      'outer.txt',
      'above/outside.txt',
    ];
    assert.deepEqual(await filterExistingFiles(ways), []);
  });

  it('are not looked for by a path with a noncharacter or a lone surrogate, which ends the process on Windows [attack: file name]', async () => {
    const names = ['a\u{10ffff}.txt', '\ufdd0.txt'];
    try {
      for (const name of names) await writeFile(path.join(root, name), 'here');
      assert.deepEqual(await filterExistingFiles([...names, 'a\ud83d.txt', 'src/\ufffe/a.ts']), []);
    } finally {
      for (const name of names) await rm(path.join(root, name), { force: true });
    }
  });

  it('open at the given line', async () => {
    await showWorkspaceFile('notes.txt', 2);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor && vscode.workspace.asRelativePath(editor.document.uri), 'notes.txt');
    assert.equal(editor?.selection.active.line, 1);
  });

  it('don’t open if they don’t exist', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await showWorkspaceFile('../outside.txt');
    await showWorkspaceFile('none.ts', 3);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });
});
