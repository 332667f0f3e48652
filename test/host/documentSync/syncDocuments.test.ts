import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { DocumentSyncView } from '../../../src/shared/view/viewModel';
import type { LocalServiceOptions } from '../../service/localService';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';
import { writeUntil } from '../support/writeUntil';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const docs = path.join(root, 'synced');
const parleyJson = path.join(root, '.vscode', 'parley.json');

function describeSync(what: string, options: LocalServiceOptions, tests: (getTest: () => SyncTest) => void) {
  describe(what, () => {
    const start = useServices(options);
    let test: SyncTest;
    beforeEach(async () => {
      await mkdir(path.join(docs, 'sub'), { recursive: true });
      await mkdir(path.dirname(parleyJson), { recursive: true });
      await writeFile(path.join(docs, 'a.md'), '# A');
      await writeFile(path.join(docs, 'sub', 'a.md'), '# Another A');
      await writeFile(parleyJson, JSON.stringify({ documents: { files: ['synced/**/*.md'] } }));
      test = new SyncTest(await start());
    });
    afterEach(async () => {
      await test.close();
      await rm(docs, { recursive: true, force: true });
      await rm(path.dirname(parleyJson), { recursive: true, force: true });
      await rm(path.join(root, '.git'), { recursive: true, force: true });
    });
    tests(() => test);
  });
}

/** Makes the workspace folder look like a clone of a repository. */
async function cloneFrom(address: string): Promise<void> {
  await mkdir(path.join(root, '.git'), { recursive: true });
  await writeFile(path.join(root, '.git', 'config'), `[remote "origin"]\n\turl = ${address}\n`);
}

class SyncTest {
  readonly started: TestServices;
  readonly recorded: RecordedWindow;
  conversationId: string;
  /** Which items of the list are selected; undefined cancels it. */
  select:
    | ((
        items: readonly vscode.QuickPickItem[],
      ) => readonly vscode.QuickPickItem[] | Promise<readonly vscode.QuickPickItem[]> | undefined)
    | undefined;

  constructor(started: TestServices) {
    this.started = started;
    const { chat, panel } = started.services;
    this.conversationId = chat.createConversation({
      id: 'echo',
      name: 'Echo',
      baseUrl: started.service.baseUrl,
    }).id;
    panel.getCurrentConversationId = async () => this.conversationId;
    panel.moveFocus = async () => undefined;
    this.recorded = new RecordedWindow((shown) => this.#answer(shown));
  }

  /** Writes parley.json with a folder for the documents, and waits until it has been read. */
  async writeFolder(folder: string): Promise<void> {
    const { workspaceProposal } = this.started.services;
    await writeUntil(
      () => writeFile(parleyJson, JSON.stringify({ documents: { files: 'synced/**/*.md', folder } })),
      async () => (await workspaceProposal.readFiles())[0]?.documents[0]?.folder === folder,
    );
  }

  get service() {
    return this.started.service;
  }

  /** Runs the command; resolves to the labels and descriptions of its list. */
  async sync(): Promise<string[]> {
    this.recorded.shown.length = 0;
    const { services } = this.started;
    await until(async () => (await services.workspaceProposal.readFiles()).length > 0);
    await (await services.getDocumentSync()).actions.sync();
    const list = this.recorded.shown.find(
      ({ by, texts }) => by === 'QuickPick' && texts[0]?.startsWith('Sync'),
    );
    return (list?.items ?? [])
      .filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator)
      .map(({ label, description = '' }) => `${label}: ${description.split(' · ')[0]}`);
  }

  get texts(): string {
    return this.recorded.texts.join('\n');
  }

  get stored(): string[] {
    const { documents, objects } = this.service;
    return [...documents.values()].map(({ key }) => objects.get(key)?.toString() ?? '').toSorted();
  }

  /** Waits for what a page that shows the conversation says. */
  async view(fits: (view: DocumentSyncView | undefined) => boolean): Promise<DocumentSyncView | undefined> {
    const { syncStatus } = this.started.services;
    syncStatus.show(new Set([this.conversationId]));
    let view: DocumentSyncView | undefined;
    await until(() => {
      view = syncStatus.getView(this.conversationId);
      return fits(view);
    });
    return view;
  }

  async close(): Promise<void> {
    this.started.services.syncStatus.show(new Set());
    this.recorded.dispose();
    await this.started.close();
  }

  #answer({ by, items }: Shown): unknown {
    if (by !== 'QuickPick') return undefined;
    const choices = items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
    // The folder picker takes one item, as it gets its items when it is shown.
    if (choices.every(({ picked }) => picked === undefined)) return choices[0];
    return this.select ? this.select(choices) : choices.filter(({ picked }) => picked);
  }
}

