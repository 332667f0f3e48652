import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getPathInFolder, isInFolder } from '../../../src/host/platform/folderPaths';

describe('getPathInFolder', () => {
  const parse = (uri: string) => vscode.Uri.parse(uri, true);
  const get = (folder: string, uri: string) => getPathInFolder(parse(folder), parse(uri));

  it('returns the path from a folder to a file in it, whatever the root and the slash at its end', () => {
    for (const root of [
      'file:///w',
      'memfs:/w',
      'vscode-test-web://mount/w',
      'vscode-remote://host+a/w',
      'file:///c:/w',
    ]) {
      for (const folder of [root, `${root}/`]) {
        assert.equal(get(folder, `${root}/a.ts`), 'a.ts', folder);
        assert.equal(get(folder, `${root}/in/b%20c.ts`), 'in/b c.ts', folder);
        assert.equal(get(folder, root), '', folder);
        assert.equal(get(folder, `${root}/`), '', folder);
      }
    }
  });

  it('returns it for a folder that is the root of its file system', () => {
    for (const root of [
      'file:///',
      'memfs:/',
      'vscode-test-web://mount/',
      'vscode-test-web://mount',
      'file:///c:/',
    ]) {
      const file = `${root}${root.endsWith('/') ? '' : '/'}in/a.ts`;
      assert.equal(get(root, file), 'in/a.ts', root);
      assert.equal(get(root, root), '', root);
    }
  });

  it('returns nothing for a file elsewhere', () => {
    for (const [folder, uri] of [
      ['file:///w', 'file:///'],
      ['file:///w', 'file:///wa/b.ts'],
      ['file:///w/', 'file:///wa/b.ts'],
      ['file:///w', 'file:///x/w/b.ts'],
      ['file:///w/in', 'file:///w/b.ts'],
      ['file:///', 'memfs:/a.ts'],
      ['file:///', 'file://server/a.ts'],
      ['vscode-test-web://mount/', 'vscode-test-web://other/a.ts'],
      ['file:///c:/', 'file:///d:/a.ts'],
    ] as const) {
      assert.equal(get(folder, uri), undefined, `${uri} in ${folder}`);
    }
  });

  it('distinguishes cases, except of a drive on Windows', () => {
    assert.equal(get('file:///W', 'file:///w/a.ts'), undefined);
    assert.equal(get('file:///w', 'file:///w/A.ts'), 'A.ts');
    const folder = vscode.Uri.from({ scheme: 'file', path: '/C:/Plans' });
    assert.equal(
      getPathInFolder(folder, vscode.Uri.from({ scheme: 'file', path: '/c:/Plans/a.ts' })),
      'a.ts',
    );
    assert.equal(isInFolder(folder, vscode.Uri.from({ scheme: 'file', path: '/c:/plans/a.ts' })), false);
  });
});
