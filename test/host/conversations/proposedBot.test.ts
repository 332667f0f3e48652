import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { closeEditors } from '../support/closeEditors';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

describe('Ask About Selection in a new conversation', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let choose: (shown: Shown) => unknown;
  let id: string;

  const getSelectedText = () =>
    fixture.services.chat.findConversation(id)?.composing?.context.map(({ text }) => text);
  const getBot = () => fixture.services.chat.findConversation(id)?.bot?.id;
  const getPickers = () => recorded.shown.filter(({ by }) => by === 'QuickPick');
  /** Asks about a line of a file. */
  const ask = async (name: string) => {
    const document = await vscode.workspace.openTextDocument(path.join(root, name));
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 1, 0);
    await (await fixture.services.getContextActions()).askAboutSelection();
  };

  beforeEach(async () => {
    await mkdir(path.join(root, '.vscode'), { recursive: true });
    await mkdir(path.join(root, 'billing'), { recursive: true });
    await writeFile(path.join(root, 'billing', 'a.ts'), 'const due = 1;\n');
    const bots = [{ id: 'guide', name: 'Not its name', for: ['billing/**'] }];
    await writeFile(path.join(root, '.vscode', 'parley.json'), JSON.stringify({ bots }));
    fixture = await startServices();
    const { services } = fixture;
    await services.bots.listBots();
    id = services.chat.createConversation(services.bots.named('echo')).id;
    Object.assign(services.panel, { getCurrentConversationId: async () => id, focus: async () => undefined });
    choose = () => undefined;
    recorded = new RecordedWindow((shown) => choose(shown));
  });
  afterEach(async () => {
    recorded.dispose();
    await closeEditors();
    await fixture.close();
    for (const name of ['.vscode', 'billing'])
      await rm(path.join(root, name), { recursive: true, force: true });
  });

  it('proposes the bot of the file first, with the reason, and then the bot that the conversation has', async () => {
    choose = ({ items }) => items.find(({ label }) => label === 'Guide');
    await ask('billing/a.ts');
    const [{ texts, items } = assert.fail()] = getPickers();
    assert.ok(texts.includes('Select a bot for the new conversation'), texts.join('\n'));
    assert.deepEqual(
      items.slice(0, 4).map(({ label, description = '' }) => [label, description.split(' · ')[0]]),
      [
        ['Suggested for this file', ''],
        ['Guide', 'for billing/**'],
        ['Recently used', ''],
        ['Echo', 'current'],
      ],
    );
    assert.deepEqual([getBot(), getSelectedText()?.length], ['guide', 1]);
  });

  it('keeps the bot if the user selects it, and doesn’t ask again in the same conversation', async () => {
    choose = ({ items }) => items.find(({ label }) => label === 'Echo');
    await ask('billing/a.ts');
    await ask('billing/a.ts');
    assert.deepEqual([getBot(), getSelectedText()?.length, getPickers().length], ['echo', 2, 1]);
  });

  it('changes nothing if the user cancels', async () => {
    choose = () => recorded.quickPick?.hide();
    await ask('billing/a.ts');
    assert.deepEqual([getBot(), getSelectedText() ?? [], getPickers().length], ['echo', [], 1]);
  });

  it('asks nothing for a file without a bot, or if the conversation has the file’s bot', async () => {
    await ask('notes.txt');
    assert.deepEqual([getBot(), getSelectedText()?.length], ['echo', 1]);
    const { chat, bots } = fixture.services;
    id = chat.createConversation(bots.named('guide')).id;
    await ask('billing/a.ts');
    assert.deepEqual([getBot(), getSelectedText()?.length, getPickers().length], ['guide', 1, 0]);
  });

  it('asks nothing in a conversation with messages, or with a draft', async () => {
    const { chat, replies, bots } = fixture.services;
    assert.equal(await replies.send(id, 'Hello'), 'sent');
    await replies.whenDone(id);
    await ask('billing/a.ts');
    id = chat.createConversation(bots.named('echo')).id;
    chat.composers.setDraft(id, 'Why?');
    await ask('billing/a.ts');
    assert.deepEqual([getBot(), getSelectedText()?.length, getPickers().length], ['echo', 1, 0]);
  });
});
