import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { collectCandidates } from '../../src/host/documents/uploadActions';
import { inspectBytes } from '../../src/host/files/candidate';
import { type BotItem, pickBot } from '../../src/host/service/botPicker';
import { confirmed } from '../chat/support/confirmed';
import { assertInert, HOSTILE } from './support/hostile';
import { RecordedWindow, type Shown } from './support/recordedWindow';
import { type TestServices, useServices } from './support/testServices';

describe('A hostile name', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let answer: (shown: Shown) => unknown;

  beforeEach(async () => {
    fixture = await startServices();
    answer = () => undefined;
    recorded = new RecordedWindow((shown) => answer(shown));
  });
  afterEach(async () => {
    recorded.dispose();
    await fixture.close();
  });

  const check = () => {
    assert.ok(
      recorded.texts.some((text) => text.includes('Retry')),
      recorded.texts.join(),
    );
    assertInert(recorded.texts);
  };
  const newConversation = async () => {
    const { chat, replies } = fixture.services;
    const { id } = chat.createConversation({ id: 'echo', name: HOSTILE });
    assert.equal(await replies.send(id, 'Hi'), 'sent');
    await replies.whenDone(id);
    chat.update(id, { name: HOSTILE });
    return id;
  };

  it('a conversation’s name is inert in the dialogs that delete it [attack: notification]', async () => {
    answer = ({ buttons }) => buttons[0];
    await fixture.services.conversations.delete(await newConversation());
    assert.equal(recorded.shown.length, 2);
    check();
  });

  it('the names of an imported file and its conversation are inert in notifications [attack: notification]', async () => {
    const id = await newConversation();
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-names-'));
    try {
      const good = vscode.Uri.file(path.join(folder, 'good.json'));
      const exportActions = await fixture.services.getExportActions();
      assert.equal(await exportActions.write(id, good), true);
      await exportActions.read(good);
      const bad = path.join(folder, '[Retry](command:x).json');
      await writeFile(bad, '{"[Retry](command:y)');
      await exportActions.read(vscode.Uri.file(bad));
      assert.equal(recorded.shown.length, 2);
      check();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('the name of a file that can’t be uploaded is inert in the error message [attack: notification]', async () => {
    const missing = vscode.Uri.file(path.join(tmpdir(), '[Retry](command:x) \u202e.txt'));
    await collectCandidates([missing]);
    check();
  });

  it('a folder’s name is inert in the quick pick of folders [attack: notification]', async () => {
    const { chat, uploads, uploadFolders } = fixture.services;
    const folder = { id: '1', name: HOSTILE };
    uploadFolders.listFolders = async () => [folder];
    await uploadFolders.remember(fixture.service.baseUrl, folder);
    answer = ({ items }) => {
      if (items.length > 0) recorded.quickPick?.hide();
    };
    // The folder’s name is in the question too.
    const { id } = chat.createConversation({ id: 'echo', name: 'Echo' });
    await uploads.add(id, confirmed(inspectBytes('a.txt', new Uint8Array([65])).file)).finished;
    check();
  });

  it('a bot’s name is inert in the quick pick of bots [attack: notification]', async () => {
    const { bots } = fixture.services;
    bots.listBots = async () => [{ id: '1', name: HOSTILE, model: HOSTILE }];
    answer = ({ items }) => items.find((item: BotItem) => item.bot);
    const current = { id: '1', name: HOSTILE };
    const options = { title: HOSTILE, placeholder: HOSTILE, recent: [], current, offersNew: true };
    assert.equal((await pickBot(bots, options))?.bot.name, HOSTILE);
    check();
  });
});
