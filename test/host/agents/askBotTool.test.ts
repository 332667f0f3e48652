import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createUploadNameByExtension } from '../../../src/chat/documents/fileUploadName';
import { openAgentBudget } from '../../../src/host/agents/agentBudget';
import { AskBotTool } from '../../../src/host/agents/askBotTool';
import { Agent } from '../../../src/host/base/names';
import { openBytes } from '../../../src/host/platform/openBytes';
import { confirmed } from '../../chat/support/confirmed';
import { assertInert, HOSTILE } from '../support/hostile';
import { MemoryState } from '../support/memory';
import { setSetting } from '../support/setSetting';
import { getFailureText } from '../support/shown';
import { type AgentFixture, startAgents } from './agentFixture';

describe('The askBot tool', () => {
  let fixture: AgentFixture;
  let tool: AskBotTool;
  let state: MemoryState;
  const { token } = new vscode.CancellationTokenSource();

  const openBudget = () => openAgentBudget(undefined, state);
  const createTool = () => new AskBotTool({ ...fixture.services, openBudget });
  const invoke = async (input: object, cancel = token) => {
    const { content } = await tool.invoke({ input, toolInvocationToken: undefined }, cancel);
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''));
  };
  const parseId = (parts: readonly string[]) =>
    /conversationId (\S+)\.$/.exec(parts.at(-1) ?? '')?.[1] ?? assert.fail();

  beforeEach(async () => {
    fixture = await startAgents();
    state = new MemoryState();
    tool = createTool();
  });
  afterEach(() => fixture.close());

  it('is declared in the manifest and registered with VS Code', async () => {
    const extension = vscode.extensions.getExtension('parley.parley');
    await extension?.activate();
    const { languageModelTools, chatParticipants } = extension?.packageJSON.contributes ?? {};
    assert.deepEqual(
      languageModelTools.map(({ name }: { name: string }) => name),
      [Agent.tool],
    );
    assert.deepEqual(
      chatParticipants.map(({ id }: { id: string }) => id),
      [Agent.participant],
    );
    assert.ok(vscode.lm.tools.some(({ name }) => name === Agent.tool));
  });

  it('asks the default bot, continues the same conversation, and returns sources', async () => {
    const first = await invoke({ question: ' Hello ', bot: null });
    assert.match(first[0] ?? '', /I am \*\*Guide/);
    const id = parseId(first);
    assert.equal(fixture.chat.findConversation(id)?.unread, false);
    const open = () => openBytes(new TextEncoder().encode('The zebra sleeps standing up.\n'));
    const file = {
      ...createUploadNameByExtension('zebra.txt', new Set<string>()),
      opened: open(),
      reopen: async () => open(),
    };
    await fixture.uploads.add(id, confirmed(file)).finished;
    const second = await invoke({ question: 'How does the zebra sleep?', conversationId: id });
    assert.equal(parseId(second), id);
    assert.match(second[1] ?? '', /^Sources:\n- zebra\.txt/);
    assert.equal(fixture.service.conversations.size, 1);
  });

  it('returns its own answer although the user has queued a message', async () => {
    const [script, next] = [fixture.service.script(), fixture.service.script()];
    fixture.service.inject({ name: 'slow', on: 'GET /messages', delayMs: 300 });
    const answering = invoke({ question: 'What is moss?' });
    await script.opened;
    const { id } = fixture.chat.listConversations()[0] ?? assert.fail();
    const queued = { id: crypto.randomUUID(), text: 'And ferns?', context: [] };
    await fixture.chat.queues.change(id, () => [queued]);
    script.chunk('A plant.');
    script.end();
    await next.opened;
    next.chunk('Plants.');
    assert.equal((await answering)[0], 'A plant.');
    next.end();
  });

  it('confirms the bot, the question and its cost before it asks', async () => {
    const prepared = await tool.prepareInvocation({ input: { question: 'What is `moss`?', bot: 'ECHO' } });
    const { title, message } = prepared.confirmationMessages ?? assert.fail();
    assert.equal(title, 'Ask Echo?');
    assert.ok(message instanceof vscode.MarkdownString);
    assert.match(
      message.value,
      /“Echo”\. It counts as one message toward your plan’s limit\.[\s\S]*What is `moss`\?/,
    );
    assert.equal(message.isTrusted, undefined);
    assert.deepEqual([...fixture.service.messages.values()], []);
  });

  it('shows invisible characters of the question and makes names inert in the confirmation [attack: control characters]', async () => {
    const { services } = fixture;
    services.bots.listBots = async () => [{ id: 'x', name: HOSTILE }];
    const question = 'Hi\u200b\u{e0041}\u202e there\u0007';
    const { confirmationMessages } = await createTool().prepareInvocation({
      input: { question, bot: 'x' },
    });
    const { title, message } = confirmationMessages ?? assert.fail();
    assertInert([String(title)]);
    assert.ok(message instanceof vscode.MarkdownString);
    assert.match(message.value, /Hi\\u\{200b\}\\u\{e0041\}\\u\{202e\} there\\u\{7\}/);
    assertInert(message.value.split('\n'));
  });

  it('refuses a question that can’t be sent, without a confirmation', async () => {
    const own = fixture.newConversation();
    await fixture.replies.send(own.id, 'My own business');
    await fixture.replies.whenDone(own.id);
    for (const [input, sentence] of [
      [{}, /no message/],
      [{ question: '👋'.repeat(2001) }, /is 2,001 characters long/],
      [{ question: 'Hi', bot: 'Nobody' }, /Bot “Nobody” not found\. Available bots: Guide, Echo/],
      [{ question: 'Hi', conversationId: own.id }, /Conversation not found/],
      [{ question: 'Hi', conversationId: 'nowhere' }, /Conversation not found/],
    ] as const) {
      await assert.rejects(tool.prepareInvocation({ input }), sentence);
      await assert.rejects(invoke(input), sentence);
    }
    fixture.secrets.clear();
    await assert.rejects(tool.prepareInvocation({ input: { question: 'Hi' } }), {
      message: getFailureText('keyMissing'),
    });
    assert.equal(fixture.service.conversations.size, 1);
  });

  it('asks no more questions in a day than all agents together can, without a confirmation at the limit', async () => {
    await setSetting('parley.agents.dailyMessages', 2);
    try {
      const refused = /^Agents have asked 2 questions today.*Nothing was sent/;
      const input = { question: 'Hello' };
      // An agent of another program asks one.
      const counted = (await (await openBudget()).count(2)) ?? assert.fail();
      // The service got nothing, so it doesn't count.
      fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status: 402, body: {} });
      await assert.rejects(invoke(input), /message limit/);
      await invoke(input);
      await assert.rejects(tool.prepareInvocation({ input }), { message: refused });
      await assert.rejects(invoke(input), { message: refused });
      const [, ...others] = fixture.service.requests.filter(({ path }) => path.endsWith('/messages/stream'));
      assert.equal(others.length, 1);
      await counted.release();
      await invoke(input);
    } finally {
      await setSetting('parley.agents.dailyMessages', undefined);
    }
  });

  it('stops the reply when the tool call is canceled, and keeps the partial reply', async () => {
    const script = fixture.service.script();
    const stop = new vscode.CancellationTokenSource();
    const asking = invoke({ question: 'A long story' }, stop.token);
    await script.opened;
    script.chunk('Once upon');
    await fixture.until(({ type }) => type === 'chunk');
    stop.cancel();
    await assert.rejects(asking, vscode.CancellationError);
    await script.closed;
    const [summary] = fixture.chat.listConversations();
    const reply = fixture.chat.findConversation(summary?.id ?? '')?.turns.at(-1);
    assert.deepEqual(reply?.kind === 'reply' && [reply.text, reply.ending], ['Once upon', 'stopped']);
  });

  it('tells the agent that a reply was interrupted, or why there is none', async () => {
    fixture.service.inject({ name: 'stream-no-end', afterChunks: 1 });
    const [, note] = await invoke({ question: 'Hello' });
    assert.equal(note, `This reply is not complete. ${getFailureText('interrupted')}`);
    fixture.service.inject({
      name: 'status',
      on: 'POST /messages/stream',
      status: 402,
      body: { message: 'Wait.' },
    });
    await assert.rejects(invoke({ question: 'Hello' }), /reached your plan’s message limit.* Wait\./);
  });
});