describeSync(
  'Sync Documents… with a service with folders',
  // A conversion ends only when a test says so.
  { profile: 'hosted', listingMs: 0, conversionMs: Number.POSITIVE_INFINITY },
  (getTest) => {
    it('lists what is new, changed and gone, and syncs it after one yes', async () => {
      const test = getTest();
      assert.deepEqual(await test.sync(), ['synced/a.md: New', 'synced/sub/a.md: New']);
      assert.match(test.texts, /2 documents uploaded\./);
      assert.deepEqual(test.stored, ['# A', '# Another A']);
      assert.deepEqual(
        [...new Set([...test.service.documents.values()].map((each) => each.folder_id))],
        ['handbooks'],
      );
      assert.deepEqual(await test.sync(), []);
      assert.match(test.texts, /All 2 documents are up to date\./);
      await writeFile(path.join(docs, 'a.md'), '# A, changed');
      await rm(path.join(docs, 'sub', 'a.md'));
      await writeFile(path.join(docs, 'b.md'), '# B');
      assert.deepEqual(await test.sync(), [
        'synced/b.md: New',
        'synced/a.md: Changed',
        'synced/sub/a.md: Gone',
      ]);
      assert.match(test.texts, /2 documents uploaded\. 2 older documents removed\./);
      assert.deepEqual(test.stored, ['# A, changed', '# B']);
    });

    it('lists what the service couldn’t convert, and uploads it again only if it is selected', async () => {
      const test = getTest();
      await test.sync();
      const { conversions } = test.service;
      conversions.finish('a.md', 'sync_failed');
      conversions.finishAll();
      const failed = [...test.service.documents.values()].find(({ name }) => name === 'a.md')?.id;
      // Also if the file was written again, with the same content.
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await test.sync(), ['synced/a.md: Conversion failed']);
        assert.equal(test.service.documents.size, 2);
        await writeFile(path.join(docs, 'a.md'), '# A');
      }
      test.select = (items) => items;
      await test.sync();
      assert.match(test.texts, /1 document uploaded\. 1 older document removed\./);
      assert.deepEqual(test.stored, ['# A', '# Another A']);
      assert.equal(test.service.documents.has(failed ?? ''), false);
      assert.deepEqual(await test.sync(), []);
    });

    it('sends nothing before the yes, and nothing that isn’t selected', async () => {
      const test = getTest();
      test.select = () => undefined;
      await test.sync();
      assert.equal(test.service.requests.filter(({ method }) => method !== 'GET').length, 0);
      test.select = (items) => items.slice(0, 1);
      await test.sync();
      assert.deepEqual(test.stored, ['# A']);
    });

    it('never lists secrets, what Git ignores, and links out of the workspace [attack: documents]', async () => {
      const test = getTest();
      const outside = await mkdtemp(path.join(tmpdir(), 'parley-outside-'));
      try {
        await writeFile(path.join(outside, 'out.md'), 'outside');
        await symlink(outside, path.join(docs, 'out'));
        await symlink(path.join(outside, 'out.md'), path.join(docs, 'link.md'));
        await writeFile(path.join(docs, '.gitignore'), 'local.md\n');
        await writeFile(path.join(docs, 'local.md'), 'local');
        await writeFile(path.join(docs, 'key.md'), '-----BEGIN RSA PRIVATE KEY-----\nx');
        await writeFile(path.join(docs, 'credentials.md'), 'x');
        assert.deepEqual(await test.sync(), ['synced/a.md: New', 'synced/sub/a.md: New']);
        assert.match(test.texts, /Left out: ignored by Git: 1, secrets: 2, links: 2\./);
        assert.deepEqual(test.stored, ['# A', '# Another A']);
      } finally {
        await rm(outside, { recursive: true, force: true });
      }
    });

    it('doesn’t upload what became a link or a secret after the list was shown [attack: documents]', async () => {
      const test = getTest();
      const outside = await mkdtemp(path.join(tmpdir(), 'parley-outside-'));
      try {
        await mkdir(path.join(outside, 'sub'));
        await writeFile(path.join(outside, 'a.md'), 'outside');
        const swap = async () => {
          await rm(path.join(docs, 'sub'), { recursive: true });
          await symlink(outside, path.join(docs, 'sub'));
          await writeFile(path.join(docs, 'a.md'), '-----BEGIN PRIVATE KEY-----');
        };
        let swapping: Promise<void> | undefined;
        test.select = (items) => {
          swapping = swap();
          return items;
        };
        // The sync itself starts only once the files were exchanged.
        const { withProgress } = vscode.window;
        Object.assign(vscode.window, {
          withProgress: async (...args: Parameters<typeof withProgress>) => {
            await swapping;
            return withProgress(...args);
          },
        });
        try {
          await test.sync();
        } finally {
          Object.assign(vscode.window, { withProgress });
        }
        assert.deepEqual(test.stored, []);
        assert.match(test.texts, /2 files may no longer be uploaded\./);
      } finally {
        await rm(outside, { recursive: true, force: true });
      }
    });

    it('uploads what is saved, not what an editor has unsaved', async () => {
      const test = getTest();
      const document = await vscode.workspace.openTextDocument(path.join(docs, 'a.md'));
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), 'unsaved ');
      await vscode.workspace.applyEdit(edit);
      await test.sync();
      assert.deepEqual(test.stored, ['# A', '# Another A']);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });

    it('knows where the documents are after parley.json names the folder that they are in', async () => {
      const test = getTest();
      await test.sync();
      await test.writeFolder('handbooks');
      await test.view((view) => view?.changed === 2);
      assert.deepEqual(await test.sync(), []);
      assert.equal(test.service.documents.size, 2);
      await test.view((view) => view === undefined);
    });

    it('creates the folder that parley.json names', async () => {
      const test = getTest();
      await test.writeFolder('Plans');
      await test.sync();
      const plans = [...test.service.folders.values()].find(({ name }) => name === 'Plans');
      assert.ok(plans);
      assert.deepEqual(
        [...test.service.documents.values()].map((each) => each.folder_id),
        [plans.id, plans.id],
      );
      await test.sync();
      assert.equal([...test.service.folders.values()].filter(({ name }) => name === 'Plans').length, 1);
    });

    it('creates a folder once for two workspace folders that name it, and not if it was created in the meantime', async () => {
      const test = getTest();
      const { workspaceProposal, services } = { ...test.started.services, services: test.started.services };
      const files = ['', 'sub'].map((name, index) => ({
        folder: { uri: vscode.Uri.file(path.join(docs, name)), name: `docs ${index}`, index },
        documents: [{ files: ['*.md'], folder: 'Plans' }],
      }));
      Object.assign(workspaceProposal, { readFiles: async () => files });
      const getPlans = () => [...test.service.folders.values()].filter(({ name }) => name === 'Plans');
      test.select = async (items) => {
        if (isCreatedMeanwhile) {
          const { baseUrl, key } = test.service;
          await fetch(`${baseUrl}/folders`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: JSON.stringify({ name: 'Plans' }),
          });
        }
        return items;
      };
      let isCreatedMeanwhile = false;
      await (await services.getDocumentSync()).actions.sync();
      assert.deepEqual(test.stored, ['# A', '# Another A']);
      assert.equal(getPlans().length, 1);
      test.service.clearRecords();
      isCreatedMeanwhile = true;
      await (await services.getDocumentSync()).actions.sync();
      assert.deepEqual(test.stored, ['# A', '# Another A']);
      assert.equal(getPlans().length, 1);
    });

    it('recognizes the documents on the service after the storage was lost, and doubles none', async () => {
      const test = getTest();
      await cloneFrom('https://git.example.com/team/repo.git');
      await test.sync();
      await rm(path.join(test.started.globalStorage, 'documentSync'), { recursive: true });
      assert.deepEqual(await test.sync(), ['synced/a.md: On the Service', 'synced/sub/a.md: On the Service']);
      assert.match(test.texts, /2 documents of these names are already on the service\./);
      assert.deepEqual(test.stored, ['# A', '# Another A']);
      await test.view((view) => view === undefined);
      await writeFile(path.join(docs, 'a.md'), '# A, changed');
      assert.deepEqual(await test.sync(), ['synced/a.md: Changed', 'synced/sub/a.md: On the Service']);
      assert.deepEqual(test.stored, ['# A, changed', '# Another A']);
      test.select = (items) => items;
      assert.deepEqual(await test.sync(), ['synced/sub/a.md: On the Service']);
      assert.deepEqual(test.stored, ['# A, changed', '# Another A']);
      assert.deepEqual(await test.sync(), []);
    });

    it('takes no document of another repository in a folder of the same name for its own', async () => {
      const test = getTest();
      await cloneFrom('git@git.example.com:team/repo.git');
      await test.sync();
      // The same path on another machine is a folder of its own unless it is a clone of the same repository.
      const addresses = ['git@git.example.com:team/other.git', '/srv/git/repo.git', '/srv/git/repo.git'];
      for (const address of addresses) {
        await rm(path.join(test.started.globalStorage, 'documentSync'), { recursive: true });
        await cloneFrom(address);
        assert.deepEqual(await test.sync(), ['synced/a.md: New', 'synced/sub/a.md: New'], address);
      }
      await writeFile(path.join(docs, 'a.md'), '# A, changed');
      await rm(path.join(docs, 'sub', 'a.md'));
      assert.deepEqual(await test.sync(), ['synced/a.md: Changed', 'synced/sub/a.md: Gone']);
      const others = addresses.flatMap(() => ['# A', '# Another A']);
      assert.deepEqual(test.stored, [...others, '# A, changed'].toSorted());
      assert.equal(new Set([...test.service.conversations.values()].map(({ name }) => name)).size, 4);
    });

    it('focuses a new conversation on the documents before its first message', async () => {
      const test = getTest();
      await test.sync();
      const { chat, replies } = test.started.services;
      const { id } = chat.createConversation({ id: 'echo', name: 'Echo', baseUrl: test.service.baseUrl });
      await replies.send(id, 'What is A?');
      await test.service.waitForRequest((request) => request.path.endsWith('/messages/stream'));
      const remoteId = chat.findConversation(id)?.remote?.id ?? '';
      assert.deepEqual(
        new Set(test.service.conversations.get(remoteId)?.document_ids),
        new Set(test.service.documents.keys()),
      );
    });

    it('says how many have changed on which branch, and doesn’t say it again once postponed', async () => {
      const test = getTest();
      await mkdir(path.join(root, '.git'));
      await writeFile(path.join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
      assert.deepEqual(await test.view(Boolean), { changed: 2, total: 2, branch: 'main', isNew: true });
      await test.sync();
      await test.view((view) => view === undefined);
      await writeFile(path.join(docs, 'a.md'), '# A, changed');
      assert.deepEqual(await test.view(Boolean), { changed: 1, total: 2, branch: 'main' });
      await (await test.started.services.getDocumentSync()).watcher.postpone(test.conversationId);
      await test.view((view) => view === undefined);
      // Another branch has its own status.
      await writeFile(path.join(root, '.git', 'HEAD'), 'ref: refs/heads/feature/x\n');
      assert.deepEqual(await test.view((view) => view?.branch === 'feature/x'), {
        changed: 1,
        total: 2,
        branch: 'feature/x',
      });
      await writeFile(path.join(docs, 'sub', 'a.md'), '# Another A, changed');
      await writeFile(path.join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
      assert.deepEqual(await test.view((view) => view?.branch === 'main' && view.changed === 2), {
        changed: 2,
        total: 2,
        branch: 'main',
      });
      assert.equal(test.stored.length, 2);
    });

    it('follows the branch of a linked worktree', async () => {
      const test = getTest();
      const gitFolder = await mkdtemp(path.join(tmpdir(), 'parley-worktree-'));
      try {
        await writeFile(path.join(root, '.git'), `gitdir: ${gitFolder}\n`);
        await writeFile(path.join(gitFolder, 'HEAD'), 'ref: refs/heads/one\n');
        assert.equal((await test.view(Boolean))?.branch, 'one');
        const { syncStatus } = test.started.services;
        await writeUntil(
          () => writeFile(path.join(gitFolder, 'HEAD'), 'ref: refs/heads/other\n'),
          () => syncStatus.getView(test.conversationId)?.branch === 'other',
        );
      } finally {
        await rm(gitFolder, { recursive: true, force: true });
      }
    });
  },
);

