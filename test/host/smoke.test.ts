import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('Parley in the extension host', () => {
  it('is there and activates', async () => {
    const extension = vscode.extensions.getExtension('parley.parley');
    assert.ok(extension, 'VS Code knows no parley.parley');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers each command that its manifest contributes', async () => {
    const extension = vscode.extensions.getExtension('parley.parley');
    await extension?.activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const contributed: { command: string }[] = extension?.packageJSON.contributes?.commands ?? [];
    assert.notEqual(contributed.length, 0);
    assert.deepEqual(
      contributed.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });
});
