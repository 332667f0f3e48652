import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import * as vscode from 'vscode';
import { Command, EXTENSION_ID, View } from '../../src/host/names';
import { until } from './support/until';

/** ms: longer than any of the delays in which what was said is gathered and saved. */
const LOOK = 3000;

describe('An idle extension host', () => {
  const folder = vscode.extensions.getExtension(EXTENSION_ID)?.extensionPath ?? assert.fail('No Parley');
  /** Where each timer of the extension under test was made that hasn't ended. */
  const pending = new Map<number, string>();
  /** Timers that it has made so far. */
  let made = 0;

  const hook = createHook({
    init(id, type) {
      if (type !== 'Timeout') return;
      const { stack = '' } = new Error();
      // Tests bundle the same sources for themselves.
      const isOurs = stack.includes(folder) && !/[\\/](dist[\\/])?test[\\/]/.test(stack);
      if (!isOurs) return;
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
    await until(() => made > 0 && pending.size === 0);
    const before = made;
    await new Promise((resolve) => setTimeout(resolve, LOOK));
    assert.deepEqual([...pending.values()], []);
    assert.equal(made, before);
  });
});