describeSync(
  'Sync Documents… with a service that has only the contract',
  { profile: 'minimal' },
  (getTest) => {
    it('adds the documents again to a conversation that is created again', async () => {
      const test = getTest();
      await test.sync();
      const { chat } = test.started.services;
      const { remote } = chat.findConversation(test.conversationId) ?? {};
      assert.ok(remote);
      await test.started.services.remote.delete({ remote });
      chat.update(test.conversationId, { remote: { ...remote, gone: true } });
      assert.deepEqual(await test.sync(), ['synced/a.md: New', 'synced/sub/a.md: New']);
      assert.deepEqual(await test.sync(), []);
      assert.equal(test.service.documents.size, 2);
    });

    it('adds the documents to the conversation, and to another one when that is synced', async () => {
      const test = getTest();
      await test.sync();
      const { chat } = test.started.services;
      const names = () =>
        chat
          .findConversation(test.conversationId)
          ?.turns.map((turn) => (turn.kind === 'document' ? turn.name : turn.kind));
      assert.deepEqual(names()?.toSorted(), ['a.md', 'sub-a.md']);
      test.conversationId = chat.createConversation({
        id: 'echo',
        name: 'Echo',
        baseUrl: test.service.baseUrl,
      }).id;
      assert.deepEqual(await test.sync(), ['synced/a.md: New', 'synced/sub/a.md: New']);
      assert.equal(names()?.length, 2);
      assert.equal(test.service.documents.size, 4);
      const find = () => chat.findConversation(test.conversationId)?.turns ?? [];
      for (const turn of find())
        if (turn.kind === 'document')
          chat.writer.putDocument(test.conversationId, { ...turn, updateOnSave: true });
      await writeFile(path.join(docs, 'a.md'), '# A, saved');
      const first = find().find((turn) => turn.kind === 'document' && turn.name === 'a.md');
      const files = await test.started.services.getDocumentFiles();
      await files.updateSilently(test.conversationId, first?.id ?? '');
      await writeFile(path.join(docs, 'a.md'), '# A, changed');
      assert.deepEqual(await test.sync(), ['synced/a.md: Changed']);
      assert.match(test.texts, /1 older document stays on the service, which can’t remove it\./);
      const versions = find().filter((turn) => turn.kind === 'document' && turn.name === 'a.md');
      assert.deepEqual(
        versions.map((turn) => turn.kind === 'document' && [turn.replaces, turn.updateOnSave]),
        [
          [undefined, true],
          [versions[0]?.id, true],
          [versions[1]?.id, true],
        ],
      );
    });
  },
);

