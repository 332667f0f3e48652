import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import path from 'node:path';
import * as vscode from 'vscode';
import { EXTENSION_ID, View } from '../../src/host/base/names';
import { until } from './support/until';

/** How long an idle host must not create a timer. Longer than any response that a chain of timers waits for. */
const IDLE_MS = 1000;

describe('An idle extension host', () => {
  const { extensionPath } = vscode.extensions.getExtension(EXTENSION_ID) ?? assert.fail('No Parley');
  // Stack traces with and without a source map.
  const sources = ['src', 'dist/host'].map((folder) => path.join(extensionPath, folder, path.sep));
  /** Stack traces of Parley's pending timers, by async id. */
  const pending = new Map<number, string>();
  /** The number of Parley's timers created so far. */
  let created = 0;

  const hook = createHook({
    init(id, type) {
      if (type !== 'Timeout') return;
      const { stack = '' } = new Error();
      if (!sources.some((folder) => stack.includes(folder))) return;
      created++;
      pending.set(id, stack);
    },
    destroy: (id) => pending.delete(id),
  });

  before(() => hook.enable());
  after(() => hook.disable());

  it('has no pending timer of Parley while the panel is open', async () => {
    await vscode.commands.executeCommand('parley.newConversation');
    await vscode.commands.executeCommand(`${View.chat}.focus`);
    // Opening takes a while; a host that never gets idle fails by the test's timeout.
    let before: number;
    do {
      await until(() => created > 0 && pending.size === 0);
      before = created;
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    } while (created > before);
    assert.deepEqual([...pending.values()], []);
  });
});
