import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { createLink } from '../../../src/host/conversations/links';
import { demoBots } from '../../service/demo/demoBots';
import { type LocalService, startLocalService } from '../../service/localService';
import { RecordedWindow, type Shown } from '../support/recordedWindow';
import { setSetting } from '../support/setSetting';
import { type TestServices, useServices } from '../support/testServices';

describe('A link to a conversation, opened in VS Code', () => {
  const startServices = useServices();
  let colleague: TestServices;
  let me: TestServices;
  let recorded: RecordedWindow;
  let answer: (shown: Shown) => unknown;
  let opened: unknown[][];

  beforeEach(async () => {
    colleague = await startServices();
    me = await startServices();
    await me.services.bots.listBots();
    answer = () => undefined;
    recorded = new RecordedWindow((shown) => answer(shown));
    opened = [];
    Object.assign(me.services.panel, { showConversation: async (...to: unknown[]) => void opened.push(to) });
  });
  afterEach(async () => {
    recorded.dispose();
    await me.close();
    await colleague.close();
  });

  /** Resolves to a conversation of the colleague's with one reply. */
  const say = async (text: string) => {
    const { chat, replies, bots, sources } = colleague.services;
    const { id } = chat.createConversation(bots.named('echo'));
    assert.equal(await replies.send(id, text), 'sent');
    await replies.whenDone(id);
    // Its sources are requested in the background.
    await sources.whenSettled(id);
    return chat.findConversation(id) ?? assert.fail();
  };
  const open = (link: string) => me.services.links.handleUri(vscode.Uri.parse(link, true));
  const countRequests = () => me.service.requests.length;
  const agree = ({ buttons }: Shown) => buttons.find((button) => button === 'Open');
  const getTexts = () => recorded.shown.flatMap(({ texts }) => texts);

  it('asks with the name and the host, and then opens it with its messages', async () => {
    const link = createLink(await say('Is moss green? 100% & more'));
    const before = countRequests();
    await open(link);
    assert.deepEqual([opened, countRequests()], [[], before]);
    const { host } = new URL(me.service.baseUrl);
    assert.ok(getTexts().includes(`Open “Is moss green? 100% & more” from ${host}?`), getTexts().join('\n'));
    answer = agree;
    await open(link);
    const [[id = ''] = []] = opened as string[][];
    const { turns = [] } = me.services.chat.findConversation(id) ?? {};
    assert.deepEqual(
      turns.map((turn) => turn.kind !== 'document' && turn.text),
      ['Is moss green? 100% & more', 'Is moss green? 100% & more'],
    );
    // It is here now, so nothing is asked.
    answer = () => assert.fail('asked again');
    await open(link);
    assert.deepEqual(opened, [
      [id, undefined],
      [id, undefined],
    ]);
  });

  it('opens at a message, which has another id here', async () => {
    const conversation = await say('One');
    await colleague.services.messageSync.fetchMessages(conversation.id);
    const { turns } = colleague.services.chat.findConversation(conversation.id) ?? assert.fail();
    const reply = turns.find(({ kind }) => kind === 'reply') ?? assert.fail();
    answer = agree;
    await open(createLink({ ...conversation, turns }, reply.id));
    const [[id = '', turnId] = []] = opened as string[][];
    assert.equal(
      me.services.chat.findConversation(id)?.turns.find((turn) => turn.id === turnId)?.kind,
      'reply',
    );
  });

  it('puts a prompt after the draft, and sends nothing', async () => {
    const { chat, bots, panel } = me.services;
    const { id } = chat.createConversation(bots.named('echo'));
    Object.assign(panel, { getCurrentConversationId: async () => id });
    chat.composers.setDraft(id, 'typed');
    const before = countRequests();
    await open('vscode://parley.parley/conversation?prompt=Why%3F');
    assert.deepEqual(
      [chat.findConversation(id)?.draft, chat.findConversation(id)?.turns, countRequests()],
      ['typed\n\nWhy?', [], before],
    );
  });

  it('opens an old link by the id here, and nothing else', async () => {
    const { chat, bots, replies } = me.services;
    const { id } = chat.createConversation(bots.named('echo'));
    await replies.send(id, 'Hello');
    await replies.whenDone(id);
    await open(`vscode://parley.parley/conversation/${id}`);
    assert.deepEqual(opened, [[id, undefined]]);
    for (const path of ['/conversation/nobody', `/other/${id}`, '/', `/conversation/${id}/x`])
      await open(`vscode://parley.parley${path}`);
    assert.equal(opened.length, 1);
  });

  it('says so if the service doesn’t have the conversation any more', async () => {
    const conversation = await say('One');
    await colleague.services.remote.delete(conversation);
    answer = agree;
    await open(createLink(conversation));
    assert.deepEqual(opened, []);
    assert.ok(getTexts().some((text) => text.startsWith('Couldn’t open the conversation.')));
  });

  it('says so if the service refuses it, as for a conversation of another account', async () => {
    const conversation = await say('One');
    me.service.inject({
      ...{ name: 'status', on: 'GET /conversations/{id}', status: 403, body: { message: 'Not yours.' } },
    });
    answer = agree;
    await open(createLink(conversation));
    assert.deepEqual(opened, []);
    assert.ok(getTexts().some((text) => text.startsWith('Couldn’t open the conversation.')));
  });

  describe('of a service that isn’t set up', () => {
    let other: LocalService;
    before(async () => {
      other = await startLocalService({ bots: demoBots, key: 'the-other-key' });
    });
    after(() => other.close());
    afterEach(async () => {
      await setSetting('parley.services', undefined);
      other.clearRecords();
    });

    const link = (id = 'c') => {
      const query = String(new URLSearchParams({ service: other.baseUrl, id }));
      return vscode.Uri.from({ scheme: 'vscode', authority: 'parley.parley', path: '/conversation', query });
    };

    it('asks whether to connect to it first, and sends nothing before', async () => {
      await open(link().toString());
      assert.ok(getTexts().includes(`Connect Parley to ${new URL(other.baseUrl).host}?`));
      assert.deepEqual([opened, other.requests.length, me.services.serviceList.all.length], [[], 0, 1]);
    });

    it('opens once the user has connected, with its messages', async () => {
      const post = async (operation: string, body: object) => {
        const response = await fetch(`${other.baseUrl}/${operation}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${other.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        return (await response.json()) as { data: { id: string } };
      };
      const { data } = await post('conversations', { name: 'Colleague', bot_id: 'echo' });
      await post('messages', { conversation_id: data.id, content: 'Asked by a colleague' });
      Object.assign(me.services.panel, { openNew: async () => undefined });
      answer = ({ by, items }) =>
        by === 'InputBox'
          ? other.key
          : by === 'Warning'
            ? 'Connect'
            : items.find(({ label }) => label === 'Echo');
      await open(link(data.id).toString());
      const [[id = ''] = []] = opened as string[][];
      const { turns = [], name } = me.services.chat.findConversation(id) ?? {};
      assert.equal(name, 'Colleague');
      assert.equal(turns.find((turn) => turn.kind === 'message')?.text, 'Asked by a colleague');
    });

    it('makes no request and stores nothing before the user agrees, whatever it names', async () => {
      const { chat, bots, panel } = me.services;
      const { id } = chat.createConversation(bots.named('echo'));
      Object.assign(panel, { getCurrentConversationId: async () => id });
      const readState = () => ({
        settings: JSON.stringify(
          vscode.workspace.getConfiguration('parley').inspect('services')?.globalValue,
        ),
        conversations: chat.listConversations().map((each) => each.id),
        turns: chat.findConversation(id)?.turns,
        requests: [other.requests.length, countRequests()],
      });
      const before = readState();
      const value = fc.oneof(
        fc.constantFrom(
          other.baseUrl,
          me.service.baseUrl,
          id,
          'x',
          '',
          'a\u202eb',
          'https://a.example/api/v1',
        ),
        fc.webUrl(),
        fc.string({ unit: 'grapheme', maxLength: 40 }),
      );
      const part = fc.constantFrom('service', 'id', 'name', 'turn', 'prompt', 'send', 'key', 'url');
      // The first part of a name counts.
      const query = fc
        .tuple(
          fc.array(fc.tuple(part, value), { maxLength: 4 }),
          fc.constantFrom(other.baseUrl, me.service.baseUrl),
        )
        .map(([parts, service]) =>
          new URLSearchParams([...parts, ['service', service], ['id', 'c']]).toString(),
        );
      const toUri = (at: string, text: string) =>
        vscode.Uri.from({ scheme: 'vscode', authority: 'parley.parley', path: at, query: text });
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('/conversation', '/conversation/x', '/conversation/'),
          fc.oneof(
            query,
            query.map((text) => text.slice(text.indexOf('&') + 1)),
            fc.string(),
          ),
          async (at, text) => {
            await me.services.links.handleUri(toUri(at, text));
            assert.deepEqual(readState(), before);
          },
        ),
        { numRuns: 60, examples: [['/conversation', `service=${encodeURIComponent(other.baseUrl)}&id=c`]] },
      );
      assert.ok(recorded.shown.some(({ buttons }) => buttons.includes('Connect')));
    });
  });
});
