import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { provideTestExplorer } from '../../../src/host/botTests/testExplorer';
import { ReportedFiles } from '../support/reportedFiles';
import { until } from '../support/until';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

describe('The Test Explorer', () => {
  const folder = path.join(root, 'testExplorer');
  const create = vscode.tests.createTestController;
  const store: vscode.Disposable[] = [];

  afterEach(async () => {
    vscode.tests.createTestController = create;
    for (const disposable of store.splice(0)) disposable.dispose();
    await rm(folder, { recursive: true });
  });

  it('is shown once a bot test is created, but not for one in an excluded folder', async () => {
    const reported = new ReportedFiles();
    store.push(reported);
    await reported.create(folder, mkdir);
    const excluded = path.join(folder, 'node_modules');
    await reported.create(excluded, mkdir);
    let shown = 0;
    vscode.tests.createTestController = (_id, label) => {
      shown++;
      return create('test.testExplorer', label);
    };
    store.push(provideTestExplorer(() => Promise.reject(new Error('No tests are asked for.'))));
    const write = (file: string) => writeFile(file, '# One?\n- all: x\n');
    await reported.create(path.join(excluded, 'a.bot-test.md'), write);
    assert.equal(shown, 0);
    await write(path.join(folder, 'b.bot-test.md'));
    await until(() => shown > 0);
  });
});
