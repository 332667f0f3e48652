import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Command } from '../../../src/host/base/names';
import { RecordingActions } from '../../../src/host/recording/recordingActions';
import { ServiceFetch } from '../../../src/host/service/serviceFetch';
import { startServer, stopServers } from '../../client/support/servers';
import { parseRecording } from '../../service/replay/recording';
import { closeEditors } from '../support/closeEditors';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

describe('Record Service Answers', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let actions: RecordingActions;
  let recorded: RecordedWindow;
  /** The items that are checked in the quick pick; undefined cancels it. */
  let checked: readonly string[] | undefined;
  /** The items that were added to the status bar. */
  let statusItems: vscode.StatusBarItem[];
  const { createStatusBarItem } = vscode.window;

  beforeEach(async () => {
    fixture = await startServices();
    // A new window lists the bots in the background.
    await fixture.services.bots.fetchBots();
    await fixture.service.waitForRequest((request) => request.path.startsWith('/api/v1/bots'));
    actions = await fixture.services.getRecordingActions();
    checked = [];
    recorded = new RecordedWindow(({ by, items }: Shown) => {
      if (by !== 'QuickPick') return undefined;
      return checked && items.filter(({ label }) => checked?.includes(label));
    });
    statusItems = [];
    const addStatusItem = (id: string, alignment: vscode.StatusBarAlignment) => {
      const item = createStatusBarItem(id, alignment);
      statusItems.push(item);
      return item;
    };
    Object.assign(vscode.window, { createStatusBarItem: addStatusItem });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { createStatusBarItem });
    recorded.dispose();
    await closeEditors();
    await fixture.close();
  });

  async function ask(text: string): Promise<void> {
    const { chat, replies } = fixture.services;
    const { id } = chat.createConversation({ id: 'echo', name: 'Echo' });
    assert.equal(await replies.send(id, text), 'sent');
    await replies.whenDone(id);
  }

  /** Records what happens during `work`; resolves to the text of the file that is then open, if there is one. */
  async function record(work: () => Promise<unknown>): Promise<string> {
    const done = actions.record();
    await until(() => statusItems.length > 0);
    await work();
    await actions.record();
    await done;
    return vscode.window.activeTextEditor?.document.getText() ?? '';
  }

  it('opens what was recorded as a file that isn’t saved', async () => {
    const { service } = fixture;
    const text = await record(() => ask('What is moss?'));
    const { uri, languageId, isUntitled } = vscode.window.activeTextEditor?.document ?? assert.fail();
    assert.deepEqual([uri.scheme, languageId, isUntitled], ['untitled', 'json', true]);
    const { exchanges, textsKept } = parseRecording(text);
    assert.equal(textsKept, false);
    const streamed = exchanges.find(({ origin }) => origin === 'stream');
    const events = streamed?.response?.events?.map((event) => event.text) ?? [];
    assert.match(events.join(''), /\[START\].*"chunk":"x+".*\[END\]/s);
    const message = `Recorded ${exchanges.length} requests. Review the recording before you save it.`;
    assert.ok(recorded.texts.some((shown) => shown.startsWith(message)));
    for (const secret of [service.key, '127.0.0.1', 'moss']) assert.ok(!text.includes(secret), secret);
    // Not within a longer number: a time may have the same digits.
    assert.doesNotMatch(text, new RegExp(`(?<!\\d)${new URL(service.baseUrl).port}(?!\\d)`));
  });

  it('keeps texts and names if that is checked, but no key and no host [attack: recording]', async () => {
    checked = ['Keep message text and names'];
    const { service } = fixture;
    const text = await record(async () => {
      await ask(`Is ${service.key} moss at ${service.apiOrigin}?`);
      await ask('Is it fern?');
    });
    assert.match(text, /Is it fern\?/);
    for (const secret of [service.key, '127.0.0.1']) assert.ok(!text.includes(secret), secret);
    assert.equal(parseRecording(text).textsKept, true);
  });

  it('has no key that is stored, even if only requests without it were sent', async () => {
    checked = ['Keep message text and names'];
    const server = await startServer((_, response) => response.end('It is the-stored-key.'));
    const serviceFetch = new ServiceFetch();
    actions = new RecordingActions({ keys: { get: async () => ' the-stored-key ' }, serviceFetch });
    const { signal } = new AbortController();
    const init = { method: 'PUT', headers: {}, redirect: 'manual', signal } as const;
    try {
      const fetch = serviceFetch.create(`${server.origin}/api/v1`);
      const text = await record(async () => (await fetch(`${server.origin}/file`, init)).text());
      assert.equal(
        parseRecording(text).exchanges[0]?.response?.text,
        'x'.repeat('It is the-stored-key.'.length),
      );
    } finally {
      actions.dispose();
      await stopServers();
    }
  });

  it('counts the requests in the status bar, whose item stops it, and records none after it has ended', async () => {
    const text = await record(async () => {
      const [item] = statusItems;
      assert.equal(item?.text, '$(record) Recording: 0');
      await fixture.services.bots.listBots();
      assert.equal(item.text, '$(record) Recording: 1');
      assert.match(item.accessibilityInformation?.label ?? '', /: 1 so far\. Select to stop /);
      assert.equal(item.command, Command.recordAnswers);
    });
    await ask('What is moss?');
    assert.deepEqual(
      parseRecording(text).exchanges.map(({ operation }) => operation),
      ['GET /bots'],
    );
    assert.ok(recorded.texts.some((shown) => shown.startsWith('Recorded 1 request. ')));
  });

  it('records nothing if its question is canceled', async () => {
    checked = undefined;
    await actions.record();
    assert.deepEqual(
      recorded.shown.map(({ by }) => by),
      ['QuickPick'],
    );
    assert.deepEqual(statusItems, []);
  });

  it('says so if there is nothing to save', async () => {
    assert.equal(await record(async () => undefined), '');
    const message = 'Parley sent no requests during the recording, so there is nothing to save.';
    assert.ok(recorded.texts.includes(message));
  });

  it('ends by itself when the time is up', async () => {
    const keys = { get: async () => undefined };
    const limited = new RecordingActions({ keys, serviceFetch: new ServiceFetch(), maxDurationMs: 1 });
    await limited.record();
    limited.dispose();
    assert.match(recorded.texts.at(-1) ?? '', /nothing to save/);
  });

  it('ends without a file when the window closes', async () => {
    const text = await record(async () => {
      await fixture.services.bots.listBots();
      actions.dispose();
      // What follows would start another one.
      checked = undefined;
    });
    assert.equal(text, '');
    assert.ok(recorded.shown.every(({ by }) => by === 'QuickPick'));
  });
});
