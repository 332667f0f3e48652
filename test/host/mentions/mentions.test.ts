import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Selection } from '../../../src/host/files/contentGate';
import { MentionActions } from '../../../src/host/mentions/mentionActions';
import type { HostPage } from '../../../src/host/panel/page/hostPage';
import type { MentionView } from '../../../src/shared/conversation/mention';
import { countCodePoints, MESSAGE_LIMIT } from '../../../src/shared/conversation/message';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { closeEditors } from '../support/closeEditors';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { until } from '../support/until';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const folder = path.join(root, 'mentioned');
/** A query of symbols that the test makes itself. */
const MARKER = 'marker';

describe('Mentions', () => {
  let fixture: ChatFixture;
  let recorded: RecordedWindow;
  let choose: (shown: Shown) => unknown;
  let actions: MentionActions;
  let id: string;
  let uploads: Selection[];
  let returned: number;
  let page: HostPage;
  const disposables: vscode.Disposable[] = [];

  beforeEach(async () => {
    fixture = await startChat();
    id = fixture.newConversation().id;
    uploads = [];
    returned = 0;
    page = {} as HostPage;
    choose = () => undefined;
    recorded = new RecordedWindow((shown) => choose(shown));
    actions = new MentionActions({
      chat: fixture.chat,
      panel: { returnTo: async () => void returned++ },
      uploadActions: {
        attachTo: async (conversationId, collect, from) => {
          assert.deepEqual([conversationId, from], [id, page]);
          uploads.push(await collect());
        },
      },
    });
    await mkdir(folder, { recursive: true });
  });
  afterEach(async () => {
    recorded.dispose();
    vscode.Disposable.from(...disposables.splice(0)).dispose();
    await closeEditors();
    for (const { candidates } of uploads) for (const { file } of candidates) await file.opened.close();
    await rm(folder, { recursive: true, force: true });
    await fixture.close();
  });

  const write = async (name: string, text: string | Uint8Array) => {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return vscode.Uri.file(file);
  };
  const open = async (uri: vscode.Uri, selection?: vscode.Selection) => {
    const editor = await vscode.window.showTextDocument(uri, {
      preview: false,
      ...(selection && { selection }),
    });
    await until(() => vscode.window.activeTextEditor === editor);
    return editor;
  };
  /** Returns the last response to a query. */
  const find = async (query: string): Promise<readonly MentionView[]> => {
    let mentions: readonly MentionView[] = [];
    const search = { conversationId: id, listId: crypto.randomUUID(), query };
    for await (const found of actions.find(search, page, new AbortController().signal))
      ({ mentions } = found);
    return mentions;
  };
  const findOne = async (query: string, kind: MentionView['kind'], name: string): Promise<MentionView> => {
    const mentions = await find(query);
    return (
      mentions.find((mention) => mention.kind === kind && mention.name === name) ??
      assert.fail(`No ${kind} ${name} among ${JSON.stringify(mentions)}`)
    );
  };
  const use = ({ id: mentionId }: MentionView, remainingCharacters = MESSAGE_LIMIT) =>
    actions.use(id, mentionId, remainingCharacters, page);
  const chips = () => fixture.chat.findConversation(id)?.composing?.context ?? [];
  const onlyUpload = () => {
    const [upload] = uploads;
    assert.equal(uploads.length, 1);
    assert.equal(upload?.namedByPage, true);
    return upload.candidates;
  };

  describe('of files', () => {
    it('are found by name, folder and path, without those that Git ignores or the settings exclude', async () => {
      for (const name of [
        'deep/alpha-plan.md',
        'planner/beta.md',
        'ignored/plan.md',
        'node_modules/plan.md',
      ]) {
        await write(name, 'x');
      }
      await write('.gitignore', 'ignored/\n');
      const named = (mentions: readonly MentionView[]) =>
        mentions.map(({ kind, name, description }) => `${kind} ${description}/${name}`);
      assert.deepEqual(named(await find('plan')), [
        'folder mentioned/planner',
        'file mentioned/deep/alpha-plan.md',
        'file mentioned/planner/beta.md',
      ]);
      assert.deepEqual(named(await find('ed/deep/al')), ['file mentioned/deep/alpha-plan.md']);
      assert.deepEqual(named(await find('nothing-at-all')), []);
    });

    for (const [what, text] of [
      ['lines', 'one\ntwo\n'],
      ['Windows line ends and a byte order mark', '\ufeffone\r\ntwo'],
      ['code points beyond 16 bits', '😀\n```\nx\n```\n'],
      ['the longest text', 'é'.repeat(MESSAGE_LIMIT - 40)],
    ] as const) {
      it(`show the length of their chip before it is added: ${what}`, async () => {
        await write('chip.md', text);
        const mention = await findOne('chip', 'file', 'chip.md');
        assert.equal(await use(mention), 'chip');
        const [chip] = chips();
        assert.equal(mention.characters, countCodePoints(chip?.text ?? ''));
        assert.match(chip?.text ?? '', /^mentioned\/chip\.md:1(-\d)?\n/);
        assert.equal(chip?.name, 'chip.md');
        assert.deepEqual([recorded.shown, uploads], [[], []]);
      });
    }

    it('become an upload without room for the chip, and ask as for a file that a page names', async () => {
      const uri = await write('chip.md', 'one\ntwo\n');
      const mention = await findOne('chip', 'file', 'chip.md');
      assert.equal(await use(mention, (mention.characters ?? 0) - 1), 'upload');
      await until(() => uploads.length > 0);
      assert.deepEqual(
        onlyUpload().map((candidate) => candidate.uri.toString()),
        [uri.toString()],
      );
      assert.deepEqual(chips(), []);
    });

    for (const [what, content] of [
      ['too long', 'x'.repeat(8001)],
      ['binary', new Uint8Array([1, 0, 2])],
      ['not UTF-8', new Uint8Array([0xff, 0xfe, 0xfd])],
    ] as const) {
      it(`become an upload if they are ${what}`, async () => {
        await write('chip.md', content);
        const mention = await findOne('chip', 'file', 'chip.md');
        assert.deepEqual([mention.characters, mention.uploads], [undefined, true]);
        assert.equal(await use(mention), 'upload');
        await until(() => uploads.length > 0);
        assert.equal(onlyUpload().length, 1);
      });
    }

    it('become an upload of all files if they are a folder', async () => {
      await write('planner/a.md', 'a');
      await write('planner/b.md', 'b');
      const mention = await findOne('planner', 'folder', 'planner');
      assert.equal(mention.uploads, true);
      assert.equal(await use(mention), 'upload');
      await until(() => uploads.length > 0);
      assert.deepEqual(
        onlyUpload().map(({ file }) => file.name),
        ['a.md', 'b.md'],
      );
    });

    it('say why they can’t be added', async () => {
      const uri = await write('chip.md', 'x');
      const mention = await findOne('chip', 'file', 'chip.md');
      await vscode.workspace.fs.writeFile(uri, new Uint8Array());
      assert.equal(await use(mention), 'none');
      assert.deepEqual(recorded.texts, ['Couldn’t add chip.md: it is empty.']);
    });

    it('that are open come first, with unsaved changes', async () => {
      const editor = await open(await write('chip.md', 'x'));
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'unsaved '));
      const mention = await findOne('chip', 'editor', 'chip.md');
      assert.deepEqual(
        (await find('chip')).filter(({ kind }) => kind === 'file'),
        [],
      );
      assert.equal((await find(''))[0]?.name, 'chip.md');
      assert.equal(await use(mention), 'none', 'The list was opened again.');
      assert.equal(await use(await findOne('chip', 'editor', 'chip.md')), 'chip');
      assert.match(chips()[0]?.text ?? '', /unsaved x/);
    });
  });

  describe('that need a question', () => {
    const answer = (button: string) => {
      choose = ({ buttons }) => buttons.find((label) => label === button);
    };

    it('a mentioned secret needs confirmation [attack: secrets]', async () => {
      await write('.env', 'PASSWORD=1');
      const mention = await findOne('.env', 'file', '.env');
      assert.equal(await use(mention), 'none');
      assert.deepEqual([chips(), returned], [[], 1]);
      assert.match(recorded.texts[0] ?? '', /^\.env looks like a secret\. Add it to your message anyway\?/);
      assert.deepEqual(recorded.shown[0]?.buttons, ['Don’t Add', 'Add Anyway']);
      answer('Add Anyway');
      assert.equal(await use(mention), 'chip');
      assert.equal(chips().length, 1);
    });

    it('a mentioned Git diff with secrets needs confirmation [attack: secrets]', async () => {
      const diff = 'diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-A=1\n+A=2\n';
      const repository = {
        rootUri: vscode.Uri.file(folder),
        state: { workingTreeChanges: [{}], indexChanges: [] },
        diff: async (staged: boolean) => (staged ? '' : diff),
      };
      const exports = { enabled: true, getAPI: () => ({ repositories: [repository] }) };
      const original = Object.getOwnPropertyDescriptor(vscode.extensions, 'getExtension');
      Object.defineProperty(vscode.extensions, 'getExtension', {
        configurable: true,
        value: () => ({ isActive: true, exports }),
      });
      try {
        const mention = await findOne('', 'diff', 'Git Diff');
        assert.equal(await use(mention), 'none');
        assert.deepEqual([chips(), returned], [[], 1]);
        assert.match(recorded.texts[0] ?? '', /^\.env looks like a secret\. Add it to your message anyway\?/);
        answer('Add Anyway');
        assert.equal(await use(mention), 'chip');
        assert.equal(await use(mention, 0), 'upload');
        await until(() => uploads.length > 0);
        assert.equal(onlyUpload()[0]?.secret, 'name');
      } finally {
        if (original) Object.defineProperty(vscode.extensions, 'getExtension', original);
      }
    });

    it('are links that leave the workspace [attack: symlink]', async () => {
      const outside = path.join(tmpdir(), `parley-outside-${process.pid}.md`);
      await writeFile(outside, 'outside');
      try {
        await symlink(outside, path.join(folder, 'linked.md'));
        await open(vscode.Uri.file(path.join(folder, 'linked.md')));
        const mention = await findOne('linked', 'editor', 'linked.md');
        assert.equal(await use(mention), 'none');
        assert.match(
          recorded.texts.join(),
          /Add linked\.md to your message\?.*a link to .*outside the workspace/,
        );
        answer('Add');
        assert.equal(await use(mention), 'chip');
      } finally {
        await rm(outside);
      }
    });

    it('are all files of an untrusted workspace', async () => {
      await write('chip.md', 'x');
      const mention = await findOne('chip', 'file', 'chip.md');
      const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
      Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
      try {
        assert.equal(await use(mention), 'none');
      } finally {
        if (trust) Object.defineProperty(vscode.workspace, 'isTrusted', trust);
      }
      assert.match(recorded.texts[0] ?? '', /^Add chip\.md to your message\?/);
    });

    it('are secrets as lines that are uploaded, too', async () => {
      const uri = await write('.env', `PASSWORD=1\n${'x'.repeat(MESSAGE_LIMIT)}`);
      await open(uri, new vscode.Selection(0, 0, 1, MESSAGE_LIMIT));
      assert.equal(await use(await findOne('', 'selection', 'Selection in .env')), 'upload');
      await until(() => uploads.length > 0);
      assert.deepEqual(
        onlyUpload().map(({ secret, file }) => [secret, file.name]),
        [['name', '.env-1-2.md']],
      );
    });
  });

  describe('of other context', () => {
    it('are the selection, problems and documents', async () => {
      const editor = await open(await write('lines.md', 'one\ntwo\n'), new vscode.Selection(0, 0, 1, 0));
      const diagnostics = vscode.languages.createDiagnosticCollection('mentions-test');
      disposables.push(diagnostics);
      const elsewhere = vscode.Uri.file(path.join(folder, 'other.md'));
      for (const uri of [editor.document.uri, elsewhere]) {
        diagnostics.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'Wrong.')]);
      }
      fixture.chat.writer.putDocument(id, {
        ...{ kind: 'document', id: 'd', name: 'plan\u202e.pdf', size: 1, sent: 1, at: 1, state: 'attached' },
      });
      for (const [kind, name, text] of [
        ['selection', 'Selection in lines.md', /```markdown\none\n```/],
        ['problems', 'Problems in lines.md', /1:1 error: Wrong\./],
        ['problems', 'Problems in other.md', /1:1 error: Wrong\./],
        ['document', 'plan\u202e.pdf', /^See the document “plan\.pdf”\.$/],
      ] as const) {
        const mention = await findOne('', kind, name);
        assert.equal(await use(mention), 'chip');
        assert.match(chips().at(-1)?.text ?? '', text);
        assert.equal(mention.characters, countCodePoints(chips().at(-1)?.text ?? ''));
      }
      assert.deepEqual(recorded.texts, []);
    });

    it('become a document if they are too long', async () => {
      const diagnostics = vscode.languages.createDiagnosticCollection('mentions-test');
      disposables.push(diagnostics);
      const uri = vscode.Uri.file(path.join(folder, 'long.md'));
      diagnostics.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'x'.repeat(MESSAGE_LIMIT))]);
      assert.equal(await use(await findOne('long', 'problems', 'Problems in long.md')), 'upload');
      await until(() => uploads.length > 0);
      assert.deepEqual(
        onlyUpload().map(({ file }) => file.name),
        ['Problems in long.md.md'],
      );
    });
  });

  describe('of symbols', () => {
    const code = 'function first() {\n  return 1;\n}\nfunction second() {}\n';

    it('have all their lines, and come after the others', async () => {
      const uri = await write('code.txt', code);
      // VS Code does so for a moment to ask for the symbols, which must not change the language.
      await vscode.workspace.openTextDocument(uri);
      const range = new vscode.Range(0, 0, 2, 1);
      disposables.push(
        vscode.languages.registerWorkspaceSymbolProvider({
          provideWorkspaceSymbols: () => [
            // Many providers only know the name's place.
            symbol('first', uri, new vscode.Range(0, 9, 0, 14)),
            symbol('second', uri, new vscode.Range(3, 0, 3, 20)),
            symbol('firstElsewhere', vscode.Uri.file('/outside/code.txt'), range),
          ],
        }),
        vscode.languages.registerDocumentSymbolProvider(
          { pattern: '**/code.txt' },
          {
            provideDocumentSymbols: () => [
              new vscode.DocumentSymbol(
                'first',
                '',
                vscode.SymbolKind.Function,
                range,
                new vscode.Range(0, 9, 0, 14),
              ),
            ],
          },
        ),
      );
      const mentions = await find('first');
      assert.deepEqual(
        mentions.map(({ kind, name }) => `${kind} ${name}`),
        ['symbol first'],
      );
      const mention = await findOne('first', 'symbol', 'first');
      assert.equal(await use(mention), 'chip');
      const [chip] = chips();
      assert.equal(chip?.name, 'first (code.txt:1-3)');
      assert.equal(chip?.text, 'mentioned/code.txt:1-3\n```txt\nfunction first() {\n  return 1;\n}\n```');
      assert.equal(mention.characters, countCodePoints(chip.text));
    });

    it('are asked for one query at a time, and only for the newest one that waits', async () => {
      const queries: string[] = [];
      let release: () => void = () => assert.fail();
      disposables.push(
        vscode.languages.registerWorkspaceSymbolProvider({
          provideWorkspaceSymbols: (query) => {
            if (query === MARKER) return [];
            queries.push(query);
            return new Promise<vscode.SymbolInformation[]>((resolve) => {
              release = () =>
                resolve([
                  symbol(query, vscode.Uri.file(path.join(folder, 'x')), new vscode.Range(0, 0, 1, 0)),
                ]);
            });
          },
        }),
      );
      /** `onMeasured` is called once the symbols are asked for. */
      const search = async (query: string, signal: AbortSignal, onMeasured?: () => void) => {
        let names: string[] = [];
        let responses = 0;
        for await (const { mentions, isSearching } of actions.find(
          { conversationId: id, listId: 'l', query },
          page,
          signal,
        )) {
          names = mentions.map(({ name }) => name);
          if (!isSearching && ++responses === 2) onMeasured?.();
        }
        return names;
      };
      const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
      const searches = [search('qqa', first.signal)];
      await until(() => queries.length === 1);
      first.abort();
      searches.push(search('qqb', second.signal));
      second.abort();
      await new Promise<void>((resolve) => searches.push(search('qqc', third.signal, resolve)));
      // VS Code asks in order: what was asked for before this is known then.
      await vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', MARKER);
      assert.deepEqual(queries, ['qqa']);
      release();
      await until(() => queries.length === 2);
      release();
      assert.deepEqual([queries, (await Promise.all(searches)).at(-1)], [['qqa', 'qqc'], ['qqc']]);
    });
  });

  it('that the page wasn’t told of are ignored [attack: page → host messages]', async () => {
    await write('chip.md', 'x');
    const mention = await findOne('chip', 'file', 'chip.md');
    assert.equal(await actions.use(id, 'file:///etc/passwd', MESSAGE_LIMIT, page), 'none');
    assert.equal(await actions.use(id, mention.id, MESSAGE_LIMIT, {} as HostPage), 'none');
    assert.equal(await actions.use('nowhere', mention.id, MESSAGE_LIMIT, page), 'none');
    assert.deepEqual([chips(), uploads, recorded.shown], [[], [], []]);
  });
});

function symbol(name: string, uri: vscode.Uri, range: vscode.Range): vscode.SymbolInformation {
  return new vscode.SymbolInformation(name, vscode.SymbolKind.Function, '', new vscode.Location(uri, range));
}
