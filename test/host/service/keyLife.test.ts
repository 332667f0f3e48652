import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ReplyTurn } from '../../../src/chat/model/conversation';
import { ApiKeys } from '../../../src/host/service/apiKeys';
import { toProblem } from '../../../src/host/service/failureText';
import { SetupGuide } from '../../../src/host/service/setupGuide';
import { createServices, type Services } from '../../../src/host/services';
import { type LocalService, startLocalService } from '../../service/localService';
import { MemorySecrets, MemoryState } from '../support/memory';
import { sentenceFor } from '../support/shown';
import { until } from '../support/until';

const parley = () => vscode.workspace.getConfiguration('parley');
const set = (name: string, value: unknown) => parley().update(name, value, vscode.ConfigurationTarget.Global);

describe('The life of an API key', () => {
  let folder: string;
  let secrets: MemorySecrets;
  let service: LocalService;
  let other: LocalService;
  let here: Services;
  /** What a person was asked or told outside the panel, and what is typed next. */
  let asked: string[];
  let typed: (string | undefined)[];
  const { window } = vscode;
  const { showInputBox, showErrorMessage, showWarningMessage, showInformationMessage } = window;
  const { createOutputChannel } = window;
  // VS Code gives a name's channel only once, also after it was disposed of.
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
    dispose: () => undefined,
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-keys-'));
    secrets = new MemorySecrets();
    [service, other] = await Promise.all([startLocalService(), startLocalService()]);
    asked = [];
    typed = [];
    window.showInputBox = async (options?: vscode.InputBoxOptions) => {
      asked.push(options?.prompt ?? '');
      return typed.shift();
    };
    Object.assign(window, { createOutputChannel: () => log });
    const tell = async (text: string) => void asked.push(text);
    Object.assign(window, { showErrorMessage: tell, showWarningMessage: tell, showInformationMessage: tell });
    await set('baseUrl', service.baseUrl);
    await set('botId', 'echo');
    here = openWindow();
    await here.setup.refresh();
  });
  afterEach(async () => {
    Object.assign(window, { showInputBox, showErrorMessage, showWarningMessage, showInformationMessage });
    Object.assign(window, { createOutputChannel });
    await here.close();
    here.dispose();
    await Promise.all([service.close(), other.close()]);
    service.reset();
    other.reset();
    await rm(folder, { recursive: true, force: true });
    await set('baseUrl', undefined);
    await set('botId', undefined);
  });

  /** All of Parley but what VS Code shows of it, on the secrets and files that every window shares. */
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

  /** Sends a message in a new conversation and resolves to the reply, once it ended. */
  async function ask(): Promise<{ id: string; reply: ReplyTurn }> {
    const { id } = here.chat.create({ id: 'echo', name: 'Echo' });
    assert.equal(await here.replies.send(id, 'Hi'), 'sent');
    await here.replies.whenDone(id);
    const reply = here.chat.find(id)?.turns.at(-1);
    assert.ok(reply?.kind === 'reply' && reply.ending);
    return { id, reply };
  }

  async function give(key: string, setup = here.setup): Promise<boolean> {
    typed.push(key);
    return setup.askApiKey();
  }

  const offered = ({ failure }: ReplyTurn) => failure && toProblem(failure, true).actions;
  const keysAt = (at: LocalService) => at.requests.map(({ headers }) => headers.authorization);

  it('set: it is asked for by the host’s name, checked, and used from then on', async () => {
    assert.equal(here.setup.current.step, 'apiKey');
    assert.equal(await give(` ${service.key} `), true);
    assert.match(asked.join(), new RegExp(new URL(service.baseUrl).host));
    assert.equal(here.setup.current.step, 'done');
    assert.equal((await ask()).reply.ending, 'complete');
  });

  it('set: while the URL that was just typed is still being written, it is asked for that one', async () => {
    await set('baseUrl', undefined);
    typed.push(other.baseUrl, other.key);
    const url = here.setup.askBaseUrl();
    assert.equal(await here.setup.askApiKey(), true);
    assert.equal(await url, true);
    assert.equal(asked.length, 2);
    assert.deepEqual([service.requests.length, other.requests.length > 0], [0, true]);
  });

  it('replaced: by one that the service takes; one that it rejects changes nothing', async () => {
    await give(service.key);
    assert.equal(await give('not-the-key'), false);
    assert.ok(asked.at(-1)?.startsWith(sentenceFor('unauthorized')), asked.at(-1));
    assert.equal((await ask()).reply.ending, 'complete');
    // A service that can't check keys learns the new one with the next request.
    service.inject({ name: 'status', on: 'GET /bots', status: 404 });
    assert.equal(await give('another-key'), true);
    assert.equal((await ask()).reply.failure?.code, 'unauthorized');
    assert.equal(keysAt(service).at(-1), 'Bearer another-key');
  });

  it('cleared: nothing is sent any more, a key is asked for, and what was said stays [fault 46]', async () => {
    await give(service.key);
    const { id } = await ask();
    await here.setup.clearApiKey();
    assert.equal(here.setup.current.step, 'apiKey');
    const before = service.requests.length;
    const { reply } = await ask();
    assert.equal(reply.failure?.code, 'keyMissing');
    assert.ok(offered(reply)?.includes('setApiKey'));
    assert.equal(service.requests.length, before);
    assert.equal(here.chat.find(id)?.turns.length, 2);
    assert.deepEqual(await secrets.keys(), []);
  });

  it('changed by another window: this one has it with the next request, and shows that it is there', async () => {
    const there = new SetupGuide(new ApiKeys(secrets), here.bots, log as unknown as vscode.LogOutputChannel);
    await give(service.key, there);
    await until(() => here.setup.current.step === 'done');
    assert.equal((await ask()).reply.ending, 'complete');
    await there.clearApiKey();
    await until(() => here.setup.current.step === 'apiKey');
    assert.equal((await ask()).reply.failure?.code, 'keyMissing');
    there.dispose();
  });

  it('lost by the storage without a word: it is asked for, and the same message goes on with it', async () => {
    await give(service.key);
    secrets.lose();
    const { id, reply } = await ask();
    assert.equal(reply.failure?.code, 'keyMissing');
    assert.deepEqual(offered(reply), ['retry', 'setApiKey']);
    await give(service.key);
    assert.equal(await here.replies.retry(id, reply.id), true);
    await here.replies.whenDone(id);
    assert.deepEqual(
      here.chat.find(id)?.turns.map(({ kind }) => kind),
      ['message', 'reply'],
    );
    const answered = here.chat.find(id)?.turns.at(-1);
    assert.ok(answered?.kind === 'reply' && answered.ending === 'complete');
  });

  it('of one origin: never goes to another; the other’s is asked for, and the first is still there', async () => {
    await give(service.key);
    await set('baseUrl', other.baseUrl);
    await until(() => here.setup.current.step === 'apiKey');
    assert.equal((await ask()).reply.failure?.code, 'keyMissing');
    assert.deepEqual(other.requests, []);
    await give(other.key);
    assert.equal((await ask()).reply.ending, 'complete');
    assert.ok(!keysAt(other).includes(`Bearer ${service.key}`));
    await set('baseUrl', service.baseUrl);
    await until(() => here.setup.current.step === 'done');
    assert.equal((await ask()).reply.ending, 'complete');
    assert.ok(!keysAt(service).includes(`Bearer ${other.key}`));
  });

  it('of one origin: a box that is open while the setting changes takes a key for the origin it named', async () => {
    window.showInputBox = async () => {
      await set('baseUrl', other.baseUrl);
      return service.key;
    };
    assert.equal(await here.setup.askApiKey(), true);
    assert.equal(here.setup.current.step, 'apiKey');
    assert.deepEqual(other.requests, []);
  });

  it('rejected in the middle of many requests: no box opens by itself, and however many ask, one does [fault 9]', async () => {
    await give(service.key);
    asked = [];
    service.inject({ name: 'status', on: '*', status: 401, times: Number.POSITIVE_INFINITY });
    for (const { reply } of await Promise.all(Array.from({ length: 20 }, () => ask()))) {
      assert.equal(reply.failure?.code, 'unauthorized');
      assert.ok(offered(reply)?.includes('setApiKey'));
    }
    assert.deepEqual(asked, []);
    // Every page's button is pressed, and the command run, before anybody has typed.
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
    // The old key is not erased: it may be the service that is wrong.
    assert.equal((await ask()).reply.ending, 'complete');
    type(service.key);
    assert.deepEqual(new Set(await Promise.all(answers)), new Set([true]));
    assert.equal(asked.length, 1);
  });
});
