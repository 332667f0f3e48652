import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { MAX_FILE_BYTES } from '../../../src/chat/export/conversationFile';
import type { Turn } from '../../../src/chat/model/turn';
import { createLink } from '../../../src/host/conversations/links';
import { ExportActions } from '../../../src/host/export/exportActions';
import { showInert } from '../../../src/host/export/markdown/markdownView';
import { conversationOf } from '../../chat/support/conversations';
import { FakeChat } from '../support/fakeChat';
import { SilentFileSystem } from '../support/silentFileSystem';

const turns: Turn[] = [
  { kind: 'document', id: 'd', name: 'a.txt', size: 1234, sent: 0, at: 1, state: 'cancelled' },
  { kind: 'message', id: 'm', text: 'What is moss?', at: 2 },
  {
    ...{ kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text: 'A pl', at: 3, ending: 'interrupted' },
    failure: { code: 'interrupted', maySend: false },
    skipped: true,
  },
];

describe('Export and import', () => {
  let folder: string;
  let chat: FakeChat;
  let opened: string[];
  let forked: string[];
  let actions: ExportActions;
  const panel = {
    showConversation: async (id: string) => {
      opened.push(id);
    },
  };
  const conversation = conversationOf(turns);
  const file = (name: string) => vscode.Uri.file(path.join(folder, name));

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'parley-export-'));
    chat = new FakeChat();
    opened = [];
    forked = [];
    actions = new ExportActions({ chat, panel, forks: { fork: async (id) => forked.push(id) > 0 } });
    chat.importConversation(conversation);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await rm(folder, { recursive: true, force: true });
  });

  it('writes Markdown with states, endings and failures', async () => {
    assert.equal(await actions.write(conversation.id, file('moss.md')), true);
    const text = await readFile(file('moss.md').fsPath, 'utf8');
    assert.match(text, /^# Moss\n\nWith Guide, started /);
    assert.match(text, /\na\.txt {2}\n1\\\.2 KB · Canceled\n/);
    assert.match(
      text,
      /\nA pl\n\n> The reply was interrupted\. The part that arrived is kept\. The connection was closed before the reply was complete\. Parts of this reply couldn’t be read and were left out\.\n$/,
    );
  });

  it('writes HTML that loads and runs nothing', async () => {
    assert.equal(await actions.write(conversation.id, file('moss.html')), true);
    const text = await readFile(file('moss.html').fsPath, 'utf8');
    assert.match(text, /^<!DOCTYPE html>\n<html lang="en">/);
    assert.match(text, /<div class="text" dir="auto">\n<p>What is moss\?<\/p>/);
    assert.match(text, /default-src 'none'/);
    assert.doesNotMatch(text, /<script/);
  });

  it('writes several conversations to files with names of their own, and overwrites nothing', async () => {
    const other = { ...conversationOf(turns), id: 'other' };
    chat.importConversation(other);
    await writeFile(file('moss.md').fsPath, 'mine');
    const steps: number[] = [];
    const ids = [conversation.id, 'nobody', 'other'];
    const count = await actions.writeAll(ids, vscode.Uri.file(folder), 'md', (step) => steps.push(step) > 0);
    assert.equal(count, 2);
    assert.equal(Math.round(steps.reduce((sum, step) => sum + step, 0)), 100);
    assert.equal(await readFile(file('moss.md').fsPath, 'utf8'), 'mine');
    for (const name of ['Moss (2).md', 'Moss (3).md'])
      assert.match(await readFile(file(name).fsPath, 'utf8'), /^# Moss\n/);
  });

  it('overwrites nothing in a folder that can’t be read', async () => {
    const files = new SilentFileSystem();
    files.readDirectory = () => {
      throw vscode.FileSystemError.NoPermissions();
    };
    const registration = vscode.workspace.registerFileSystemProvider('parley-unreadable', files);
    const unreadable = vscode.Uri.parse('parley-unreadable:/folder');
    files.createDirectory(unreadable);
    files.writeFile(vscode.Uri.joinPath(unreadable, 'Moss.md'), new TextEncoder().encode('mine'));
    assert.equal(await actions.writeAll([conversation.id], unreadable, 'md'), 0);
    registration.dispose();
    assert.deepEqual(files.lengths, { 'Moss.md': 4 });
  });

  it('overwrites no file that the file system may not tell apart: case and accents', async () => {
    const named = {
      ...conversationOf([{ kind: 'message', id: 'm', text: 'Hi', at: 1 }]),
      name: 'Stra\u00dfe Caf\u00e9',
    };
    chat.importConversation(named);
    await writeFile(file('STRASSE cafe\u0301.MD').fsPath, 'mine');
    assert.equal(await actions.writeAll([named.id], vscode.Uri.file(folder), 'md'), 1);
    assert.match(await readFile(file('Stra\u00dfe Caf\u00e9 (2).md').fsPath, 'utf8'), /^# Stra\u00dfe/);
  });

  it('stops between two files when the export is canceled', async () => {
    assert.equal(await actions.writeAll([conversation.id], vscode.Uri.file(folder), 'json', () => false), 0);
  });

  it('opens exported Markdown without links that run a command [attack: command link]', async () => {
    const text = '[a](command:workbench.action.quit) <command:workbench.action.quit>';
    const hostile = conversationOf([
      { kind: 'message', id: 'm', text: 'Hi', at: 1 },
      { kind: 'reply', id: 'r', messageId: 'm', bot: 'Guide', text, at: 2, ending: 'complete' },
    ]);
    chat.importConversation(hostile);
    await actions.write(hostile.id, file('hostile.md'));
    await showInert(file('hostile.md'));
    const document = vscode.window.activeTextEditor?.document;
    assert.match(document?.getText() ?? '', /\(command:workbench\.action\.quit\)/);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document?.uri,
    );
    assert.deepEqual(
      links.filter(({ target }) => target?.scheme === 'command'),
      [],
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('imports an exported JSON file and opens the conversation', async () => {
    assert.equal(await actions.write(conversation.id, file('moss.JSON')), true);
    chat.conversations.clear();
    await actions.read(file('moss.JSON'));
    assert.deepEqual([...chat.conversations.values()], [conversation]);
    assert.deepEqual(opened, [conversation.id]);
  });

  it('imports a copy if the conversation already exists', async () => {
    await actions.write(conversation.id, file('moss.json'));
    await actions.read(file('moss.json'));
    const ids = [...chat.conversations.keys()];
    assert.equal(ids.length, 2);
    assert.deepEqual(opened, [ids[1]]);
    assert.deepEqual(chat.findConversation(conversation.id), conversation);
  });

  it('imports a copy while the conversation’s deletion isn’t complete', async () => {
    await actions.write(conversation.id, file('moss.json'));
    chat.conversations.clear();
    chat.deletedIds.add(conversation.id);
    await actions.read(file('moss.json'));
    chat.deletedIds.clear();
    assert.equal(chat.conversations.size, 1);
    assert.equal(chat.findConversation(conversation.id), undefined);
  });

  it('imports nothing from a file that is invalid, too large or missing', async () => {
    await writeFile(file('other.json').fsPath, '{}');
    await writeFile(file('large.json').fsPath, Buffer.alloc(MAX_FILE_BYTES + 1, 32));
    for (const name of ['other.json', 'large.json', 'missing.json', '.']) await actions.read(file(name));
    assert.deepEqual([...chat.conversations.keys()], [conversation.id]);
    assert.deepEqual(opened, []);
  });

  it('writes a link to a conversation on a service that opens it, as Markdown and HTML', async () => {
    const remote = { baseUrl: 'https://bots.example.com/api/v1', id: 'a"b)>' };
    const shared = { ...conversation, id: 'shared', remote };
    chat.importConversation(shared);
    const link = createLink(shared);
    await actions.write('shared', file('shared.md'));
    const markdown = await readFile(file('shared.md').fsPath, 'utf8');
    assert.ok(markdown.includes(`\n[Open in VS Code](<${link}>)\n`), markdown);
    assert.doesNotMatch(link, /["<>\s]/);
    await actions.write('shared', file('shared.html'));
    const html = await readFile(file('shared.html').fsPath, 'utf8');
    assert.ok(html.includes(`<a href="${link.replaceAll('&', '&amp;')}">Open in VS Code</a>`), html);
    await actions.write(conversation.id, file('moss.md'));
    assert.ok(!(await readFile(file('moss.md').fsPath, 'utf8')).includes('Open in VS Code'));
  });

  it('returns false if the file can’t be written', async () => {
    assert.equal(await actions.write(conversation.id, vscode.Uri.parse('parley:/x/y.md')), false);
    await writeFile(file('file').fsPath, '');
    assert.equal(await actions.write(conversation.id, vscode.Uri.joinPath(file('file'), 'moss.md')), false);
    assert.equal(await actions.write('nobody', file('x.md')), false);
  });

  it('copies the conversation as the same Markdown that it writes', async () => {
    await actions.write(conversation.id, file('moss.md'));
    await actions.copy(conversation.id);
    assert.equal(await vscode.env.clipboard.readText(), await readFile(file('moss.md').fsPath, 'utf8'));
  });
});
