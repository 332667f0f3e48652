import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ReplyTurn } from '../../../src/chat/model/turn';
import { createServices, type Services } from '../../../src/host/hostServices';
import { ApiKeys } from '../../../src/host/service/apiKeys';
import { toProblem } from '../../../src/host/service/failureText';
import { ServiceFetch } from '../../../src/host/service/serviceFetch';
import { SetupGuide } from '../../../src/host/service/setupGuide';
import { type LocalService, startLocalService } from '../../service/localService';
import { MemorySecrets, MemoryState } from '../support/memory';
import { RecordedWindow } from '../support/recordedWindow';
import { setSetting } from '../support/setSetting';
import { getFailureText } from '../support/shown';
import { until } from '../support/until';

const setBaseUrl = (url: string | undefined) => setSetting('parley.baseUrl', url);

describe('An API key', () => {
  let folder: string;
  let secrets: MemorySecrets;
  let service: LocalService;
  let other: LocalService;
  let here: Services;
  /** The texts of input boxes and notifications; `typed` has the next inputs. */
  let asked: string[];
  let typed: (string | undefined)[];
  let recorded: RecordedWindow;
  const { window } = vscode;
  const { showInputBox, showErrorMessage, showWarningMessage, showInformationMessage } = window;
  const { createOutputChannel } = window;
  // VS Code creates the channel with a name only once, even after it was disposed.
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (_reason?: unknown): void => undefined,
    dispose: () => undefined,
  };

  before(async () => {
    [service, other] = await Promise.all([startLocalService(), startLocalService()]);
    await setSetting('parley.botId', 'echo');
  });
  after(async () => {
    await Promise.all([service.close(), other.close()]);
    await setBaseUrl(undefined);
    await setSetting('parley.botId', undefined);
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-keys-'));
    secrets = new MemorySecrets();
    asked = [];
    typed = [];
    // Other…
    recorded = new RecordedWindow(({ items }) => items.at(-1));
    window.showInputBox = async (options?: vscode.InputBoxOptions) => {
      asked.push(options?.prompt ?? '');
      return typed.shift();
    };
    Object.assign(window, { createOutputChannel: () => log });
    const show = async (text: string) => void asked.push(text);
    Object.assign(window, { showErrorMessage: show, showWarningMessage: show, showInformationMessage: show });
    await setBaseUrl(service.baseUrl);
    here = openWindow();
    await here.setup.checkSetup();
  });
  afterEach(async () => {
    Object.assign(window, { showInputBox, showErrorMessage, showWarningMessage, showInformationMessage });
    Object.assign(window, { createOutputChannel });
    recorded.dispose();
    await here.close();
    here.dispose();
    for (const each of [service, other]) {
      each.reset();
      each.clearRecords();
    }
    await rm(folder, { recursive: true, force: true });
  });

  /** Creates all services of a window, with the secrets and files that windows share. */
  function openWindow(): Services {
    const context = {
      secrets,
      globalState: new MemoryState(),
      workspaceState: new MemoryState(),
      globalStorageUri: vscode.Uri.file(folder),
      extensionUri: vscode.Uri.file(folder),
    };
    return createServices(context as unknown as vscode.ExtensionContext);
  }

  /** Sends a message in a new conversation and waits for the reply to end. */
  async function ask(): Promise<{ id: string; reply: ReplyTurn }> {
    const { id } = here.chat.createConversation({ id: 'echo', name: 'Echo' });
    assert.equal(await here.replies.send(id, 'Hi'), 'sent');
    await here.replies.whenDone(id);
    // Its sources are requested in the background.
    await here.sources.whenSettled(id);
    const reply = here.chat.findConversation(id)?.turns.at(-1);
    assert.ok(reply?.kind === 'reply' && reply.ending);
    return { id, reply };
  }

  async function enterKey(key: string, setup = here.setup): Promise<boolean> {
    typed.push(key);
    const isSet = await setup.askApiKey();
    // Also waits for the bots that are requested in the background.
    await here.bots.fetchBots();
    return isSet;
  }

  const getActions = ({ failure }: ReplyTurn) => failure && toProblem(failure, true).actions;
  const getSentKeys = ({ requests }: LocalService) => requests.map(({ headers }) => headers.authorization);

  it('that can’t be read in the background is logged', async () => {
    const errors: unknown[] = [];
    const { error } = log;
    log.error = (reason?: unknown) => void errors.push(reason);
    const { get } = secrets;
    secrets.get = async () => assert.fail('Locked');
    try {
      here.setup.refreshInBackground();
      await until(() => errors.length > 0);
    } finally {
      Object.assign(log, { error });
      secrets.get = get;
    }
    assert.match(String(errors[0]), /Locked/);
  });

  it('is requested with the host name, checked, and used after it is set', async () => {
    assert.equal(here.setup.current.step, 'apiKey');
    assert.equal(await enterKey(` ${service.key} `), true);
    assert.match(asked.join(), new RegExp(new URL(service.baseUrl).host));
    assert.equal(here.setup.current.step, 'done');
    assert.equal((await ask()).reply.ending, 'complete');
  });

  it('is requested for a URL that was just entered and is still being saved', async () => {
    await setBaseUrl(undefined);
    typed.push(other.baseUrl, other.key);
    const url = here.setup.askBaseUrl();
    assert.equal(await here.setup.askApiKey(), true);
    assert.equal(await url, true);
    assert.equal(asked.length, 2);
    assert.deepEqual([service.requests.length, other.requests.length > 0], [0, true]);
  });

  it('is replaced by a valid one, but not by one that the service rejects', async () => {
    await enterKey(service.key);
    assert.equal(await enterKey('not-the-key'), false);
    assert.ok(asked.at(-1)?.startsWith(getFailureText('unauthorized')), asked.at(-1));
    assert.equal((await ask()).reply.ending, 'complete');
    // A service that can't check keys gets the new one with the next request.
    service.inject({ name: 'status', on: 'GET /bots', status: 404 });
    assert.equal(await enterKey('another-key'), true);
    assert.equal((await ask()).reply.failure?.code, 'unauthorized');
    assert.equal(getSentKeys(service).at(-1), 'Bearer another-key');
  });

  it('is no longer sent after it is cleared; conversations stay, and Set API Key is offered [fault 46]', async () => {
    await enterKey(service.key);
    const { id } = await ask();
    await here.setup.clearApiKey();
    assert.equal(here.setup.current.step, 'apiKey');
    const before = service.requests.length;
    const { reply } = await ask();
    assert.equal(reply.failure?.code, 'keyMissing');
    assert.ok(getActions(reply)?.includes('setApiKey'));
    assert.equal(service.requests.length, before);
    assert.equal(here.chat.findConversation(id)?.turns.length, 2);
    assert.deepEqual(await secrets.keys(), []);
  });

  it('that another window changes is used for the next request, and updates the setup state', async () => {
    const there = new SetupGuide(
      new ApiKeys(secrets),
      here.bots,
      log as unknown as vscode.LogOutputChannel,
      new ServiceFetch(),
    );
    await enterKey(service.key, there);
    await until(() => here.setup.current.step === 'done');
    assert.equal((await ask()).reply.ending, 'complete');
    await there.clearApiKey();
    await until(() => here.setup.current.step === 'apiKey');
    assert.equal((await ask()).reply.failure?.code, 'keyMissing');
    there.dispose();
  });

  it('that the secret storage lost can be set again, and Retry sends the same message', async () => {
    await enterKey(service.key);
    secrets.lose();
    const { id, reply } = await ask();
    assert.equal(reply.failure?.code, 'keyMissing');
    assert.deepEqual(getActions(reply), ['retry', 'setApiKey']);
    await enterKey(service.key);
    assert.equal(await here.replies.retry(id, reply.id, async () => true), 'sent');
    await here.replies.whenDone(id);
    assert.deepEqual(
      here.chat.findConversation(id)?.turns.map(({ kind }) => kind),
      ['message', 'reply'],
    );
    const answered = here.chat.findConversation(id)?.turns.at(-1);
    assert.ok(answered?.kind === 'reply' && answered.ending === 'complete');
  });

  it('the key of one origin is never sent to another origin, and is kept when the URL changes', async () => {
    await enterKey(service.key);
    await setBaseUrl(other.baseUrl);
    await until(() => here.setup.current.step === 'apiKey');
    assert.equal((await ask()).reply.failure?.code, 'keyMissing');
    assert.deepEqual(other.requests, []);
    await enterKey(other.key);
    assert.equal((await ask()).reply.ending, 'complete');
    assert.ok(!getSentKeys(other).includes(`Bearer ${service.key}`));
    await setBaseUrl(service.baseUrl);
    await until(() => here.setup.current.step === 'done');
    assert.equal((await ask()).reply.ending, 'complete');
    assert.ok(!getSentKeys(service).includes(`Bearer ${other.key}`));
  });

  it('the key is stored for the origin in the input box, even if the URL changes in the meantime', async () => {
    window.showInputBox = async () => {
      await setBaseUrl(other.baseUrl);
      return service.key;
    };
    assert.equal(await here.setup.askApiKey(), true);
    assert.equal(here.setup.current.step, 'apiKey');
    assert.deepEqual(other.requests, []);
  });

  it('that many requests find rejected opens no input box by itself, and only one on request [fault 9]', async () => {
    await enterKey(service.key);
    asked = [];
    service.inject({ name: 'status', on: '*', status: 401, times: Number.POSITIVE_INFINITY });
    for (const { reply } of await Promise.all(Array.from({ length: 20 }, () => ask()))) {
      assert.equal(reply.failure?.code, 'unauthorized');
      assert.ok(getActions(reply)?.includes('setApiKey'));
    }
    assert.deepEqual(asked, []);
    // Many pages and commands ask for the key before anything is typed.
    service.clearFaults();
    let type: (key: string) => void = () => undefined;
    window.showInputBox = (options?: vscode.InputBoxOptions) => {
      asked.push(options?.prompt ?? '');
      return new Promise<string>((resolve) => {
        type = resolve;
      });
    };
    const answers = Array.from({ length: 20 }, () => here.setup.askApiKey());
    await until(() => asked.length > 0);
    // The old key is kept: the service may be at fault.
    assert.equal((await ask()).reply.ending, 'complete');
    type(service.key);
    assert.deepEqual(new Set(await Promise.all(answers)), new Set([true]));
    assert.equal(asked.length, 1);
  });
});
