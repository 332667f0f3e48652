import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Conversation } from '../../../src/chat/model/conversation';
import { createNotice } from '../../../src/host/panel/page/notice';
import { type BotItem, createBotItems } from '../../../src/host/service/botPicker';
import { Bots } from '../../../src/host/service/bots';
import { toProblem } from '../../../src/host/service/failureText';
import { ServiceList } from '../../../src/host/service/serviceList';
import type { ToPage } from '../../../src/shared/protocol/toPage';
import { demoBots } from '../../service/demo/demoBots';
import { type LocalService, startLocalService } from '../../service/localService';
import { MemoryState } from '../support/memory';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { setSetting } from '../support/setSetting';
import { type TestServices, useServices } from '../support/testServices';
import { until } from '../support/until';

const A = 'https://a.example/api/v1';
const B = 'https://b.example/api/v1';
const C = 'https://c.example/api/v1';

describe('The list of services', () => {
  let list: ServiceList;
  let bots: Bots;
  beforeEach(() => {
    const memory = new MemoryState();
    list = new ServiceList(memory);
    bots = new Bots(memory, () => assert.fail('a request'), list);
  });
  afterEach(async () => {
    list.dispose();
    for (const name of ['baseUrl', 'services', 'botId']) await setSetting(`parley.${name}`, undefined);
  });
  const inspect = (name: string) => vscode.workspace.getConfiguration('parley').inspect(name)?.globalValue;
  const getAll = () => list.all.map(({ name, baseUrl, botId }) => [name, baseUrl, botId]);

  it('is empty if none is set, and has the one of the older settings', async () => {
    assert.deepEqual(getAll(), []);
    await setSetting('parley.baseUrl', `${A}/`);
    await setSetting('parley.botId', 'guide');
    assert.deepEqual(getAll(), [['a.example', A, 'guide']]);
    assert.deepEqual([list.first?.origin, list.first?.host], ['https://a.example', 'a.example']);
  });

  it('has the service of the base URL first, with its name from the list', async () => {
    await setSetting('parley.services', [
      { name: 'Bee', baseUrl: B, botId: 'b' },
      { name: 'Ay', baseUrl: `${A}/`, botId: 'a' },
      { name: 'Other', baseUrl: B },
    ]);
    assert.deepEqual(getAll(), [
      ['Bee', B, 'b'],
      ['Ay', A, 'a'],
    ]);
    await setSetting('parley.baseUrl', A);
    assert.deepEqual(getAll(), [
      ['Ay', A, 'a'],
      ['Bee', B, 'b'],
    ]);
    await setSetting('parley.botId', 'mine');
    assert.deepEqual(getAll()[0], ['Ay', A, 'mine']);
  });

  it('leaves out what is not valid, and shows hidden characters of a name [attack: control characters]', async () => {
    const invalid = [
      7,
      null,
      'x',
      {},
      { name: 'x' },
      { baseUrl: 7 },
      { name: 'x', baseUrl: 'http://c.example/v1' },
    ];
    await setSetting('parley.services', [...invalid, { name: 'a\u202e\n b', baseUrl: B, botId: ' ' }]);
    assert.deepEqual(getAll(), [['a\\u{202e} b', B, undefined]]);
    for (const value of [7, { a: 1 }, 'x']) {
      await setSetting('parley.services', value);
      assert.deepEqual(getAll(), []);
    }
    await setSetting(
      'parley.services',
      Array.from({ length: 100 }, (_, index) => ({ name: '', baseUrl: `https://h${index}.example/v1` })),
    );
    assert.equal(list.all.length, 20);
  });

  it('says when it changes, and not for other settings', async () => {
    let changes = 0;
    list.onDidChange(() => changes++);
    assert.equal(list.all.length, 0);
    await setSetting('parley.sendWith', 'ctrlEnter');
    await setSetting('parley.sendWith', undefined);
    assert.equal(changes, 0);
    await setSetting('parley.baseUrl', A);
    assert.equal(changes, 1);
  });

  it('keeps a single service in the older settings, and each bot with its service when the order changes', async () => {
    await list.save([{ name: 'a.example', baseUrl: A, botId: 'a' }]);
    assert.deepEqual([inspect('baseUrl'), inspect('botId'), inspect('services')], [A, 'a', undefined]);
    await list.save([...list.all, { name: 'Bee', baseUrl: B, botId: 'b' }]);
    assert.deepEqual(getAll(), [
      ['a.example', A, 'a'],
      ['Bee', B, 'b'],
    ]);
    await list.save([...list.all].reverse());
    assert.deepEqual(getAll(), [
      ['Bee', B, 'b'],
      ['a.example', A, 'a'],
    ]);
    assert.deepEqual([inspect('baseUrl'), inspect('botId')], [B, 'b']);
    await list.save(list.all.slice(1));
    assert.deepEqual(getAll(), [['a.example', A, 'a']]);
    await list.save([]);
    assert.deepEqual(getAll(), []);
  });

  it('uses a workspace’s bot only with a service that may have it', async () => {
    await list.save([
      { name: 'Bee', baseUrl: B, botId: 'b1' },
      { name: 'Ay', baseUrl: A, botId: 'a1' },
    ]);
    await setSetting('parley.botId', 'a2', vscode.ConfigurationTarget.Workspace);
    try {
      // It may have a bot that it doesn’t list.
      assert.equal(list.first?.botId, 'a2');
      await bots.remember([{ id: 'a2', name: 'A Two' }], A);
      assert.equal(list.first?.botId, 'a2');
      await bots.remember([{ id: 'b1', name: 'B One' }], B);
      assert.deepEqual(getAll(), [
        ['Bee', B, 'b1'],
        ['Ay', A, 'a1'],
      ]);
      await bots.remember([{ id: 'a2', name: 'Of both' }], B);
      assert.equal(list.first?.botId, 'a2');
    } finally {
      await setSetting('parley.botId', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('finds the service of a conversation: where it is, or else its bot’s', async () => {
    await setSetting('parley.baseUrl', A);
    await setSetting('parley.services', [{ name: 'Bee', baseUrl: B }]);
    const bot = { id: 'x', name: 'X', baseUrl: B };
    assert.equal(list.serviceOf({ bot })?.baseUrl, B);
    assert.equal(list.serviceOf({ bot, remote: { baseUrl: A, id: 'c' } })?.baseUrl, A);
    assert.equal(list.serviceOf({ bot: { id: 'x', name: 'X' } })?.baseUrl, A);
    assert.equal(list.serviceOf({ bot: { ...bot, baseUrl: C } }), undefined);
    const conversation = { bot: { ...bot, baseUrl: C } } as Conversation;
    const notice = createNotice(conversation, undefined, undefined, undefined);
    assert.deepEqual([notice?.kind, notice?.actions], ['serviceRemoved', ['addService']]);
    assert.match(notice?.text ?? '', /belongs to c\.example/);
  });

  it('is what a failure names its host from, and how to change its URL', async () => {
    await setSetting('parley.baseUrl', A);
    const failure = { code: 'unreachable', maySend: true } as const;
    assert.match(toProblem(failure, false).text, /a\.example/);
    assert.deepEqual(toProblem(failure, false).actions, ['setBaseUrl']);
    await setSetting('parley.services', [{ name: 'Bee', baseUrl: B }]);
    assert.match(toProblem(failure, false, false, B).text, /b\.example/);
    assert.deepEqual(toProblem(failure, false, false, B).actions, ['manageServices']);
    assert.doesNotMatch(toProblem(failure, false).text, /a\.example/);
  });
});

describe('The bot picker with several services', () => {
  it('groups the bots by service, and tells bots with one id apart', () => {
    const services = [
      {
        service: { baseUrl: A, name: 'Ay' },
        listed: [
          { id: 'x', name: 'X of A' },
          { id: 'y', name: 'Y' },
        ],
      },
      { service: { baseUrl: B, name: 'Bee' }, listed: [{ id: 'x', name: 'X of B' }] },
    ];
    const recent = [
      { id: 'x', name: 'x', baseUrl: B },
      { id: 'x', name: 'x', baseUrl: C },
    ];
    const shown = createBotItems(services, { recent, current: { id: 'x', name: 'x', baseUrl: B } });
    assert.deepEqual(
      shown.map(({ label, description }) => [label, description ?? '']),
      [
        ['Recently used', ''],
        ['X of B', 'current · Bee · x'],
        ['Ay', ''],
        ['X of A', 'x'],
        ['Y', 'y'],
        ['', ''],
        ['Enter a Bot ID…', ''],
      ],
    );
    const others = createBotItems(services, { recent: [], excluded: { id: 'x', name: 'x', baseUrl: A } });
    assert.deepEqual(
      others.flatMap(({ bot }) => (bot ? [[bot.id, bot.baseUrl]] : [])),
      [
        ['y', A],
        ['x', B],
      ],
    );
  });
});

describe('Two services in a window', () => {
  // The two differ in what they have.
  const startServices = useServices({ profile: 'hosted' });
  let other: LocalService;
  let fixture: TestServices;
  let recorded: RecordedWindow;
  let answer: (shown: Shown) => unknown;

  before(async () => {
    other = await startLocalService({ bots: demoBots, profile: 'minimal', key: 'key-of-the-other' });
  });
  after(() => other.close());
  beforeEach(async () => {
    await setSetting('parley.services', [{ name: 'Staging', baseUrl: other.baseUrl, botId: 'guide' }]);
    fixture = await startServices();
    await fixture.secrets.store(`parley.apiKey ${other.apiOrigin}`, other.key);
    await fixture.services.setup.checkSetup();
    answer = () => undefined;
    recorded = new RecordedWindow((shown) => answer(shown));
  });
  afterEach(async () => {
    recorded.dispose();
    const { baseUrl } = fixture.service;
    await fixture.close();
    await setSetting('parley.services', undefined);
    await setSetting('parley.baseUrl', baseUrl);
    other.reset();
    other.clearRecords();
  });

  const getBot = (id: string, { baseUrl }: LocalService) => ({ id, name: id, baseUrl });
  const say = async (service: LocalService) => {
    const { chat, replies } = fixture.services;
    const { id } = chat.createConversation(getBot('echo', service));
    assert.equal(await replies.send(id, 'Hi'), 'sent');
    await replies.whenDone(id);
    return id;
  };
  const find = (id: string) => fixture.services.chat.findConversation(id) ?? assert.fail();
  const getAuthorizations = ({ requests }: LocalService) =>
    new Set(
      requests.flatMap(({ origin, headers }) => (origin === 'api' ? (headers.authorization ?? []) : [])),
    );

  it('each have their own key, capabilities and quota estimate', async () => {
    await say(fixture.service);
    await say(other);
    await say(other);
    const { bots, quota } = fixture.services;
    assert.equal(await bots.listBots(other.baseUrl), undefined);
    assert.equal((await bots.listBots(fixture.service.baseUrl))?.length, demoBots.length);
    assert.equal(quota.getEstimate(fixture.service.baseUrl).messages, 1);
    assert.equal(quota.getEstimate(other.baseUrl).messages, 2);
    assert.deepEqual([...getAuthorizations(fixture.service)], [`Bearer ${fixture.service.key}`]);
    assert.deepEqual([...getAuthorizations(other)], [`Bearer ${other.key}`]);
  });

  it('have setups of their own: a missing key of the first doesn’t block a conversation of the other', async () => {
    await fixture.secrets.delete(`parley.apiKey ${fixture.service.apiOrigin}`);
    const { setup } = fixture.services;
    const steps = async (bot: { id: string; name: string; baseUrl: string }) =>
      (await setup.checkSetup({ bot })).step;
    assert.equal(await steps(getBot('echo', fixture.service)), 'apiKey');
    assert.equal(await steps(getBot('echo', other)), 'done');
    assert.deepEqual(setup.getFor({ bot: getBot('echo', other) }).serviceHost, new URL(other.baseUrl).host);
  });

  it('are asked the same question by Ask Two Bots', async () => {
    const { chat, panel, getTwoBots, replies } = fixture.services;
    const { id } = chat.createConversation(getBot('echo', fixture.service));
    chat.composers.setDraft(id, 'Why?');
    const opened: string[] = [];
    Object.assign(panel, {
      getCurrentConversationId: async () => id,
      openSideBySide: (ids: readonly string[]) => opened.push(...ids),
    });
    const enterId = ({ items }: Shown) => items.find(({ label }) => label === 'Enter a Bot ID…');
    answer = (shown) => {
      if (shown.by === 'Warning') return 'Ask Both';
      if (shown.by === 'InputBox') return 'echo';
      if (shown.texts.includes('Select the first bot'))
        return shown.items.find(
          ({ bot }: BotItem) => bot?.id === 'echo' && bot.baseUrl === fixture.service.baseUrl,
        );
      return shown.items.find(({ label }) => label === 'Staging') ?? enterId(shown);
    };
    await (await getTwoBots()).ask();
    await Promise.all(opened.map((openedId) => replies.whenDone(openedId)));
    for (const service of [fixture.service, other]) {
      const sent = [...service.messages.values()].filter(({ machine }) => !machine);
      assert.deepEqual(
        sent.map(({ content }) => content),
        ['Why?'],
      );
    }
  });

  it('change the order by Manage Services, and each conversation stays with its service', async () => {
    const [here, there] = [await say(fixture.service), await say(other)];
    let step = 0;
    answer = ({ items, texts }) => {
      if (texts[0] === 'Manage Services')
        return step++ === 0 ? items.find(({ label }) => label === 'Staging') : undefined;
      return items.find(({ label }) => label === 'Use for New Conversations');
    };
    await (await fixture.services.getServiceActions()).manage();
    const { serviceList, replies, bots } = fixture.services;
    assert.deepEqual([serviceList.first?.baseUrl, bots.getDefault()?.id], [other.baseUrl, 'guide']);
    for (const id of [here, there]) {
      await replies.send(id, 'Again');
      await replies.whenDone(id);
    }
    assert.deepEqual([fixture.service.conversations.size, other.conversations.size], [1, 1]);
    await setSetting('parley.botId', 'echo');
  });

  const setServiceUrl = async (url: string) => {
    answer = ({ by, items }) =>
      by === 'InputBox' ? url : items.find(({ label }) => label === 'Other…' || label === url);
    assert.equal(await fixture.services.setup.askBaseUrl(), true);
    return fixture.services.serviceList.all.map(({ baseUrl, botId }) => [baseUrl, botId]);
  };

  it('keep their bots when Set Service URL chooses the other one, or a new one', async () => {
    const own = fixture.service.baseUrl;
    const services = [
      [other.baseUrl, 'guide'],
      [own, 'echo'],
    ];
    assert.deepEqual(await setServiceUrl(other.baseUrl), services);
    assert.deepEqual(await setServiceUrl(C), [[C, undefined], ...services]);
  });

  it('that is removed loses its key; its conversation is readable, says so, and works once it is added again', async () => {
    const there = await say(other);
    let step = 0;
    answer = ({ by, items, texts }) => {
      if (by === 'Warning') return texts.includes('Remove') ? 'Remove' : 'Connect';
      if (by === 'InputBox') return other.key;
      if (texts[0] === 'Manage Services')
        return step++ === 0 ? items.find(({ label }) => label === 'Staging') : undefined;
      return items.find(({ label }) => label === 'Remove…');
    };
    const { serviceList, getServiceActions, replies, getExportActions } = fixture.services;
    const serviceActions = await getServiceActions();
    await serviceActions.manage();
    assert.equal(serviceList.find(other.baseUrl), undefined);
    assert.equal(await fixture.secrets.get(`parley.apiKey ${other.apiOrigin}`), undefined);
    assert.equal(
      await fixture.secrets.get(`parley.apiKey ${fixture.service.apiOrigin}`),
      fixture.service.key,
    );
    const before = other.requests.length;
    await replies.send(there, 'Are you there?');
    await replies.whenDone(there);
    assert.equal(other.requests.length, before);
    await (await getExportActions()).copy(there);
    assert.match(await vscode.env.clipboard.readText(), /Hi/);
    await serviceActions.addServiceOf(find(there));
    assert.equal(await fixture.secrets.get(`parley.apiKey ${other.apiOrigin}`), other.key);
    await replies.send(there, 'Now?');
    await replies.whenDone(there);
    assert.equal(find(there).turns.at(-1)?.kind === 'reply' && other.conversations.size, 1);
    assert.ok([...other.messages.values()].some(({ content }) => content === 'Now?'));
  });

  /** Opens the panel's view; resolves to what is posted to its page. */
  const openView = async () => {
    const posted: ToPage[] = [];
    let receive = (_message: unknown): void => assert.fail();
    const never = () => ({ dispose: () => undefined });
    const webview = {
      asWebviewUri: (uri: vscode.Uri) => uri,
      cspSource: 'x:',
      postMessage: async (message: ToPage) => posted.push(message),
      onDidReceiveMessage: (listener: (message: unknown) => void) => {
        receive = listener;
        return never();
      },
    };
    const view = { webview, visible: true, show: () => undefined };
    const { panel } = fixture.services;
    await panel.resolveWebviewView({
      ...view,
      ...{ onDidDispose: never, onDidChangeVisibility: never },
    } as unknown as vscode.WebviewView);
    receive({ type: 'ready' });
    const getChanges = () => posted.flatMap((message) => (message.type === 'delta' ? message.changes : []));
    return { posted, getChanges };
  };

  it('are what the page shows the setup, the quota and the notice of, conversation by conversation', async () => {
    await say(fixture.service);
    const there = await say(other);
    const { chat, panel, setup } = fixture.services;
    const { posted, getChanges } = await openView();
    const snapshot = posted.find(({ type }) => type === 'snapshot');
    assert.deepEqual(snapshot?.type === 'snapshot' && snapshot.state.services?.map(({ name }) => name), [
      new URL(fixture.service.baseUrl).host,
      'Staging',
    ]);
    await fixture.secrets.delete(`parley.apiKey ${other.apiOrigin}`);
    await setup.checkSetup();
    await panel.showConversation(there);
    const steps = () =>
      getChanges().flatMap((change) =>
        change.type === 'setup' ? [[change.setup.step, change.setup.serviceHost]] : [],
      );
    await until(() => steps().at(-1)?.[0] === 'apiKey');
    assert.deepEqual(steps().at(-1), ['apiKey', new URL(other.baseUrl).host]);
    const { id: empty } = chat.createConversation(getBot('echo', fixture.service));
    await panel.showConversation(empty);
    await until(() => steps().at(-1)?.[0] === 'done');
    assert.equal(steps().at(-1)?.[1], new URL(fixture.service.baseUrl).host);
  });

  it('leave an empty conversation that is shown with the default bot if its service is removed', async () => {
    const { chat, panel } = fixture.services;
    const { id } = chat.createConversation(getBot('guide', other));
    await openView();
    await panel.showConversation(id);
    assert.equal(find(id).bot?.baseUrl, other.baseUrl);
    await setSetting('parley.services', undefined);
    await until(() => find(id).bot?.baseUrl === fixture.service.baseUrl);
    assert.equal(find(id).bot?.id, 'echo');
  });
});
