import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ReplyTurn } from '../../../../src/chat/model/turn';
import { ConversationDocuments } from '../../../../src/host/export/markdown/markdownDocuments';
import { ConversationFiles } from '../../../../src/host/export/markdown/markdownFileSystem';
import { conversationOf } from '../../../chat/support/conversations';
import { FakeChat } from '../../support/fakeChat';
import { assertInert, HOSTILE } from '../../support/hostile';
import { openText } from '../../support/openText';
import { until } from '../../support/until';

/** The extension itself registers `parley:`. */
const SCHEME = 'parley-test';

describe('A conversation as a document', () => {
  let chat: FakeChat;
  /** Another one for each test: VS Code keeps a closed document for some minutes. */
  let id: string;
  let documents: ConversationDocuments;
  let registered: vscode.Disposable;
  let changeEvents: vscode.FileChangeEvent[][];

  const message = { kind: 'message', id: 'm', text: 'What is *moss*?', at: 1 } as const;
  const reply: ReplyTurn = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text: 'A', at: 2 };
  const put = (text: string, rest: Partial<ReplyTurn> = {}) => {
    const conversation = conversationOf([message, { ...reply, text, ...rest }], 'Moss? Yes/No');
    chat.conversations.set(id, { ...conversation, id });
    return id;
  };
  /** Opens a conversation with a streaming reply in an editor. */
  const show = async (text = 'A') => {
    const id = put(text);
    await documents.showMarkdown(id);
    return { id, document: vscode.window.activeTextEditor?.document ?? assert.fail('No editor is open.') };
  };

  beforeEach(() => {
    chat = new FakeChat();
    id = crypto.randomUUID();
    documents = new ConversationDocuments(chat, SCHEME);
    const files = new ConversationFiles(async () => documents);
    registered = vscode.Disposable.from(files.register(SCHEME), documents.registerOutline());
    changeEvents = [];
    documents.onDidChangeFile((changes) => changeEvents.push([...changes]));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    registered.dispose();
    documents.dispose();
  });

  it('opens as Markdown with the conversation’s name', async () => {
    const { id, document } = await show();
    assert.equal(document.uri.path, `/${id}/Moss Yes No.parley.md`);
    assert.equal(document.languageId, 'parley-conversation');
    assert.match(
      document.getText(),
      /^# Moss\? Yes\/No\n[\s\S]*```text\nWhat is \*moss\*\?\n```[\s\S]*\nA\n/,
    );
  });

  it('has an outline with one symbol per turn, named by the question, whatever headings a reply has', async () => {
    const { document } = await show('# Moss\n\n## Kinds');
    const outline = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    assert.deepEqual(
      outline.map(({ name }) => name),
      ['Moss? Yes/No'],
    );
    const turns = outline[0]?.children.map(({ name, selectionRange, range }) => [
      name.split(' · ')[0],
      document.getText(selectionRange).split(' · ')[0],
      document.getText(range).trimEnd().split('\n').at(-1),
    ]);
    assert.deepEqual(turns, [
      ['What is *moss*?', '## You', '```'],
      ['Guide', '## Guide', '> Still replying.'],
    ]);
  });

  it('has an outline without icons and hidden characters, whatever its name is [attack: notification]', async () => {
    for (const name of [HOSTILE, '\u202e']) {
      const conversation = { ...conversationOf([message, reply], name), id: crypto.randomUUID() };
      chat.conversations.set(conversation.id, conversation);
      await documents.showMarkdown(conversation.id);
      const outline = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
        'vscode.executeDocumentSymbolProvider',
        vscode.window.activeTextEditor?.document.uri,
      );
      const names = outline.flatMap((symbol) => [symbol, ...symbol.children]).map((symbol) => symbol.name);
      assert.equal(names.length, 3);
      assertInert(names);
      for (const shown of names) assert.doesNotMatch(shown, /(?<!\\)\$\(/);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('is read-only', async () => {
    const { document } = await show();
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(document.isDirty, false);
    assert.equal(vscode.workspace.fs.isWritableFileSystem(SCHEME), false);
    await assert.rejects(Promise.resolve(vscode.workspace.fs.writeFile(document.uri, new Uint8Array(1))));
  });

  it('updates as a reply streams in, many chunks at a time', async () => {
    const { id, document } = await show('');
    let text = '';
    for (let count = 0; count < 1000; count++) {
      text += `word${count} `;
      put(text);
      chat.events.fire({ type: 'chunk', conversationId: id, turnId: 'r', text: `word${count} ` });
    }
    await until(() => document.getText().includes('word999'));
    put(text, { ending: 'stopped' });
    const ended = chat.findConversation(id)?.turns.at(-1);
    assert.ok(ended?.kind === 'reply');
    chat.events.fire({ type: 'ended', conversationId: id, turn: ended });
    await until(() => document.getText().endsWith('> Stopped.\n'));
    assert.equal(changeEvents.length, 2);
    assert.equal(document.isDirty, false);
  });

  it('shows the text that arrived while its tab was hidden', async () => {
    const { id, document } = await show('A');
    await vscode.window.showTextDocument(await openText('other'));
    put('A plant');
    chat.events.fire({ type: 'chunk', conversationId: id, turnId: 'r', text: ' plant' });
    await until(() => document.getText().includes('A plant'));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('is deleted with its conversation, and doesn’t exist for an unknown id', async () => {
    const { id, document } = await show();
    chat.conversations.delete(id);
    chat.events.fire({ type: 'deleted', conversationId: id });
    assert.deepEqual(
      changeEvents.map((changes) => changes.map(({ type, uri }) => [type, uri.path])),
      [[[vscode.FileChangeType.Deleted, document.uri.path]]],
    );
    for (const path of ['/nobody/x.md', `/${id}`, '/', `/../${id}/x.md`]) {
      await assert.rejects(
        Promise.resolve(vscode.workspace.fs.readFile(vscode.Uri.from({ scheme: SCHEME, path }))),
        vscode.FileSystemError,
      );
    }
  });

  it('fires no change for conversations without an open document', async () => {
    const id = put('A');
    chat.events.fire({ type: 'chunk', conversationId: id, turnId: 'r', text: 'A' });
    const { document } = await show('B');
    chat.events.fire({ type: 'draft', conversationId: id, text: 'x' });
    put('C');
    chat.events.fire({ type: 'chunk', conversationId: id, turnId: 'r', text: 'C' });
    await until(() => document.getText().includes('\nC\n'));
    assert.equal(changeEvents.length, 1);
  });

  it('has no links that run a command', async () => {
    const text = [
      '[a](command:x)',
      '[a](COMMAND:x)',
      '[a](\ncommand:x)',
      '<a href="comm&#97;nd:x">a</a>',
      '[a][b]\n\n[b]: <command: x>',
    ].join('\n\n');
    const links = async (uri: vscode.Uri) => {
      const found = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        uri,
        100,
      );
      return found.map(({ target }) => `${target}`);
    };
    const { document } = await show(`${text}\n\nhttps://moss.example`);
    assert.deepEqual(await links(document.uri), ['https://moss.example/']);
  });
});
