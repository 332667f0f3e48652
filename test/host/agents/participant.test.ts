import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { createUploadNameByExtension } from '../../../src/chat/documents/fileUploadName';
import { Participant } from '../../../src/host/agents/participant';
import { Command } from '../../../src/host/base/names';
import { openBytes } from '../../../src/host/platform/openBytes';
import { confirmed } from '../../chat/support/confirmed';
import { closeEditors } from '../support/closeEditors';
import { assertInert, HOSTILE } from '../support/hostile';
import { openText } from '../support/openText';
import { RecordedWindow } from '../support/recordedWindow';
import { getFailureText } from '../support/shown';
import { type AgentFixture, startAgents } from './agentFixture';
import { RecordedChat } from './recordedChat';

const workspace = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open');

describe('@parley', () => {
  let fixture: AgentFixture;
  let participant: Participant;
  let session: RecordedChat;

  const getId = (result: vscode.ChatResult): string => result.metadata?.conversationId;
  const contents = () =>
    [...fixture.service.messages.values()].filter(({ machine }) => !machine).map(({ content }) => content);

  beforeEach(async () => {
    fixture = await startAgents();
    participant = new Participant(fixture.services);
    session = new RecordedChat(participant);
  });
  afterEach(() => fixture.close());

  it('sends messages in a saved conversation, marks it as read, and keeps the panel’s draft', async () => {
    const { result } = await session.say('Hello');
    const id = getId(result);
    fixture.chat.composers.setDraft(id, 'half a sen');
    const again = await session.say('Hello again');
    assert.equal(getId(again.result), id);
    assert.deepEqual(again.buttons, [
      { command: Command.openConversation, title: 'Open in Parley', arguments: [id] },
    ]);
    const conversation = fixture.chat.findConversation(id) ?? assert.fail();
    assert.equal(conversation.draft, 'half a sen');
    assert.equal(conversation.unread, false);
    const other = await fixture.otherWindow();
    const kept = await other.chat.openWhole(id);
    assert.deepEqual(
      kept?.turns.map((turn) => turn.kind === 'message' && [turn.text, turn.via]),
      [['Hello', 'chat'], false, ['Hello again', 'chat'], false],
    );
    await other.store.dispose();
  });

  it('continues the conversation after a message from the panel, which Chat doesn’t show', async () => {
    const id = getId((await session.say('Hello')).result);
    await fixture.replies.send(id, 'From the panel');
    await fixture.replies.whenDone(id);
    assert.equal(getId((await session.say('Hello again')).result), id);
  });

  it('starts a new conversation with the same bot when Chat went back, and says so', async () => {
    const id = getId((await session.say('First')).result);
    await session.say('Second');
    session.goBack();
    const third = await session.say('Second, otherwise');
    assert.notEqual(getId(third.result), id);
    assert.match(third.text, /^> You went back in Chat, .* This is a new conversation/);
    const fourth = await session.say('Fourth');
    assert.equal(getId(fourth.result), getId(third.result));
    assert.doesNotMatch(fourth.text, /new conversation/);
  });

  it('continues the conversation when the message that Chat took back never reached the bot', async () => {
    const id = getId((await session.say('First')).result);
    fixture.service.inject({
      name: 'status',
      on: 'POST /messages/stream',
      status: 402,
      body: { message: 'Wait *10* days.' },
    });
    const refused = await session.say('Second');
    assert.equal(
      refused.result.errorDetails?.message,
      `${getFailureText('quotaReached')} Wait \\*10\\* days.`,
    );
    assert.equal(fixture.chat.findConversation(id)?.draft, '');
    session.goBack();
    const again = await session.say('Second');
    assert.equal(getId(again.result), id);
    assert.deepEqual(contents(), ['First', 'Second']);
  });

  it('continues the conversation after a stopped request, for which VS Code keeps no metadata', async () => {
    const script = fixture.service.script();
    const stop = new vscode.CancellationTokenSource();
    const saying = session.say('A long story', [], stop.token);
    await script.opened;
    script.chunk('Once upon');
    await fixture.until(({ type }) => type === 'chunk');
    stop.cancel();
    const id = getId((await saying).result);
    await script.closed;
    assert.equal(
      fixture.chat.findConversation(id)?.turns.findLast((turn) => turn.kind === 'reply')?.ending,
      'stopped',
    );
    assert.equal(getId((await session.say('A shorter one')).result), id);
    session.goBack();
    assert.match((await session.say('Another')).text, /^> The previous conversation can’t be continued\./);
  });

  it('starts a new conversation when the previous one was deleted here or on the service', async () => {
    const id = getId((await session.say('First')).result);
    await fixture.chat.deleteConversation(id);
    const second = await session.say('Second');
    assert.match(second.text, /^> The previous conversation can’t be continued\. This is a new/);
    const { remote } = fixture.chat.findConversation(getId(second.result)) ?? {};
    await fixture.connect().client.deleteConversation(remote?.id ?? '');
    const third = await session.say('Third');
    assert.match(third.result.errorDetails?.message ?? '', /This conversation is no longer on the service/);
    assert.match((await session.say('Fourth')).text, /^> The previous conversation isn’t on the service\./);
  });

  it('offers to set a missing API key, and sends nothing', async () => {
    fixture.secrets.clear();
    const { result, buttons } = await session.say('Hello');
    assert.equal(result.errorDetails?.message, getFailureText('keyMissing'));
    assert.deepEqual(
      buttons.map(({ command }) => command),
      [Command.setApiKey],
    );
    assert.deepEqual(contents(), []);
  });

  it('closes the code block of an interrupted reply, and shows the error', async () => {
    const script = fixture.service.script();
    const saying = session.say('Code, please');
    await script.opened;
    script.chunk('```js\nlet a');
    script.close();
    const { text, result } = await saying;
    assert.equal(text, '```js\nlet a\n```');
    assert.equal(result.errorDetails?.message, getFailureText('interrupted'));
    assert.deepEqual(await participant.provideFollowups(result), [{ prompt: 'Continue where you stopped.' }]);
  });

  it('lists sources, links to the user’s own file, and suggests a follow-up', async () => {
    const id = getId((await session.say('Hello')).result);
    const text = 'The zebra sleeps standing up.\n';
    const open = () => openBytes(new TextEncoder().encode(text));
    const uri = vscode.Uri.joinPath(workspace, 'zebra.txt').toString();
    await fixture.uploads.add(
      id,
      confirmed({
        ...createUploadNameByExtension('zebra.txt', new Set()),
        uri,
        opened: open(),
        reopen: async () => open(),
      }),
    ).finished;
    fixture.service.inject({ name: 'slow', on: 'GET /messages', delayMs: 300 });
    const { text: reply, anchors, result } = await session.say('How does the zebra sleep?');
    assert.match(reply, /\*\*Sources\*\*\n\n- $/);
    assert.deepEqual(anchors, [`zebra.txt ${uri}`]);
    const [followup] = await participant.provideFollowups(result);
    assert.equal(followup?.prompt, 'Which passage in “zebra.txt” supports this?');
  });

  it('shows no link and no hidden character of a bot’s or a source’s name [attack: notification]', async () => {
    fixture.services.bots.getDefault = () => ({ id: 'guide', name: HOSTILE });
    const { progress, result } = await session.say('Hello');
    assert.match(progress.join(), /^Asking \\\[Retry\\\]/);
    const id = getId(result);
    const reply =
      fixture.chat.findConversation(id)?.turns.findLast((turn) => turn.kind === 'reply') ?? assert.fail();
    fixture.chat.writer.putReplyDetails(id, { ...reply, sources: [{ name: HOSTILE }] });
    const [followup] = await participant.provideFollowups(result);
    assert.match(followup?.prompt ?? '', /\[Retry\]/);
    assertInert([...progress, followup?.prompt ?? '']);
  });

  it('sends attachments, and refuses those that are too long or can’t be converted', async () => {
    const notes = vscode.Uri.joinPath(workspace, 'notes.txt');
    const lines = new vscode.Location(notes, new vscode.Range(2, 0, 3, 0));
    await session.say('And this?', [
      { id: 'vscode.instructions.file.root__x', value: vscode.Uri.joinPath(workspace, 'README.md') },
      { id: 'a', value: 'pasted' },
      { id: 'vscode.implicit.selection', value: lines },
    ]);
    assert.deepEqual(contents(), ['And this?\n\nnotes.txt:3\n```\nTickets\n```\n\n```\npasted\n```']);
    const long = await session.say('And all this?', [
      { id: 'b', value: 'x'.repeat(2000) },
      { id: 'c', value: notes },
    ]);
    assert.match(
      long.result.errorDetails?.message ?? '',
      /^Your message is 2,705 characters long \(your text 13, notes\.txt 680, and b 2,008\); the limit is 2,000\. Nothing was sent/,
    );
    for (const [value, name] of [
      [workspace, path.posix.basename(workspace.path)],
      [{ mimeType: 'image/png' }, 'picture'],
      [vscode.Uri.joinPath(workspace, 'missing.txt'), 'missing.txt'],
    ] as const) {
      const { result } = await session.say('And that?', [{ id: 'picture', value }]);
      const message = `${name} can’t be part of a message to a bot. Nothing was sent.`;
      assert.equal(result.errorDetails?.message, message);
    }
    assert.equal(contents().length, 1);
  });

  describe('with an attachment that looks like a secret [attack: secrets]', () => {
    const file = vscode.Uri.joinPath(workspace, 'chat.env');
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----';
    let recorded: RecordedWindow;
    let answer: string | undefined;

    beforeEach(async () => {
      answer = undefined;
      recorded = new RecordedWindow(() => answer);
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('TOKEN=1\n'));
    });
    afterEach(async () => {
      recorded.dispose();
      await closeEditors();
      await vscode.workspace.fs.delete(file);
    });

    for (const [kind, name, value] of [
      ['a file', 'chat.env', () => file],
      ['a selection', 'chat.env:1', () => new vscode.Location(file, new vscode.Range(0, 0, 1, 0))],
      ['pasted text', 'pasted', () => `It is:\n${key}`],
    ] as const) {
      it(`sends nothing and says so if the user declines, for ${kind}`, async () => {
        const attached = [{ id: 'pasted', value: value() }];
        for (answer of [undefined, 'Don’t Send']) {
          const { result } = await session.say('Look', attached);
          const message = `You chose not to send ${name}. Nothing was sent.`;
          assert.equal(result.errorDetails?.message, message);
        }
        assert.ok(recorded.texts.includes(`${name} looks like a secret. Send it anyway?`));
        assert.deepEqual(recorded.shown[0]?.buttons, ['Don’t Send', 'Send Anyway']);
        assert.deepEqual(contents(), []);
        answer = 'Send Anyway';
        await session.say('Look', attached);
        assert.equal(contents().length, 1);
      });
    }

    it('asks about a private key after the first part of a long file', async () => {
      const document = await openText(`${'x'.repeat(100_000)}\n${key}\n`);
      const lines = new vscode.Location(document.uri, new vscode.Range(1, 0, 2, 0));
      const { result } = await session.say('Look', [{ id: 'selection', value: lines }]);
      assert.match(result.errorDetails?.message ?? '', /^You chose not to send text-/);
      assert.deepEqual(contents(), []);
    });
  });
});
