import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { PROPOSAL_SCHEME } from '../../../src/host/base/names';
import { registerFeatures } from '../../../src/host/features';
import type { HostPage } from '../../../src/host/panel/page/hostPage';
import { closeEditors } from '../support/closeEditors';
import { useServices } from '../support/testServices';
import { until } from '../support/until';

describe('A page that was taken over', () => {
  const startServices = useServices();

  for (const type of ['insertAtCursor', 'replaceSelection'] as const) {
    it(`changes no file by ${type} after it opened the file [attack: page edits]`, async () => {
      const name = `page-edits-${type}.txt`;
      const file = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', name);
      await writeFile(file, 'one\n');
      const fixture = await startServices();
      try {
        const handlers = registerFeatures(fixture.services).intents;
        const page = { conversationId: fixture.services.chat.createConversation(undefined).id } as HostPage;
        const { signal } = new AbortController();
        await handlers.openFile({ type: 'openFile', path: name }, page, signal);
        void handlers[type]({ type, text: 'two' } as never, page, signal);
        const input = await until(() => {
          const found = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
          return (
            found instanceof vscode.TabInputTextDiff && found.modified.scheme === PROPOSAL_SCHEME && found
          );
        });
        // The editor is reported after its tab; closed before, it would be the active one in the next test.
        await until(() => vscode.window.activeTextEditor?.document.uri.scheme === PROPOSAL_SCHEME);
        const document = await vscode.workspace.openTextDocument(input.original);
        assert.deepEqual([document.getText(), document.isDirty], ['one\n', false]);
      } finally {
        await closeEditors();
        await vscode.commands.executeCommand('notifications.clearAll');
        await fixture.close();
        await rm(file, { force: true });
      }
    });
  }
});
