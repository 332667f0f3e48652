import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { toConversationView } from '../../../src/host/panel/page/turnView';
import type { Source } from '../../../src/shared/view/viewModel';
import { RecordedWindow } from '../support/recordedWindow';
import { ReportedFiles } from '../support/reportedFiles';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const folder = path.join(root, 'sources');
const file = path.join(folder, 'pricing.md');

describe('A reply whose source has changed', () => {
  const start = useServices({ profile: 'hosted', listingMs: 0, conversionMs: 0 });
  let started: TestServices;
  let recorded: RecordedWindow;
  let id: string;

  before(async () => {
    const reported = new ReportedFiles();
    await reported.create(folder, mkdir);
    reported.dispose();
  });
  after(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    await writeFile(file, 'The zebra costs ten.\n');
    started = await start();
    recorded = new RecordedWindow(({ by, buttons, items }) =>
      by === 'QuickPick' ? items[0] : by === 'Warning' ? buttons[0] : undefined,
    );
    const { chat, panel } = started.services;
    ({ id } = chat.createConversation({ id: 'guide', name: 'Guide', baseUrl: started.service.baseUrl }));
    panel.getCurrentConversationId = async () => id;
    panel.moveFocus = async () => undefined;
  });
  afterEach(async () => {
    started.services.sourceWatch.show(new Set());
    recorded.dispose();
    await started.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // The folder itself stays watched.
    for (const name of await readdir(folder)) await rm(path.join(folder, name));
  });

  const find = () => {
    const conversation = started.services.chat.findConversation(id);
    assert.ok(conversation);
    return conversation;
  };
  const replies = () => find().turns.filter((turn) => turn.kind === 'reply');
  const documents = () => find().turns.filter((turn) => turn.kind === 'document');
  const getSource = (): Source | undefined => {
    const turn = toConversationView(find()).turns.find(({ kind }) => kind === 'reply');
    return turn?.kind === 'reply' ? turn.sources?.[0] : undefined;
  };
  const uploadAndAsk = async () => {
    const { services } = started;
    await (await services.getUploadActions()).attach([vscode.Uri.file(file)]);
    services.documentStatus.setVisible(new Set([id]));
    await until(() => documents()[0]?.documentId !== undefined && documents()[0]?.status === 'synced');
    await services.replies.send(id, 'What does the zebra cost?');
    await until(() => replies()[0]?.sourceFiles !== undefined);
    services.sourceWatch.show(new Set([id]));
  };
  /** Waits until the text is kept, for which its file is read again after the upload. */
  const waitForKeptText = () => {
    const kept = path.join(started.globalStorage, 'documentVersions', `${documents()[0]?.sha256}.txt`);
    return until(() => existsSync(kept));
  };

  it('remembers the digest of what was uploaded, and says so when its file changes, and when it is gone', async () => {
    await uploadAndAsk();
    assert.deepEqual(
      replies()[0]?.sourceFiles?.map(({ uri, sha256 }) => [uri, sha256]),
      [[vscode.Uri.file(file).toString(), documents()[0]?.sha256]],
    );
    assert.equal(getSource()?.since, undefined);
    await writeFile(file, 'The zebra costs twenty.\n');
    await until(() => getSource()?.since === 'changed');
    await rm(file);
    await until(() => getSource()?.since === 'gone');
    await writeFile(file, 'The zebra costs ten.\n');
    await until(() => getSource()?.since === undefined);
  });

  it('shows what has changed, and is marked after the update, but not rewritten', async () => {
    await uploadAndAsk();
    const text = replies()[0]?.text;
    await waitForKeptText();
    await writeFile(file, 'The zebra costs twenty.\n');
    await until(() => getSource()?.hasChanges === true);
    await (await started.services.getSourceChanges()).keptVersions.showChanges(id, replies()[0]?.id ?? '', 0);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const then = await vscode.workspace.openTextDocument(input.original);
    assert.equal(then.getText(), 'The zebra costs ten.\n');
    assert.equal(input.modified.fsPath, vscode.Uri.file(file).fsPath);
    await (await started.services.getDocumentFiles()).updateDocument(id, documents()[0]?.id ?? '');
    await until(() => getSource()?.since === 'updated');
    assert.equal(replies()[0]?.text, text);
  });

  it('shows what has changed once a text is kept that was uploaded from an unsaved editor', async () => {
    const uploaded = 'The zebra costs twelve.\n';
    const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file));
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, [vscode.TextEdit.replace(new vscode.Range(0, 0, 1, 0), uploaded)]);
    await vscode.workspace.applyEdit(edit);
    await uploadAndAsk();
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(() => getSource()?.since === 'changed');
    assert.equal(getSource()?.hasChanges, undefined);
    const copy = path.join(folder, 'copy.md');
    await writeFile(copy, uploaded);
    await (await started.services.getUploadActions()).attach([vscode.Uri.file(copy)]);
    await until(() => getSource()?.hasChanges === true);
  });

  it('is neither watched nor read in Restricted Mode, until the workspace is trusted', async () => {
    const { workspace } = vscode;
    const granting = new vscode.EventEmitter<void>();
    const watched: string[] = [];
    const { createFileSystemWatcher } = workspace;
    let isTrusted = false;
    const replaced = {
      isTrusted: { get: () => isTrusted },
      onDidGrantWorkspaceTrust: { get: () => granting.event },
      createFileSystemWatcher: {
        get: () => (pattern: vscode.RelativePattern) => {
          watched.push(pattern.pattern);
          return createFileSystemWatcher(pattern);
        },
      },
    };
    const before = Object.keys(replaced).map(
      (name) => [name, Object.getOwnPropertyDescriptor(workspace, name) ?? assert.fail(name)] as const,
    );
    for (const [name, property] of Object.entries(replaced))
      Object.defineProperty(workspace, name, { configurable: true, ...property });
    try {
      await uploadAndAsk();
      const { changedSources } = await started.services.getSourceChanges();
      await writeFile(file, 'The zebra costs twenty.\n');
      changedSources.show(new Set([id]));
      assert.deepEqual([watched, find().sourceStates], [[], undefined]);
      isTrusted = true;
      granting.fire();
      await until(() => getSource()?.since === 'changed');
    } finally {
      for (const [name, property] of before) Object.defineProperty(workspace, name, property);
    }
  });

  it('is marked after a sync of the documents, whose new versions are no turns of the conversation', async () => {
    const parleyJson = path.join(root, '.vscode', 'parley.json');
    await mkdir(path.dirname(parleyJson), { recursive: true });
    await writeFile(parleyJson, JSON.stringify({ documents: { files: ['sources/*.md'] } }));
    recorded.dispose();
    recorded = new RecordedWindow(({ by, items }) => {
      if (by !== 'QuickPick') return undefined;
      const picked = items.filter((item) => item.picked);
      // The folder picker takes one item.
      return picked.length > 0 ? picked : items[0];
    });
    const { services } = started;
    try {
      await until(async () => (await services.workspaceProposal.readFiles()).length > 0);
      const { actions } = await services.getDocumentSync();
      await actions.sync();
      await services.replies.send(id, 'What does the zebra cost?');
      await until(() => replies()[0]?.sourceFiles !== undefined);
      assert.deepEqual(documents(), []);
      services.sourceWatch.show(new Set([id]));
      await writeFile(file, 'The zebra costs twenty.\n');
      await until(() => getSource()?.since === 'changed');
      await actions.sync();
      await until(() => getSource()?.since === 'updated');
      // The service has the version of before.
      await writeFile(file, 'The zebra costs thirty.\n');
      await until(() => getSource()?.since === 'changed');
    } finally {
      await rm(path.dirname(parleyJson), { recursive: true });
    }
  });
});
