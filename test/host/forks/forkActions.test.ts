import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { exportJson } from '../../../src/chat/export/conversationFile';
import { registerFeatures } from '../../../src/host/features';
import type { HostPage } from '../../../src/host/panel/page/hostPage';
import type { BotItem } from '../../../src/host/service/botPicker';
import { conversationOf } from '../../chat/support/conversations';
import { writeTo } from '../../chat/support/writing';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

describe('Fork from Here', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let answer: (shown: Shown) => unknown;
  let opened: string[];
  let id: string;

  beforeEach(async () => {
    fixture = await startServices();
    answer = () => undefined;
    recorded = new RecordedWindow((shown) => answer(shown));
    opened = [];
    const { chat, panel, replies } = fixture.services;
    const open = async (conversationId: string) => void opened.push(conversationId);
    const show = async (_page: HostPage, conversationId: string) => opened.push(conversationId) > 0;
    Object.assign(panel, { showConversation: open, showInPage: show, returnTo: async () => undefined });
    ({ id } = chat.createConversation({ id: 'echo', name: 'Echo' }));
    await replies.send(id, 'What is moss?');
    await replies.whenDone(id);
  });
  afterEach(async () => {
    recorded.dispose();
    await fixture.close();
  });

  const find = (conversationId: string | undefined) =>
    fixture.services.chat.findConversation(conversationId ?? '') ?? assert.fail();
  const whenUploaded = async () => {
    await until(() =>
      find(opened[0]).turns.some((turn) => turn.kind === 'document' && turn.state === 'attached'),
    );
  };
  const getUploads = () =>
    [...fixture.service.objects.values()].map((bytes) => new TextDecoder().decode(bytes));

  it('uploads the transcript as Markdown and shows the fork in the page that asked, once for two clicks', async () => {
    const handlers = registerFeatures(fixture.services).intents;
    const turnId = find(id).turns.at(-1)?.id ?? '';
    const intent = { type: 'forkConversation', requestId: 'r', conversationId: id, turnId } as const;
    const signal = new AbortController().signal;
    const results = [1, 2].map(() => handlers.forkConversation(intent, {} as HostPage, signal));
    assert.deepEqual(await Promise.all(results), [true, false]);
    assert.equal(opened.length, 1);
    await whenUploaded();
    const [text = '', ...others] = getUploads();
    assert.match(
      text,
      /^# What is moss\?\n\nWith Echo, started .*\n\n## You · .*\n## Echo · .*What is moss\?\n$/s,
    );
    assert.deepEqual(others, []);
    assert.equal(find(opened[0]).name, 'What is moss? (Fork)');
  });

  it('says why nothing is forked if there is no message or the setup isn’t complete', async () => {
    const { chat, forks, setup } = fixture.services;
    assert.equal(await forks.fork(chat.createConversation({ id: 'echo', name: 'Echo' }).id), false);
    await setup.clearApiKey();
    assert.equal(await forks.fork(id), false);
    assert.deepEqual(recorded.texts.slice(0, 1), ['There are no messages to fork yet.']);
    assert.ok(recorded.texts.includes('Finish setting up Parley in its panel, then fork again.'));
    assert.deepEqual([opened, getUploads()], [[], []]);
  });

  it('is offered when the bot is changed, and leaves the conversation’s own bot', async () => {
    answer = ({ items }) => items.find((item: BotItem) => item.bot?.id === 'guide')?.buttons?.[1];
    await fixture.services.conversations.changeBot(id);
    await whenUploaded();
    assert.deepEqual([find(opened[0]).bot?.id, find(id).bot?.id], ['guide', 'echo']);
  });

  it('is offered after an import, and uploads nothing before', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-import-'));
    const file = path.join(folder, 'moss.json');
    const turns = [{ kind: 'message', id: 'm', text: 'Imported', at: 1 }] as const;
    await writeFile(file, exportJson({ ...conversationOf(turns), bot: { id: 'echo', name: 'Echo' } }));
    await (await fixture.services.getExportActions()).read(vscode.Uri.file(file));
    assert.deepEqual([recorded.shown.at(-1)?.buttons, getUploads()], [['Fork from Here'], []]);
    const { id: importedId } = conversationOf([]);
    await writeTo(fixture.services.chat, importedId, (permission) =>
      fixture.services.chat.writer.removeTurn(permission, 'm'),
    );
    await fixture.services.chat.deleteConversation(importedId);
    opened = [];
    answer = ({ buttons }) => buttons[0];
    await (await fixture.services.getExportActions()).read(vscode.Uri.file(file));
    await until(() => opened.length === 2);
    opened.shift();
    await whenUploaded();
    assert.match(getUploads()[0] ?? '', /Imported/);
    await rm(folder, { recursive: true });
  });
});