describeSync(
  'Sync Documents… with a service that has a focus but no folders',
  { profile: 'lenient' },
  (getTest) => {
    it('uploads once, and focuses new conversations on them', async () => {
      const test = getTest();
      await test.sync();
      const { chat, replies } = test.started.services;
      const { id } = chat.createConversation({ id: 'echo', name: 'Echo', baseUrl: test.service.baseUrl });
      test.conversationId = id;
      assert.deepEqual(await test.sync(), []);
      await replies.send(id, 'What is A?');
      await test.service.waitForRequest((request) => request.path.endsWith('/messages/stream'));
      const remoteId = chat.findConversation(id)?.remote?.id ?? '';
      assert.equal(test.service.conversations.get(remoteId)?.document_ids.length, 2);
    });

    it('says that it was canceled while the conversation was created, not that it failed', async () => {
      const test = getTest();
      test.service.inject({ on: 'POST /conversations', name: 'hang' });
      const { withProgress } = vscode.window;
      const canceling = new vscode.CancellationTokenSource();
      const canceled = test.service
        .waitForRequest(({ method, path: asked }) => method === 'POST' && asked.endsWith('/conversations'))
        .then(() => canceling.cancel());
      Object.assign(vscode.window, {
        withProgress: (_: unknown, task: Parameters<typeof withProgress>[1]) =>
          task({ report: () => undefined }, canceling.token),
      });
      try {
        await Promise.all([test.sync(), canceled]);
      } finally {
        Object.assign(vscode.window, { withProgress });
        canceling.dispose();
      }
      assert.match(test.texts, /The sync was canceled\./);
      assert.doesNotMatch(test.texts, /Couldn’t sync/);
    });
  },
);

