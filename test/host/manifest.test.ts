import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Command, Context, Setting, View } from '../../src/host/base/names';
import { registerFeatures } from '../../src/host/features';
import { useServices } from './support/testServices';

interface Manifest {
  contributes: {
    commands: { command: string; enablement?: string }[];
    keybindings: { command: string; key: string; mac: string; when?: string }[];
    configuration: { properties: Record<string, { scope: string }> };
    menus: Record<string, { command?: string; submenu?: string; when?: string }[]>;
    submenus: { id: string }[];
    views: Record<string, { id: string }[]>;
    walkthroughs: { steps: { completionEvents: string[] }[] }[];
  };
}

const VIEW_PREFIX = 'parley.view.';

describe('The manifest', () => {
  const startServices = useServices();
  const extension = vscode.extensions.getExtension('parley.parley');
  const { contributes }: Manifest =
    extension?.packageJSON ?? assert.fail('VS Code has no extension parley.parley');

  /** The commands in the view's title bar and its menus. */
  const viewCommands = contributes.commands.flatMap(({ command }) =>
    command.startsWith(VIEW_PREFIX) ? [command] : [],
  );
  const toPublicCommand = (id: string) => id.replace(VIEW_PREFIX, 'parley.');

  it('declares exactly the commands that the features handle, and VS Code knows them once Parley is active', async () => {
    await extension?.activate();
    assert.equal(extension?.isActive, true);
    const declared = contributes.commands.map(({ command }) => command);
    const fixture = await startServices();
    const handled = [...registerFeatures(fixture.services).commands.keys()].map((name) => `parley.${name}`);
    await fixture.close();
    assert.deepEqual([...new Set(declared.map(toPublicCommand))].toSorted(), handled.toSorted());
    assert.equal(new Set(declared).size, handled.length + viewCommands.length);
    assert.deepEqual(
      Object.values(Command).filter((command) => !handled.includes(command)),
      [],
    );
    const registered = await vscode.commands.getCommands(true);
    assert.deepEqual(
      declared.filter((command) => !registered.includes(command)),
      [],
    );
  });

  it('has only declared commands in menus', () => {
    const declared = new Set(contributes.commands.map(({ command }) => command));
    const submenus = new Set(contributes.submenus.map(({ id }) => id));
    for (const items of Object.values(contributes.menus)) {
      for (const { command, submenu } of items) {
        assert.ok(submenu === undefined ? declared.has(command ?? '') : submenus.has(submenu), command);
      }
    }
  });

  it('has commands of its own in the view’s title bar, like those of the same names, and hides them from the palette', () => {
    const { commands, keybindings, menus } = contributes;
    const hidden = menus.commandPalette?.flatMap(({ command, when }) => (when === 'false' ? [command] : []));
    assert.ok(viewCommands.length > 10);
    for (const id of viewCommands) {
      const original = commands.find(({ command }) => command === toPublicCommand(id)) ?? assert.fail(id);
      const copy = JSON.stringify({ ...original, command: id });
      const declared = commands.find(({ command }) => command === id);
      assert.equal(JSON.stringify(declared), copy.replace(Context.hasTurns, Context.viewHasTurns));
      assert.ok(hidden?.includes(id), id);
    }
    // With the same keys and a narrower condition: of two rules with one condition, VS Code shows only the last in menus.
    const findKeys = (id: string) =>
      keybindings.filter(({ command }) => command === id).map(({ key, mac }) => ({ key, mac }));
    for (const id of viewCommands) assert.deepEqual(findKeys(id), findKeys(toPublicCommand(id)), id);
    const isOwn = (command: string) => /^parley\.(?:view\.|showLog$)/.test(command);
    for (const menu of ['view/title', 'parley.viewShare']) {
      for (const { command } of menus[menu] ?? assert.fail(menu))
        assert.ok(!command || isOwn(command), command);
    }
  });

  it('uses only context keys that the code sets, and has keybindings only within its pages, but for the one that opens Parley', () => {
    const { commands, keybindings, menus, walkthroughs } = contributes;
    const clauses = [
      ...commands.map(({ enablement }) => enablement),
      ...keybindings.map(({ when }) => when),
      ...Object.values(menus).flatMap((items) => items.map(({ when }) => when)),
      ...walkthroughs.flatMap(({ steps }) => steps.flatMap(({ completionEvents }) => completionEvents)),
    ];
    // Context keys only: names in quotes or after `==` are values.
    const keys = clauses.flatMap((clause = '') =>
      [...clause.matchAll(/(?<![\w.'-]|== ?)parley\.\w+(?!')/g)].map(([key]) => key),
    );
    const contextKeys: readonly string[] = Object.values(Context);
    assert.deepEqual(
      keys.filter((key) => !contextKeys.includes(key)),
      [],
    );
    assert.ok(keys.length > 5);
    for (const { command, when } of keybindings) {
      assert.ok(commands.some((declared) => declared.command === command));
      const isInPage = when === Context.focused || when?.startsWith(`${Context.focused} && `);
      assert.ok(command === 'parley.open' ? when === undefined : isInPage, command);
    }
  });

  it('has the view and the settings that the code reads, with a base URL that no workspace can set [attack: workspace settings]', () => {
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
