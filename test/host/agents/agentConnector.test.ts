import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { platform } from '#platform';
import { Agent } from '../../../src/host/base/names';
import { closeEditors } from '../support/closeEditors';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';

describe('Connect an Agent…', () => {
  const startServices = useServices();
  const home = vscode.Uri.joinPath(
    vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder'),
    'home',
  );
  const file = vscode.Uri.joinPath(home, '.cursor', 'mcp.json');
  const before = platform.home;
  let parley: TestServices;
  let window: RecordedWindow;
  let choose: (shown: Shown) => unknown;

  beforeEach(async () => {
    Object.assign(platform, { home });
    parley = await startServices();
    window = new RecordedWindow((shown) => choose(shown));
  });
  afterEach(async () => {
    window.dispose();
    Object.assign(platform, { home: before });
    await parley.close();
    await closeEditors();
    await vscode.workspace.fs.delete(home, { recursive: true }).then(undefined, () => undefined);
  });

  const connect = async (agent: string, button: string) => {
    choose = ({ items, buttons }) =>
      items.find(({ label }) => label === agent) ?? buttons.find((each) => each === button);
    await (await parley.services.getAgentConnector()).connect();
  };
  const readConfig = async () => new TextDecoder().decode(await vscode.workspace.fs.readFile(file));

  it('shows the change, writes it into the agent’s file, and starts the server as the agent does', async () => {
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('{"mcpServers": {"a": {}}} // mine'));
    await connect('Cursor', 'Change File');
    const text = await readConfig();
    assert.match(text, /"a": \{\}[\s\S]*\/\/ mine/);
    const [, command = ''] = /"command": "([^"]+)"/.exec(text) ?? [];
    assert.ok(path.basename(command).startsWith('parley-mcp') || command === 'cmd', command);
    assert.ok(!text.includes(parley.service.key));
    assert.ok(
      window.texts.includes('Agents can reach Parley. Available bots: Guide, Echo'),
      window.texts.join('\n'),
    );
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ input }) => input));
    assert.ok(tabs.some((input) => input instanceof vscode.TabInputTextDiff));
    await connect('Cursor', 'Change File');
    assert.equal(await readConfig(), text);
    assert.ok(window.texts.includes('Cursor is already connected.'));
  });

  it('changes nothing unless the user says so, and copies instead if they want', async () => {
    await connect('Cursor', 'Copy');
    await assert.rejects(readConfig());
    assert.match(await vscode.env.clipboard.readText(), /"mcpServers"[\s\S]*parley-mcp/);
    await connect('Cursor', 'none');
    await assert.rejects(readConfig());
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('{"mcpServers": '));
    await connect('Cursor', 'Change File');
    assert.equal(await readConfig(), '{"mcpServers": ');
    assert.ok(window.texts.some((text) => text.includes('Parley can’t change')));
  });

  it('leaves a launcher and a server that only this user can change [attack: agents’ socket]', async function () {
    if (process.platform === 'win32') this.skip();
    await connect('Other', 'Copy');
    const [, command = ''] = /"command": "([^"]+)"/.exec(await vscode.env.clipboard.readText()) ?? [];
    assert.equal((await stat(command)).mode & 0o777, 0o700);
    assert.equal((await stat(path.dirname(command))).mode & 0o777, 0o700);
    assert.equal((await stat(path.join(path.dirname(command), 'server.js'))).mode & 0o777, 0o600);
    assert.ok(!(await readFile(command, 'utf8')).includes('extensions/'));
  });

  it('is a command, and VS Code itself starts the server of this window', async () => {
    assert.ok((await vscode.commands.getCommands(true)).includes('parley.connectAgent'));
    const extension = vscode.extensions.getExtension('parley.parley') ?? assert.fail();
    const { mcpServerDefinitionProviders } = extension.packageJSON.contributes;
    assert.deepEqual(mcpServerDefinitionProviders, [{ id: Agent.mcpProvider, label: 'Parley' }]);
    const host = (await parley.services.getAgentHost()) ?? assert.fail();
    const { command, args, env } = await host.getOwnServer();
    assert.deepEqual(
      [command, args.slice(1, 2), args.slice(3, 4)],
      [process.execPath, ['--windows'], ['--window']],
    );
    assert.equal(args[4], await host.listen());
    assert.deepEqual(
      Object.keys(env).filter((name) => /KEY|URL/.test(name)),
      [],
    );
  });
});
