import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Command, Setting, View } from '../../src/host/names';

interface Manifest {
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { scope: string }> };
    menus: Record<string, { command?: string; submenu?: string }[]>;
    submenus: { id: string }[];
    views: Record<string, { id: string }[]>;
  };
}

describe('The manifest', () => {
  const extension = vscode.extensions.getExtension('parley.parley');
  const { contributes }: Manifest = extension?.packageJSON ?? assert.fail('VS Code knows no parley.parley');

  it('names the commands that the code registers, no more and no less', async () => {
    await extension?.activate();
    assert.equal(extension?.isActive, true);
    const declared = contributes.commands.map(({ command }) => command).toSorted();
    assert.deepEqual(declared, Object.values(Command).toSorted());
    const registered = await vscode.commands.getCommands(true);
    assert.deepEqual(
      declared.filter((command) => !registered.includes(command)),
      [],
    );
  });

  it('shows only its own commands in menus', () => {
    const declared = new Set(contributes.commands.map(({ command }) => command));
    const submenus = new Set(contributes.submenus.map(({ id }) => id));
    for (const items of Object.values(contributes.menus)) {
      for (const { command, submenu } of items) {
        assert.ok(submenu === undefined ? declared.has(command ?? '') : submenus.has(submenu), command);
      }
    }
  });

  it('has the view and the settings that the code reads, the base URL out of any workspace’s reach [attack: workspace settings]', () => {
    assert.deepEqual(
      contributes.views.parley?.map(({ id }) => id),
      [View.chat],
    );
    const { properties } = contributes.configuration;
    const { section, ...settings } = Setting;
    assert.deepEqual(
      Object.keys(properties).toSorted(),
      Object.values(settings)
        .map((name) => `${section}.${name}`)
        .toSorted(),
    );
    assert.equal(properties['parley.baseUrl']?.scope, 'application');
  });
});
