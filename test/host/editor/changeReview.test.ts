import assert from 'node:assert/strict';
import { rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { PROPOSAL_SCHEME } from '../../../src/host/base/names';
import { ChangeReview } from '../../../src/host/editor/changeReview';
import { closeEditors } from '../support/closeEditors';
import { until } from '../support/until';

describe('A proposed change', () => {
  const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  let review: ChangeReview;
  // Each test has its own file: VS Code takes a while to detect changes on disk.
  let count = 0;
  let name: string;

  before(() => {
    review = new ChangeReview();
  });
  beforeEach(() => {
    name = `review-${++count}.txt`;
  });
  after(() => review.dispose());
  afterEach(async () => {
    await closeEditors();
    await vscode.commands.executeCommand('notifications.clearAll');
    await rm(path.join(folder(), name), { force: true });
  });

  /** Opens the review and waits for its diff. Its notification is not answered. */
  const open = async (content: string, text: string, lines?: readonly [number, number]) => {
    await writeFile(path.join(folder(), name), content);
    void review.reviewChange(name, text, lines);
    const input = await until(() => {
      const found = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return found instanceof vscode.TabInputTextDiff && found.modified.scheme === PROPOSAL_SCHEME && found;
    });
    const proposal = await vscode.workspace.openTextDocument(input.modified);
    const document = await vscode.workspace.openTextDocument(input.original);
    return { uri: input.modified, proposed: proposal.getText(), document };
  };
  const diffs = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputTextDiff).length;

  it('is shown in a diff, and changes nothing before it is applied', async () => {
    const { proposed, document } = await open('one\n', 'two\n');
    assert.equal(proposed, 'two\n');
    assert.equal(document.getText(), 'one\n');
    assert.equal(document.isDirty, false);
  });

  it('is applied in the editor without saving, can be undone, and closes the diff', async () => {
    const { uri, document } = await open('one\n', 'two\n');
    await review.apply(uri);
    assert.deepEqual([document.getText(), document.isDirty, diffs()], ['two\n', true, 0]);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\n');
  });

  it('is not applied if the file became a link to a file outside the workspace [attack: symlink]', async () => {
    const outside = path.join(path.dirname(folder()), 'outside-review.txt');
    await writeFile(outside, 'one\n');
    try {
      const { uri, document } = await open('one\n', 'two\n');
      await rm(path.join(folder(), name));
      await symlink(outside, path.join(folder(), name));
      await review.apply(uri);
      const changed = vscode.workspace.textDocuments.filter(
        ({ uri, isDirty }) => isDirty && uri.scheme === 'file',
      );
      assert.deepEqual([changed.length, document.isDirty, diffs()], [0, false, 1]);
    } finally {
      await rm(outside, { force: true });
    }
  });

  it('is applied from the active diff if no proposal is passed', async () => {
    const { document } = await open('one\n', 'two\n');
    await review.apply(undefined);
    assert.equal(document.getText(), 'two\n');
  });

  it('replaces the given lines', async () => {
    const { uri, proposed, document } = await open('1\n2\n3\n4\n', 'two\nand a half\nthree\n', [2, 3]);
    assert.equal(proposed, '1\ntwo\nand a half\nthree\n4\n');
    await review.apply(uri);
    assert.equal(document.getText(), proposed);
  });

  it('keeps the line breaks of the file', async () => {
    const { uri, document } = await open('1\r\n2\r\n3\r\n', 'two\nand more\n', [2, 2]);
    await review.apply(uri);
    assert.equal(document.getText(), '1\r\ntwo\r\nand more\r\n3\r\n');
  });

  it('is not applied if the file was edited after it was opened', async () => {
    const { uri, document } = await open('one\n', 'two\n');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'typed ');
    await vscode.workspace.applyEdit(edit);
    await review.apply(uri);
    assert.equal(document.getText(), 'typed one\n');
  });

  it('a proposed change is applied only once', async () => {
    const { uri, document } = await open('one\n', 'two\n');
    await review.apply(uri);
    await vscode.commands.executeCommand('undo');
    await review.apply(uri);
    assert.equal(document.getText(), 'one\n');
  });

  it('is refused for a file that isn’t in the workspace', async () => {
    await review.reviewChange('../review.txt', 'text');
    await review.reviewChange('no-such-file.txt', 'text');
    await review.apply(vscode.Uri.parse(`${PROPOSAL_SCHEME}:/etc/hosts?1`));
    assert.equal(diffs(), 0);
  });
});
