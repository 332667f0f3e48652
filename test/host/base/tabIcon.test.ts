import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { EXTENSION_ID } from '../../../src/host/base/names';
import { getTabIcon } from '../../../src/host/base/tabIcon';

describe('The icon of an editor tab', () => {
  it('has a color of its own for light and for dark themes', async () => {
    const { extensionUri } = vscode.extensions.getExtension(EXTENSION_ID) ?? {};
    assert.ok(extensionUri);
    const { light, dark } = getTabIcon(extensionUri);
    const colors = [];
    for (const file of [light, dark]) {
      const svg = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      colors.push(/stroke="([^"]*)"/.exec(svg)?.[1]);
    }
    assert.deepEqual(colors, ['#424242', '#c5c5c5']);
  });
});
