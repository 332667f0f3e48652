import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import path from 'node:path';
import * as vscode from 'vscode';
import { Command, EXTENSION_ID, View } from '../../src/host/base/names';
import { until } from './support/until';

/** For so many ms a host that is idle makes no timer. Longer than any answer that a chain of timers may wait for. */
const IDLE_MS = 1000;

describe('An idle extension host', () => {
  const { extensionPath } = vscode.extensions.getExtension(EXTENSION_ID) ?? assert.fail('No Parley');
  // With a source map and without one.
  const sources = ['src', 'dist/host'].map((folder) => path.join(extensionPath, folder, path.sep));
  /** Where each timer of Parley's was made that hasn't ended. */
  const pending = new Map<number, string>();
  /** Its timers so far. */
  let made = 0;

  const hook = createHook({
    init(id, type) {
      if (type !== 'Timeout') return;
      const { stack = '' } = new Error();
      if (!sources.some((folder) => stack.includes(folder))) return;
      made++;
      pending.set(id, stack);
    },
    destroy: (id) => pending.delete(id),
  });

  before(() => hook.enable());
  after(() => hook.disable());

  it('has no timer of Parley’s, with the panel open', async () => {
    await vscode.commands.executeCommand(Command.newConversation);
    await vscode.commands.executeCommand(`${View.chat}.focus`);
    // Opening takes a while; a host that never rests ends at the test's own limit.
    let before: number;
    do {
      await until(() => made > 0 && pending.size === 0);
      before = made;
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    } while (made > before);
    assert.deepEqual([...pending.values()], []);
  });
});
