import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findPlaceConcerns, isInWorkspace } from '../../../src/host/platform/workspacePlace';
import { SilentFileSystem } from '../support/silentFileSystem';

const SCHEME = 'parley-root';

describe('A workspace folder that is the root of its file system', () => {
  const root = vscode.Uri.from({ scheme: SCHEME, authority: 'mount', path: '/' });
  const file = vscode.Uri.joinPath(root, 'in', 'a.txt');
  const { getWorkspaceFolder } = vscode.workspace;
  const openFolders = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders') ?? {};
  let registration: vscode.Disposable;

  before(() => {
    const fileSystem = new SilentFileSystem();
    registration = vscode.workspace.registerFileSystemProvider(SCHEME, fileSystem);
    fileSystem.createDirectory(vscode.Uri.joinPath(root, 'in'));
    fileSystem.writeFile(file, new Uint8Array([1]));
    const folder = { uri: root, name: 'mount', index: 0 };
    // Opening another workspace would restart the extension host.
    Object.defineProperty(vscode.workspace, 'workspaceFolders', { configurable: true, get: () => [folder] });
    vscode.workspace.getWorkspaceFolder = ({ scheme }) => (scheme === SCHEME ? folder : undefined);
  });
  after(() => {
    Object.defineProperty(vscode.workspace, 'workspaceFolders', openFolders);
    vscode.workspace.getWorkspaceFolder = getWorkspaceFolder;
    registration.dispose();
  });

  it('has its files inside the workspace, without a question', async () => {
    assert.deepEqual(await findPlaceConcerns(file, file), []);
    assert.equal(await isInWorkspace(file), true);
  });

  it('has no file of another file system inside', async () => {
    const other = file.with({ authority: 'other' });
    assert.deepEqual(await findPlaceConcerns(file, other), ['outside']);
  });
});
