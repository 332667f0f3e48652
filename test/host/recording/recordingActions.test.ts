import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { RECORDING_SCHEME } from '../../../src/host/base/names';
import { RecordingActions } from '../../../src/host/recording/recordingActions';
import { ServiceFetch } from '../../../src/host/service/serviceFetch';
import { parseRecording, type Recording } from '../../service/replay/recording';
import { closeEditors } from '../support/closeEditors';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

describe('Record Service Answers', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let actions: RecordingActions;
  let recorded: RecordedWindow;
  let folder: string;
  /** The items that are checked in the quick pick; undefined cancels it. */
  let checked: readonly string[] | undefined;
  /** The buttons that are selected in notifications, one after the other. */
  let selected: string[];
  /** The files that are chosen in the save dialog, one after the other. */
  let files: (vscode.Uri | undefined)[];
  const { showSaveDialog } = vscode.window;

  beforeEach(async () => {
    fixture = await startServices();
    // A new window lists the bots in the background.
    await fixture.services.bots.refresh();
    await fixture.service.waitForRequest((request) => request.path.startsWith('/api/v1/bots'));
    actions = await fixture.services.getRecordingActions();
    folder = await mkdtemp(path.join(tmpdir(), 'parley-recording-'));
    checked = [];
    selected = [];
    files = [];
    recorded = new RecordedWindow(({ by, items }: Shown) => {
      if (by === 'QuickPick') return checked && items.filter(({ label }) => checked?.includes(label));
      return by === 'Information' ? selected.shift() : undefined;
    });
    Object.assign(vscode.window, { showSaveDialog: async () => files.shift() });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showSaveDialog });
    recorded.dispose();
    await closeEditors();
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function ask(text: string): Promise<void> {
    const { chat, replies } = fixture.services;
    const { id } = chat.create({ id: 'echo', name: 'Echo' });
    assert.equal(await replies.send(id, text), 'sent');
    await replies.whenDone(id);
  }

  /** Starts a recording; resolves once it runs. */
  async function start(): Promise<{ readonly done: Promise<void> }> {
    const done = actions.record();
    await until(() => recorded.texts.some((text) => text.startsWith('0 so far.')));
    return { done };
  }

  const file = (name: string) => vscode.Uri.file(path.join(folder, name));
  const findEditor = () => {
    const { activeTextEditor } = vscode.window;
    return activeTextEditor?.document.uri.scheme === RECORDING_SCHEME ? activeTextEditor : undefined;
  };
  const hasTab = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .some(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === RECORDING_SCHEME);

  it('shows what was recorded in a read-only editor, and saves it on request', async () => {
    const { done } = await start();
    await ask('What is moss?');
    selected = ['Save…'];
    // The answer to the dialog is awaited, so that the editor can be looked at.
    let choose: (uri: vscode.Uri) => void = () => undefined;
    const chosen = new Promise<vscode.Uri>((resolve) => {
      choose = resolve;
    });
    Object.assign(vscode.window, {
      showSaveDialog: async ({ defaultUri }: vscode.SaveDialogOptions) => {
        assert.match(defaultUri?.path ?? '', /\/parley-recording-[\dT-]+\.json$/);
        return chosen;
      },
    });
    await actions.record();
    const editor = await until(findEditor);
    const text = editor.document.getText();
    assert.equal(editor.document.languageId, 'json');
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(editor.document.isDirty, false);
    choose(file('saved.json'));
    await done;
    assert.equal(await readFile(file('saved.json').fsPath, 'utf8'), text);
    assert.equal(hasTab(), false);
    assert.equal(`${vscode.window.activeTextEditor?.document.uri}`, `${file('saved.json')}`);

    const { exchanges, textsKept }: Recording = parseRecording(text);
    assert.equal(textsKept, false);
    const streamed = exchanges.find(({ origin }) => origin === 'stream');
    assert.match(
      streamed?.response?.events?.map((event) => event.text).join('') ?? '',
      /\[START\].*\[END\]/s,
    );
    assert.ok(
      recorded.texts.includes(
        `Recorded ${exchanges.length} requests. Review the recording before you save it. Nothing has been saved or sent yet.`,
      ),
    );
    const { service } = fixture;
    for (const secret of [service.key, '127.0.0.1', new URL(service.baseUrl).port, 'moss'])
      assert.ok(!text.includes(secret), secret);
  });

  it('keeps texts and names if that is checked, but no key and no host [attack: recording]', async () => {
    checked = ['Keep texts and names'];
    const { done } = await start();
    const { service } = fixture;
    await ask(`Is ${service.key} moss at ${service.apiOrigin}?`);
    await ask('Is it fern?');
    await actions.record();
    await done;
    const text = findEditor()?.document.getText() ?? '';
    assert.match(text, /Is it fern\?/);
    for (const secret of [service.key, '127.0.0.1']) assert.ok(!text.includes(secret), secret);
    assert.equal(parseRecording(text).textsKept, true);
  });

  it('counts the requests, and ends when its progress is canceled', async () => {
    const { done } = await start();
    await fixture.services.bots.list();
    await until(() => recorded.texts.some((text) => text.startsWith('1 so far.')));
    recorded.progress?.cancel();
    await done;
    await ask('What is moss?');
    const { exchanges } = parseRecording(findEditor()?.document.getText() ?? '');
    assert.deepEqual(
      exchanges.map(({ operation }) => operation),
      ['GET /bots'],
    );
  });

  it('closes the editor and saves nothing if the recording is discarded', async () => {
    const { done } = await start();
    await fixture.services.bots.list();
    selected = ['Discard'];
    files = [file('x.json')];
    await actions.record();
    await done;
    assert.match(recorded.texts.join('\n'), /^Recorded 1 request\. Review /m);
    assert.equal(hasTab(), false);
    assert.equal(files.length, 1);
  });

  it('leaves the editor open if the notification is closed, and can run again', async () => {
    for (let count = 0; count < 2; count++) {
      const { done } = await start();
      await fixture.services.bots.list();
      await actions.record();
      await done;
      assert.equal(hasTab(), true);
      recorded.shown.length = 0;
    }
  });

  it('asks again if the file couldn’t be written or no file was chosen', async () => {
    const { done } = await start();
    await fixture.services.bots.list();
    await writeFile(file('file').fsPath, '');
    selected = ['Save…', 'Save…', 'Save…'];
    files = [vscode.Uri.joinPath(file('file'), 'x.json'), undefined, file('saved.json')];
    await actions.record();
    await done;
    assert.ok(
      recorded.shown.some(
        ({ by, texts }) => by === 'Error' && texts[0]?.startsWith('Couldn’t write x.json.'),
      ),
    );
    parseRecording(await readFile(file('saved.json').fsPath, 'utf8'));
  });

  it('records nothing if its question is canceled', async () => {
    checked = undefined;
    await actions.record();
    assert.deepEqual(
      recorded.shown.map(({ by }) => by),
      ['QuickPick'],
    );
  });

  it('says so if there is nothing to save', async () => {
    const { done } = await start();
    await actions.record();
    await done;
    assert.ok(
      recorded.texts.includes('Parley sent no requests during the recording, so there is nothing to save.'),
    );
    assert.equal(hasTab(), false);
  });

  it('ends by itself when the time is up', async () => {
    const keys = { get: async () => undefined };
    const limited = new RecordingActions({ keys, serviceFetch: new ServiceFetch(), maxDurationMs: 1 });
    await limited.record();
    limited.dispose();
    assert.match(recorded.texts.at(-1) ?? '', /nothing to save/);
  });

  it('ends without a question when the window closes', async () => {
    const { done } = await start();
    await fixture.services.bots.list();
    actions.dispose();
    await done;
    assert.deepEqual(
      recorded.shown.filter(({ by }) => by === 'Information'),
      [],
    );
    assert.equal(hasTab(), false);
  });
});
