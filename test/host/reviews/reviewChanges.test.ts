import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BotItem } from '../../../src/host/service/botPicker';
import type { Bot } from '../../service/bots/bot';
import { demoBots } from '../../service/demo/demoBots';
import { closeEditors } from '../support/closeEditors';
import { assertInert, HOSTILE } from '../support/hostile';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

const workspace = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
const root = vscode.Uri.joinPath(workspace, 'reviewed');
const outside = `${workspace.fsPath}-outside`;

interface GitApi {
  openRepository(uri: vscode.Uri): Promise<{ status(): Promise<void> } | null>;
}

let reply = '';
const reviewer: Bot = {
  id: 'reviewer',
  name: 'Reviewer',
  async *reply() {
    yield reply;
    return {};
  },
};

describe('Review Changes Against Documents', () => {
  const startServices = useServices({ bots: [...demoBots, reviewer] });
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let answers: { change: RegExp; documents: readonly string[]; confirm?: string; secret?: string };
  let opened: string | undefined;

  before(async () => {
    await write('src/app.ts', 'one\ntwo\nthree\n');
    await write('policy.md', '# Policy\n\nNo todos.\n');
    git('init', '-q', '-b', 'main');
    git('add', '.');
    commit('Start');
    git('checkout', '-q', '-b', 'feature');
    await write('src/app.ts', 'one\nTODO committed\ntwo\nthree\n');
    git('add', '.');
    commit('Change');
    await write('src/app.ts', 'one\nTODO committed\ntwo\nthree\nTODO staged\n');
    await write('staged ü.txt', 'new\n');
    git('add', '.');
    // A change that isn't staged moves the lines.
    await write('src/app.ts', 'zero\none\nTODO committed\ntwo\nthree\nTODO staged\n');
    await refresh();
  });
  after(async () => {
    await closeEditors();
    await rm(root.fsPath, { recursive: true, force: true });
    await rm(outside, { recursive: true, force: true });
  });
  beforeEach(async () => {
    fixture = await startServices();
    recorded = new RecordedWindow(answer);
    answers = { change: /^Staged Changes$/, documents: ['policy.md'], confirm: 'Review' };
    reply = 'Fine.';
    opened = undefined;
    const current = fixture.services.chat.createConversation({ id: 'reviewer', name: 'Reviewer' }).id;
    Object.assign(fixture.services.panel, {
      getCurrentConversationId: async () => current,
      showConversation: async (id: string) => {
        opened = id;
        // As a page that shows it.
        fixture.services.documentStatus.setVisible(new Set([id]));
      },
    });
  });
  afterEach(async () => {
    recorded.dispose();
    await fixture.close();
  });

  function git(...args: readonly string[]): string {
    return String(execFileSync('git', args, { cwd: root.fsPath }));
  }
  function commit(message: string): void {
    git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', message);
  }
  async function write(file: string, text: string): Promise<void> {
    const target = path.join(root.fsPath, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  async function refresh(): Promise<void> {
    const extension = vscode.extensions.getExtension('vscode.git') ?? assert.fail('no Git extension');
    const git: { getAPI(version: 1): GitApi } = await extension.activate();
    const repository = await git.getAPI(1).openRepository(root);
    await repository?.status();
  }
  function answer({ by, items, buttons, texts }: Shown): unknown {
    if (by === 'Warning' && texts.some((text) => text.includes('looks like a secret'))) return answers.secret;
    if (by === 'Warning') return buttons.find((button) => button === answers.confirm);
    if (by !== 'QuickPick') return undefined;
    const isBots = texts.includes('Select the bot that reviews the changes');
    if (isBots) return items.find((item: BotItem) => item.bot?.id === 'reviewer');
    if (texts.includes('Select the changes to review'))
      return items.find(({ label }) => answers.change.test(label));
    return items.filter(({ label }) => answers.documents.includes(label));
  }
  const getReplies = () => fixture.services.getReviewReplies();
  const getThreads = async () => (await getReplies()).threads;
  const getComments = async () =>
    (await getThreads()).map(({ uri, range, comments }) => {
      const [comment] = comments;
      return `${vscode.workspace.asRelativePath(uri)}:${(range?.start.line ?? -1) + 1}: ${comment?.body}`;
    });
  const getSentTexts = () =>
    [...fixture.service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));
  const getUploads = () =>
    [...fixture.service.documents.values()].map(({ name, key }) => ({
      name,
      text: String(fixture.service.objects.get(key)),
    }));
  /** Reviews, and waits until the reply has ended and its findings are shown. */
  async function review(text: string): Promise<string> {
    reply = text;
    await (await fixture.services.getReviewActions()).reviewChanges({ rootUri: root });
    const id = opened ?? assert.fail(recorded.texts.join('\n'));
    await until(() =>
      fixture.services.chat.findConversation(id)?.turns.some((turn) => turn.kind === 'reply' && turn.ending),
    );
    await (await getReplies()).whenPlaced();
    return id;
  }

  it('sends the staged diff and the documents after all of it was confirmed, and shows findings at their lines', async () => {
    await review('- `src/app.ts:4`: still a todo [policy.md]\nNot a finding.\nstaged ü.txt:1: new file');
    const shown =
      recorded.shown.find(({ texts }) => texts[0]?.startsWith('Send these changes')) ?? assert.fail();
    assert.deepEqual(
      shown.texts.slice(0, 10).map((text) => text.replace(/\(\d.*\)$/, '(…)')),
      [
        'Send these changes to Reviewer for review: Staged Changes?',
        'Files to upload:',
        'Staged Changes (reviewed).md (…)',
        'policy.md (…)',
        '',
        'Changed files:',
        'src/app.ts',
        'staged ü.txt',
        '',
        'Message:',
      ],
    );
    const uploads = getUploads();
    assert.deepEqual(uploads.map(({ name }) => name).toSorted(), [
      'Staged Changes (reviewed).md',
      'policy.md',
    ]);
    const diff = uploads.find(({ name }) => name.startsWith('Staged'))?.text ?? '';
    assert.ok(diff.includes('     5 +TODO staged') && !diff.includes('zero'), diff);
    const [question = ''] = getSentTexts();
    assert.match(
      question,
      /“Staged Changes \(reviewed\)\.md”.*“policy\.md”.*`path:line: finding \[document\]`/,
    );
    assert.ok(shown.texts.join('').includes(question));
    // Line 4 of the staged file is line 5 of the file with the other changes.
    assert.deepEqual(await getComments(), [
      'reviewed/src/app.ts:5: still a todo\nDocument: policy.md',
      'reviewed/staged ü.txt:1: new file',
    ]);
    assert.ok(recorded.texts.includes('The review added 2 comments (2 files).'), recorded.texts.join('\n'));
  });

  it('sends what the branch has changed since it left another', async () => {
    answers.change = /^Changes on “feature”$/;
    recorded.dispose();
    recorded = new RecordedWindow((shown) =>
      shown.texts.includes('Select the branch to compare with')
        ? shown.items.find(({ label }) => label === 'main')
        : answer(shown),
    );
    await review('src/app.ts:2: a todo');
    const diff = getUploads().find(({ name }) => name.startsWith('Changes'))?.text ?? '';
    assert.ok(diff.includes('     2 +TODO committed') && !diff.includes('TODO staged'), diff);
    assert.deepEqual(await getComments(), ['reviewed/src/app.ts:3: a todo']);
  });

  it('sends nothing if the confirmation is canceled, and offers no documents of packages', async () => {
    await write('node_modules/package/license.md', 'x\n');
    delete answers.confirm;
    await (await fixture.services.getReviewActions()).reviewChanges({ rootUri: root });
    const writes = fixture.service.requests.filter(({ method }) => method !== 'GET' && method !== 'OPTIONS');
    assert.deepEqual([writes.map(({ path: at }) => at), opened], [[], undefined]);
    assert.ok(recorded.texts.some((text) => text.startsWith('Send these changes')));
    assert.ok(recorded.texts.includes('policy.md') && !recorded.texts.includes('license.md'));
  });

  it('asks about a secret in the diff before the list, and sends nothing if the user declines [attack: secrets]', async () => {
    await write('.env', 'TOKEN=1\n');
    git('add', '-f', '.env');
    await refresh();
    try {
      answers.secret = 'Skip';
      await (await fixture.services.getReviewActions()).reviewChanges({ rootUri: root });
      assert.ok(recorded.texts.includes('b/.env'), recorded.texts.join('\n'));
      assert.deepEqual([getSentTexts(), getUploads(), opened], [[], [], undefined]);
      answers.secret = 'Upload Anyway';
      await review('Fine.');
      assert.equal(getUploads().length, 2);
    } finally {
      git('rm', '-q', '-f', '--cached', '.env');
      await rm(path.join(root.fsPath, '.env'));
      await refresh();
    }
  });

  it('limits the answers to the documents of the service that were chosen, and names them', async () => {
    const { chat, uploads } = fixture.services;
    const { createConfirmedMarkdown } = await import('../../../src/host/files/confirmedMarkdown');
    const other = chat.createConversation({ id: 'reviewer', name: 'Reviewer' });
    for (const name of ['rules.md', 'other.md'])
      await uploads.add(other.id, createConfirmedMarkdown(name, 'x')).finished;
    const documents = [...fixture.service.documents.values()];
    const rules = documents.find(({ name }) => name.startsWith('rules')) ?? assert.fail();
    answers.documents = [rules.name];
    await review(`src/app.ts:2: x [${rules.name}]`);
    const focused = [...fixture.service.conversations.values()].at(-1)?.document_ids ?? [];
    const names = focused.map((id) => fixture.service.documents.get(id)?.name);
    assert.deepEqual(names, [rules.name, 'Staged Changes (reviewed).md']);
    assert.match(getSentTexts().at(-1) ?? '', new RegExp(`“${rules.name}”`));
    assert.deepEqual(await getComments(), [`reviewed/src/app.ts:3: x\nDocument: ${rules.name}`]);
  });

  /** Shows a conversation of the reviewer that alone has `own.md`; runs a function when the documents are listed. */
  const showOwnDocument = (onList: (id: string) => unknown) => {
    const { chat, panel } = fixture.services;
    const { id } = chat.createConversation({
      ...{ id: 'reviewer', name: 'Reviewer', baseUrl: fixture.service.baseUrl },
    });
    const document = { kind: 'document', id: 'own', name: 'own.md', size: 1, sent: 1, at: 1 } as const;
    chat.addDocument(id, { ...document, state: 'attached' });
    Object.assign(panel, { getCurrentConversationId: async () => id });
    answers.documents = ['own.md'];
    recorded.dispose();
    recorded = new RecordedWindow((shown) => {
      const isList = shown.texts.includes('Select the documents that the changes must comply with');
      return isList ? Promise.resolve(onList(id)).then(() => answer(shown)) : answer(shown);
    });
    return id;
  };

  it('continues the conversation whose documents were listed, whichever is shown when they are selected', async () => {
    const { chat, panel } = fixture.services;
    const other = chat.createConversation({ id: 'echo', name: 'Echo', baseUrl: fixture.service.baseUrl });
    const id = showOwnDocument(() => {
      Object.assign(panel, { getCurrentConversationId: async () => other.id });
    });
    assert.equal(await review('Fine.'), id);
    assert.deepEqual(chat.findConversation(other.id)?.turns, []);
    assert.ok(recorded.texts.includes('The review continues the conversation that has the documents.'));
  });

  it('adds the question to the draft of the conversation if a document can’t be uploaded', async () => {
    const { chat } = fixture.services;
    const id = showOwnDocument(() => undefined);
    chat.composers.setDraft(id, 'Half a question');
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 403 });
    await (await fixture.services.getReviewActions()).reviewChanges({ rootUri: root });
    assert.deepEqual([getSentTexts(), opened], [[], id]);
    assert.match(
      chat.findConversation(id)?.draft ?? '',
      /^Review the changes in the document .*\n\nHalf a question$/s,
    );
  });

  it('sends nothing if the conversation that has the documents is deleted before the user agrees', async () => {
    const { chat } = fixture.services;
    showOwnDocument((id) => chat.deleteConversation(id));
    await (await fixture.services.getReviewActions()).reviewChanges({ rootUri: root });
    assert.deepEqual([getSentTexts(), getUploads(), opened], [[], [], undefined]);
    assert.ok(
      recorded.texts.includes(
        'The conversation that has the documents was deleted or changed. Nothing was sent.',
      ),
      recorded.texts.join('\n'),
    );
  });

  it('shows no comment outside the workspace or beyond a file, whatever path a reply names [attack: findings]', async () => {
    await mkdir(outside, { recursive: true });
    await writeFile(path.join(outside, 'secret.txt'), 'x\n');
    await symlink(outside, path.join(root.fsPath, 'link'));
    await symlink(path.join(outside, 'secret.txt'), path.join(root.fsPath, 'link.txt'));
    const secret = path.join(outside, 'secret.txt');
    const paths = [
      secret,
      `../../${path.basename(outside)}/secret.txt`,
      `a/../../../${path.basename(outside)}/secret.txt`,
      `..\\..\\${path.basename(outside)}\\secret.txt`,
      'link/secret.txt',
      'link.txt',
      './../reviewed/src/app.ts',
      'src',
      '.',
      'src/app.ts\0',
      '\ufdd0',
      '//server/share/x',
      'missing.ts',
    ];
    const lines = [...paths.map((each) => `${each}:1: x`), 'src/app.ts:8: x', 'src/app.ts:9999999: x'];
    await review([...lines, 'src/app.ts:2: placed'].join('\n'));
    assert.deepEqual(await getComments(), ['reviewed/src/app.ts:3: placed']);
    assert.ok(recorded.texts.some((text) => /more findings are only in the reply/.test(text)));
  });

  it('shows comments as plain text, with what can’t be seen in them [attack: findings]', async () => {
    const html = '<img src="https://evil.example/x"><a href="command:x">a</a> ![i](https://evil.example/i)';
    await review(`src/app.ts:1: ${HOSTILE} ${html}\nsrc/app.ts:2: \u202eabc\u{e0041}`);
    const threads = await getThreads();
    assert.equal(threads.length, 2);
    for (const { comments, label, canReply } of threads) {
      const [comment] = comments;
      assert.equal(canReply, false);
      // A string is plain text; Markdown is an object.
      assert.ok(typeof comment?.body === 'string');
      assertInert([...comment.body.split('\n'), label ?? '', comment.author.name]);
    }
    assert.match(String(threads[1]?.comments[0]?.body), /^\\u\{202e\}abc\\u\{e0041\}$/);
  });

  it('shows at most 200 comments of a reply with 20,000 findings [attack: findings]', async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => `src/app.ts:${(index % 6) + 1}: finding ${index}`,
    );
    await review(lines.join('\n'));
    assert.equal((await getThreads()).length, 200);
    assert.ok(recorded.texts.some((text) => text.includes('19,800 more findings are only in the reply.')));
  });

  it('resolves, reopens and dismisses a finding at the cursor, and clears all', async () => {
    await review('src/app.ts:2: a\nsrc/app.ts:3: b\nsrc/app.ts:4: c');
    const uri = vscode.Uri.joinPath(root, 'src/app.ts');
    const editor = await vscode.window.showTextDocument(uri);
    const moveTo = (line: number) => {
      editor.selection = new vscode.Selection(line, 0, line, 0);
    };
    const replies = await getReplies();
    moveTo(2);
    replies.setFindingState(undefined, 'resolved');
    const [first, second] = replies.threads;
    assert.deepEqual(
      [first?.state, first?.contextValue],
      [vscode.CommentThreadState.Resolved, 'resolvedFinding'],
    );
    replies.setFindingState(undefined, 'open');
    assert.equal(first?.contextValue, 'finding');
    replies.setFindingState(second, 'dismissed');
    assert.deepEqual(await getComments(), ['reviewed/src/app.ts:3: a', 'reviewed/src/app.ts:5: c']);
    moveTo(0);
    replies.setFindingState(undefined, 'dismissed');
    assert.ok(recorded.texts.includes('There is no finding at the cursor.'));
    // The comments follow the text.
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'new\nnew\n'));
    assert.deepEqual(await getComments(), ['reviewed/src/app.ts:5: a', 'reviewed/src/app.ts:7: c']);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    replies.clearFindings();
    assert.deepEqual(await getThreads(), []);
  });

  it('removes the comments with their conversation, restores them if that is undone, and replaces them by a new review’s', async () => {
    const first = await review('src/app.ts:1: a');
    const { chat } = fixture.services;
    await chat.deleteConversation(first);
    assert.deepEqual(await getComments(), []);
    await chat.undelete(first);
    const replies = await getReplies();
    await until(() => replies.threads.length > 0);
    await review('src/app.ts:2: b');
    assert.deepEqual(await getComments(), ['reviewed/src/app.ts:3: b']);
    assert.notEqual(opened, first);
    await chat.deleteConversation(opened ?? '');
    await chat.purge(opened ?? '');
    assert.deepEqual(await getComments(), []);
  });

  it('keeps its comments, without those that were dismissed, when the window is reloaded', async () => {
    await review('src/app.ts:1: a\nsrc/app.ts:2: b');
    const replies = await getReplies();
    replies.setFindingState(replies.threads[0], 'dismissed');
    const { ReviewMemory, ReviewReplies } = await import('../../../src/host/reviews/lazyReviews');
    const { chat, memory } = fixture.services;
    const restored = new ReviewReplies(chat, new ReviewMemory(memory));
    try {
      await restored.restoreComments();
      assert.deepEqual(
        restored.threads.map(({ comments }) => comments[0]?.body),
        ['b'],
      );
    } finally {
      restored.dispose();
    }
  });

  it('reads nothing in Restricted Mode', async () => {
    const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
    try {
      await (await fixture.services.getReviewActions()).reviewChanges({ rootUri: root });
    } finally {
      if (trust) Object.defineProperty(vscode.workspace, 'isTrusted', trust);
    }
    assert.deepEqual(recorded.texts, [
      'In Restricted Mode, Parley reads no changes. Trust the workspace to review them.',
      'Manage Workspace Trust',
    ]);
  });

  it('says that it needs the Git extension where there is none, as on the web', async () => {
    const { getExtension } = vscode.extensions;
    Object.assign(vscode.extensions, { getExtension: () => undefined });
    try {
      await (await fixture.services.getReviewActions()).reviewChanges();
    } finally {
      Object.assign(vscode.extensions, { getExtension });
    }
    assert.match(recorded.texts[0] ?? '', /^Reviewing changes needs VS Code’s Git extension/);
  });
});
