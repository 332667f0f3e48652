import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Command, Context, Setting, View } from '../../src/host/base/names';

interface Manifest {
  contributes: {
    commands: { command: string; enablement?: string }[];
    keybindings: { command: string; when: string }[];
    configuration: { properties: Record<string, { scope: string }> };
    menus: Record<string, { command?: string; submenu?: string; when?: string }[]>;
    submenus: { id: string }[];
    views: Record<string, { id: string }[]>;
    walkthroughs: { steps: { completionEvents: string[] }[] }[];
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

  it('asks only for context keys that the code sets, and gives no key outside its own pages', () => {
    const { commands, keybindings, menus, walkthroughs } = contributes;
    const clauses = [
      ...commands.map(({ enablement }) => enablement),
      ...keybindings.map(({ when }) => when),
      ...Object.values(menus).flatMap((items) => items.map(({ when }) => when)),
      ...walkthroughs.flatMap(({ steps }) => steps.flatMap(({ completionEvents }) => completionEvents)),
    ];
    // Names that stand alone; those in quotes or after `==` are values.
    const keys = clauses.flatMap((clause = '') =>
      [...clause.matchAll(/(?<![\w.'-]|== ?)parley\.\w+(?!')/g)].map(([key]) => key),
    );
    const known: readonly string[] = Object.values(Context);
    assert.deepEqual(
      keys.filter((key) => !known.includes(key)),
      [],
    );
    assert.ok(keys.length > 5);
    for (const { command, when } of keybindings) {
      assert.ok(commands.some((each) => each.command === command));
      assert.equal(when, Context.focused, command);
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
