import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type EarlierAnswer, EarlierAnswers } from '../../../src/chat/earlierAnswers/earlierAnswers';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { putTurn, writeTo } from '../support/writing';

const QUESTION = 'How do I reset my password for the VPN?';
const DRAFT = 'How can I reset the VPN password?';

describe('Earlier answers', () => {
  const windows: ChatFixture[] = [];
  const opened: EarlierAnswers[] = [];
  let fixture: ChatFixture;
  let answers: EarlierAnswers;

  const open = (window: ChatFixture) => {
    const created = new EarlierAnswers(window);
    opened.push(created);
    return created;
  };
  const openWindow = async () => {
    const window = await fixture.otherWindow({ owner: `window ${windows.length}` });
    windows.push(window);
    return window;
  };
  const find = (
    draft = DRAFT,
    search: Partial<Parameters<EarlierAnswers['findAnswer']>[1]> = {},
    from = answers,
  ) => from.findAnswer(draft, { signal: new AbortController().signal, ...search });
  const ask = async (text = QUESTION, window = fixture, bot = 'echo') => {
    const { id } = window.newConversation(bot);
    await window.replies.send(id, text);
    await window.replies.whenDone(id);
    await window.chat.whenSaved(id);
    return id;
  };

  beforeEach(async () => {
    fixture = await startChat();
    windows.push(fixture);
    answers = open(fixture);
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) each.dispose();
    for (const window of windows.splice(0).reverse()) await window.close();
  });

  it('are found for a question that means the same, with its text, bot and time', async () => {
    const id = await ask();
    const found = (await find()) ?? assert.fail('Not found');
    const [message, reply] = fixture.chat.findConversation(id)?.turns ?? [];
    assert.ok(message?.kind === 'message' && reply?.kind === 'reply');
    assert.deepEqual(found, {
      conversationId: id,
      messageId: message.id,
      replyId: reply.id,
      question: QUESTION,
      bot: reply.bot,
      at: message.at,
    });
    assert.equal(await answers.readAnswer(found), reply.text);
    assert.equal(await find('How can I reset the database password?'), undefined);
    assert.equal(await find('reset VPN password'), undefined);
  });

  it('are found as soon as they are complete, and follow what is asked later', async () => {
    assert.equal(await find(), undefined);
    const id = await ask();
    assert.equal((await find())?.conversationId, id);
    const second = 'Where can I find the template for expense reports?';
    await fixture.replies.send(id, second);
    await fixture.replies.whenDone(id);
    assert.equal((await find('Where is the template for expense reports?'))?.question, second);
    assert.equal(answers.lastWork.questions, 2);
  });

  it('don’t include replies that were stopped or failed, until a later one is complete', async () => {
    const { id } = fixture.newConversation();
    const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: 'Part', at: 2 } as const;
    await putTurn(fixture.chat, id, { kind: 'message', id: 'm', text: QUESTION, at: 1 });
    await putTurn(fixture.chat, id, { ...reply, ending: 'stopped' });
    assert.equal(await find(), undefined);
    await putTurn(fixture.chat, id, { ...reply, id: 'r2', text: 'Whole', ending: 'complete' });
    const found = (await find()) ?? assert.fail('Not found');
    assert.equal(await answers.readAnswer(found), 'Whole');
  });

  it('vanish at once when their conversation is deleted, and return when that is undone', async () => {
    const id = await ask();
    const found = (await find()) ?? assert.fail('Not found');
    let isGone = false;
    const gone = answers.whenGone(found, new AbortController().signal).then(() => {
      isGone = true;
    });
    await fixture.chat.deleteConversation(id);
    await gone;
    assert.equal(isGone, true);
    assert.equal(await find(), undefined);
    assert.equal(await answers.readAnswer(found), undefined);
    await fixture.chat.undelete(id);
    assert.equal((await waitUntil('the answer is back', () => find()))?.conversationId, id);
  });

  it('vanish when another window deletes their conversation, even before this one has heard of it', async () => {
    const other = await openWindow();
    const id = await ask();
    assert.ok(await find());
    await other.chat.load();
    await other.chat.deleteConversation(id);
    assert.equal(await find(), undefined);
  });

  it('are not offered once their file is gone, even before the watcher of files has said so', async () => {
    const id = await ask();
    assert.ok(await find());
    renameSync(path.join(fixture.folder, `${id}.jsonl`), path.join(fixture.folder, `${id}.gone`));
    assert.equal(await find(), undefined);
  });

  it('are found by the first search although their file isn’t written yet', async () => {
    let write: () => void = () => undefined;
    const mayWrite = new Promise<void>((resolve) => {
      write = resolve;
    });
    class WaitingStorage extends NodeStorage {
      override async appendFile(...file: Parameters<NodeStorage['appendFile']>) {
        await mayWrite;
        return super.appendFile(...file);
      }
    }
    const window = await fixture.otherWindow({
      owner: 'waiting',
      createStorage: (folder) => new WaitingStorage(folder),
    });
    windows.push(window);
    const { id } = window.newConversation('echo');
    await putTurn(window.chat, id, { kind: 'message', id: 'm', text: QUESTION, at: 1 });
    const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'B', text: 'A', at: 2 } as const;
    await putTurn(window.chat, id, { ...reply, ending: 'complete' });
    const searching = find(DRAFT, {}, open(window));
    await window.chat.load();
    write();
    assert.equal((await searching)?.conversationId, id);
  });

  it('vanish with the message or the reply that is removed', async () => {
    const id = await ask();
    const found = (await find()) ?? assert.fail('Not found');
    await writeTo(fixture.chat, id, (permission) =>
      fixture.chat.writer.removeTurn(permission, found.replyId),
    );
    assert.equal(await find(), undefined);
  });

  it('are found in conversations of other windows, also in those that are asked now', async () => {
    const other = await openWindow();
    const id = await ask(QUESTION, other);
    await fixture.chat.load();
    assert.equal((await waitUntil('it is found', () => find()))?.conversationId, id);
    const second = 'Where can I find the template for expense reports?';
    await other.replies.send(id, second);
    await other.replies.whenDone(id);
    await waitUntil('the second is found', () => find('Where is the template for expense reports?'));
  });

  it('are those of the same bot first, then of the same workspace, then the newest', async () => {
    const workspaces = ['w1', 'w2', 'w1'];
    const ids: string[] = [];
    for (const [index, bot] of ['echo', 'echo', 'guide'].entries()) {
      const { id } = fixture.newConversation(bot);
      fixture.chat.update(id, { workspace: { id: workspaces[index] ?? '', name: 'W' } });
      const at = index + 1;
      await putTurn(fixture.chat, id, { kind: 'message', id: `m${index}`, text: QUESTION, at });
      const reply = { kind: 'reply', id: `r${index}`, messageId: `m${index}`, bot, text: 'A', at } as const;
      await putTurn(fixture.chat, id, { ...reply, ending: 'complete' });
      ids.push(id);
    }
    const [echo1, echo2, guide1] = ids;
    const choose = async (bot?: string, workspaceId?: string) =>
      (await find(DRAFT, { ...(bot !== undefined && { bot: { id: bot, name: '' } }), workspaceId }))
        ?.conversationId;
    assert.equal(await choose('echo', 'w1'), echo1);
    assert.equal(await choose('echo', 'w2'), echo2);
    assert.equal(await choose('guide', 'w2'), guide1);
    assert.equal(await choose('nobody', 'w2'), echo2);
    assert.equal(await choose('nobody', 'w3'), guide1);
    const isAllowed = ({ conversationId }: EarlierAnswer) => conversationId === echo2;
    assert.equal((await find(DRAFT, { bot: { id: 'guide', name: '' }, isAllowed }))?.conversationId, echo2);
  });

  it('are read from a transcript with damaged, half-written and very long lines', async () => {
    const id = await ask();
    const file = path.join(fixture.folder, `${id}.jsonl`);
    const long = { type: 'chunk', turnId: 'x', text: 'x'.repeat(700_000) };
    await appendFile(file, `\n{"type":"turn","turn":{"kind":"mess\n${JSON.stringify(long)}\n{"type":"ended"`);
    const later = await openWindow();
    assert.equal((await find(DRAFT, {}, open(later)))?.conversationId, id);
  });

  it('are not read from a transcript of a newer version', async () => {
    const turn = { kind: 'message', id: 'm', text: QUESTION, at: 1 };
    const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'B', text: 'A', at: 2, ending: 'complete' };
    const lines = [
      { parley: 2, id: 'new', createdAt: 1 },
      { type: 'turn', turn },
      { type: 'turn', turn: reply },
    ];
    await writeFile(
      path.join(fixture.folder, 'new.jsonl'),
      lines.map((line) => JSON.stringify(line)).join('\n'),
    );
    assert.equal(await find(), undefined);
  });

  it('are found in the other conversations if one can’t be read, and in that one once it can', async () => {
    const id = await ask();
    const second = await ask('Where can I find the template for expense reports?');
    let fails = true;
    class FailingStorage extends NodeStorage {
      override readFile(name: string, from?: number, to?: number) {
        if (fails && from !== undefined && name === `${id}.jsonl`) throw new Error('The disk failed');
        return super.readFile(name, from, to);
      }
    }
    const window = await fixture.otherWindow({
      owner: 'failing',
      createStorage: (folder) => new FailingStorage(folder),
    });
    windows.push(window);
    fails = false;
    await window.chat.load();
    fails = true;
    const later = open(window);
    for (const _ of [1, 2]) {
      assert.equal(await find(DRAFT, {}, later), undefined);
      assert.equal(
        (await find('Where is the template for expense reports?', {}, later))?.conversationId,
        second,
      );
    }
    assert.deepEqual(window.takeErrors().map(String), ['Error: The disk failed']);
    fails = false;
    assert.equal((await find(DRAFT, {}, later))?.conversationId, id);
  });

  it('end with the signal, and leave nothing behind when they are disposed of', async () => {
    await ask();
    const controller = new AbortController();
    controller.abort(new Error('over'));
    await assert.rejects(find(DRAFT, { signal: controller.signal }), /over/);
    const found = (await find()) ?? assert.fail('Not found');
    const gone = answers.whenGone(found, new AbortController().signal);
    answers.dispose();
    await gone;
    assert.equal(answers.lastWork.questions, 0);
  });
});
