import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { uploadName } from '../../../src/chat/uploads/uploadName';
import { AskBotTool } from '../../../src/host/agents/askBotTool';
import { Agent } from '../../../src/host/base/names';
import { openBytes } from '../../../src/host/platform/openBytes';
import { assertInert, HOSTILE } from '../support/hostile';
import { sentenceFor } from '../support/shown';
import { type AgentFixture, startAgents } from './agentFixture';

describe('The tool for agents', () => {
  let fixture: AgentFixture;
  let tool: AskBotTool;
  const { token } = new vscode.CancellationTokenSource();

  const invoke = async (input: object, cancel = token) => {
    const { content } = await tool.invoke({ input, toolInvocationToken: undefined }, cancel);
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''));
  };
  const idIn = (parts: readonly string[]) =>
    /conversationId (\S+)\.$/.exec(parts.at(-1) ?? '')?.[1] ?? assert.fail();

  beforeEach(async () => {
    fixture = await startAgents();
    tool = new AskBotTool(fixture.services);
  });
  afterEach(() => fixture.close());

  it('is the one that the manifest names, and VS Code knows it', async () => {
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

  it('asks the default bot, and asks on in the same conversation, with its sources', async () => {
    const first = await invoke({ question: ' Hello ', bot: null });
    assert.match(first[0] ?? '', /I am \*\*Guide/);
    const id = idIn(first);
    assert.equal(fixture.chat.find(id)?.unread, false);
    const open = () => openBytes(new TextEncoder().encode('The zebra sleeps standing up.\n'));
    const file = {
      ...uploadName('zebra.txt', new Set<string>()),
      opened: open(),
      reopen: async () => open(),
    };
    await fixture.uploads.add(id, file).finished;
    const second = await invoke({ question: 'How does the zebra sleep?', conversationId: id });
    assert.equal(idIn(second), id);
    assert.match(second[1] ?? '', /^Sources:\n- zebra\.txt/);
    assert.equal(fixture.service.conversations.size, 1);
  });

  it('says before it whom it asks, what, and that it costs a message', async () => {
    const prepared = await tool.prepareInvocation({ input: { question: 'What is `moss`?', bot: 'ECHO' } });
    const { title, message } = prepared.confirmationMessages ?? assert.fail();
    assert.equal(title, 'Ask Echo?');
    assert.ok(message instanceof vscode.MarkdownString);
    assert.match(
      message.value,
      /“Echo”\. It costs one message of your plan’s quota\.[\s\S]*What is `moss`\?/,
    );
    assert.equal(message.isTrusted, undefined);
    assert.deepEqual([...fixture.service.messages.values()], []);
  });

  it('shows in the question what can’t be seen and goes along, and makes names inert [attack: control characters]', async () => {
    const { services } = fixture;
    services.bots.list = async () => [{ id: 'x', name: HOSTILE }];
    const question = 'Hi\u200b\u{e0041}\u202e there\u0007';
    const { confirmationMessages } = await new AskBotTool(services).prepareInvocation({
      input: { question, bot: 'x' },
    });
    const { title, message } = confirmationMessages ?? assert.fail();
    assertInert([String(title)]);
    assert.ok(message instanceof vscode.MarkdownString);
    assert.match(message.value, /Hi\\u\{200b\}\\u\{e0041\}\\u\{202e\} there\\u\{7\}/);
    assertInert(message.value.split('\n'));
  });

  it('refuses, before anybody is asked, what can’t be sent', async () => {
    const own = fixture.newConversation();
    await fixture.replies.send(own.id, 'My own business');
    await fixture.replies.whenDone(own.id);
    for (const [input, sentence] of [
      [{}, /no message/],
      [{ question: '👋'.repeat(2001) }, /has 2,001 characters/],
      [{ question: 'Hi', bot: 'Nobody' }, /no bot “Nobody”\. There are: Guide, Echo/],
      [{ question: 'Hi', conversationId: own.id }, /no such conversation/],
      [{ question: 'Hi', conversationId: 'nowhere' }, /no such conversation/],
    ] as const) {
      await assert.rejects(tool.prepareInvocation({ input }), sentence);
      await assert.rejects(invoke(input), sentence);
    }
    fixture.secrets.clear();
    await assert.rejects(tool.prepareInvocation({ input: { question: 'Hi' } }), {
      message: sentenceFor('keyMissing'),
    });
    assert.equal(fixture.service.conversations.size, 1);
  });

  it('stops with its caller, and keeps what arrived', async () => {
    const script = fixture.service.script();
    const stop = new vscode.CancellationTokenSource();
    const asking = invoke({ question: 'A long story' }, stop.token);
    await script.opened;
    script.chunk('Once upon');
    await fixture.until(({ type }) => type === 'chunk');
    stop.cancel();
    await assert.rejects(asking, vscode.CancellationError);
    await script.closed;
    const [summary] = fixture.chat.list();
    const reply = fixture.chat.find(summary?.id ?? '')?.turns.at(-1);
    assert.deepEqual(reply?.kind === 'reply' && [reply.text, reply.ending], ['Once upon', 'stopped']);
  });

  it('tells the agent when a reply broke off, and why there is none', async () => {
    fixture.service.inject({ name: 'stream-no-end', afterChunks: 1 });
    const [, note] = await invoke({ question: 'Hello' });
    assert.equal(note, `This reply is not complete. ${sentenceFor('interrupted')}`);
    fixture.service.inject({
      name: 'status',
      on: 'POST /messages/stream',
      status: 402,
      body: { message: 'Wait.' },
    });
    await assert.rejects(invoke({ question: 'Hello' }), /limit of your plan is reached.* Wait\./);
  });
});