for (const hasFocus of [true, false]) {
  const options: LocalServiceOptions = hasFocus
    ? { profile: 'lenient', missing: ['GET /folders', 'POST /folders'] }
    : { profile: 'minimal' };
  describeSync(
    `Sync Documents… of several sets ${hasFocus ? 'with' : 'without'} a focus, without folders`,
    options,
    (getTest) => {
      it('remembers where the documents of several sets went that have one place', async () => {
        const test = getTest();
        const sets = [{ files: 'synced/*.md' }, { files: 'synced/sub/*.md', folder: 'Policies' }];
        await writeFile(parleyJson, JSON.stringify({ documents: sets }));
        const { chat, replies, workspaceProposal } = test.started.services;
        await until(async () => (await workspaceProposal.readFiles())[0]?.documents.length === 2);
        await test.view(Boolean);
        await test.sync();
        assert.deepEqual(test.stored, ['# A', '# Another A']);
        await test.view((view) => view === undefined);
        if (!hasFocus) return;
        const { id } = chat.createConversation({ id: 'echo', name: 'Echo', baseUrl: test.service.baseUrl });
        await replies.send(id, 'What is A?');
        await test.service.waitForRequest((request) => request.path.endsWith('/messages/stream'));
        const remoteId = chat.findConversation(id)?.remote?.id ?? '';
        assert.equal(test.service.conversations.get(remoteId)?.document_ids.length, 2);
      });
    },
  );
}
