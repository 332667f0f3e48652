import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/chat/base/emitter';
import { readParleyJsons } from '../../../src/host/parleyJson/readParleyJson';
import { WorkspaceProposal } from '../../../src/host/parleyJson/workspaceProposal';
import type { ConfiguredService } from '../../../src/host/service/serviceList';
import { MemoryState } from '../support/memory';
import { until } from '../support/until';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const file = path.join(root, '.vscode', 'parley.json');
const baseUrl = 'https://bots.example.com/api/v1';

describe('The service that .vscode/parley.json proposes', () => {
  let memory: vscode.Memento;
  let known: ConfiguredService[];
  let proposals: WorkspaceProposal[];

  const open = async () => {
    const proposal = new WorkspaceProposal({
      memory,
      serviceList: {
        find: (url) => known.find(({ baseUrl: knownUrl }) => knownUrl === url),
        onDidChange: new Emitter<void>().on,
      },
      onError: (error) => assert.fail(String(error)),
    });
    proposals.push(proposal);
    await proposal.whenRead();
    return proposal;
  };
  const write = (value: unknown) => writeFile(file, JSON.stringify(value));

  beforeEach(async () => {
    memory = new MemoryState();
    known = [];
    proposals = [];
    await mkdir(path.dirname(file), { recursive: true });
  });
  afterEach(async () => {
    for (const proposal of proposals) proposal.dispose();
    await rm(path.dirname(file), { recursive: true, force: true });
  });

  it('is shown with its host, and followed while the file changes', async () => {
    const proposal = await open();
    assert.equal(proposal.view, undefined);
    await write({ service: { name: 'Example', baseUrl } });
    await until(() => proposal.view?.host === 'bots.example.com');
    await write({ service: { name: 'Example', baseUrl: 'https://other.example.com/api/v1' } });
    await until(() => proposal.view?.host === 'other.example.com');
    await rm(file);
    await until(() => proposal.view === undefined);
  });

  it('is found when its folder is created with it', async () => {
    await rm(path.dirname(file), { recursive: true });
    const proposal = await open();
    await mkdir(path.dirname(file));
    await write({ service: { baseUrl } });
    await until(() => proposal.view?.host === 'bots.example.com');
  });

  it('is not shown if it is set up already', async () => {
    known = [{ name: 'Example', baseUrl, origin: 'https://bots.example.com', host: 'bots.example.com' }];
    await write({ service: { baseUrl } });
    assert.equal((await open()).view, undefined);
  });

  it('is shown again in the next session after Not Now, and never after Don’t Ask for This Workspace', async () => {
    await write({ service: { baseUrl } });
    const first = await open();
    await first.decline(false);
    assert.equal(first.view, undefined);
    const second = await open();
    assert.ok(second.view);
    await second.decline(true);
    assert.equal((await open()).view, undefined);
    // Another service is another question.
    await write({ service: { baseUrl: 'https://other.example.com/api/v1' } });
    assert.ok((await open()).view);
  });

  it('is not read in an untrusted workspace, through a link out of the workspace, or if the file is too large [attack: parley.json]', async () => {
    await write({ service: { baseUrl } });
    assert.deepEqual(await readParleyJsons(false), []);
    await write({ service: { baseUrl }, padding: ' '.repeat(256 * 1024) });
    assert.deepEqual(await readParleyJsons(), []);
    const outside = path.join(path.dirname(root), 'outside-parley.json');
    await writeFile(outside, JSON.stringify({ service: { baseUrl } }));
    await rm(file);
    await symlink(outside, file);
    try {
      assert.deepEqual(await readParleyJsons(), []);
    } finally {
      await rm(outside);
    }
  });

  it('comes with the bot of each file: the first whose globs match', async () => {
    const bots = [
      { id: 'billing', name: 'Billing', for: ['billing/**', '*.invoice.md'] },
      { id: 'guide', for: ['**/*.md'] },
    ];
    await write({ bots });
    const proposal = await open();
    const find = async (name: string) => {
      const found = await proposal.findBotForFile(vscode.Uri.file(path.join(root, name)));
      return found && [found.bot.id, found.glob];
    };
    assert.deepEqual(await find('billing/deep/a.ts'), ['billing', 'billing/**']);
    assert.deepEqual(await find('docs/a.md'), ['guide', '**/*.md']);
    assert.equal(await find('src/a.ts'), undefined);
    assert.equal(await find('../billing/a.ts'), undefined);
  });
});
