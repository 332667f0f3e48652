import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ConversationActions } from '../../../src/host/conversations/conversationActions';
import type { HostPage } from '../../../src/host/panel/page/hostPage';
import { type ChatFixture, startChat } from '../../chat/support/chatFixture';
import { RefusingStorage } from '../../chat/support/refusingStorage';
import { until } from '../support/until';

type Services = ConstructorParameters<typeof ConversationActions>[0];

/** Longer than any test. */
const NEVER_MS = 2 ** 30;

describe('Deletion of a conversation', () => {
  const { window } = vscode;
  const { showWarningMessage, showInformationMessage, showErrorMessage } = window;
  let fixture: ChatFixture;
  let storage: RefusingStorage;
  let id: string;
  /** The answer to the confirmation; `offer` answers the notification with Undo. */
  let answer: string | undefined;
  let offer: (undo: string) => Promise<string | undefined>;
  /** The errors that were shown; `answerError` answers each. */
  let shownErrors: string[];
  let answerError: () => Promise<string | undefined>;

  beforeEach(async () => {
    fixture = await startChat({}, (folder) => {
      storage = new RefusingStorage(folder);
      return storage;
    });
    ({ id } = fixture.newConversation());
    await fixture.replies.send(id, 'Hello');
    await fixture.ended(id);
    answer = 'Delete';
    offer = () => new Promise(() => undefined);
    shownErrors = [];
    answerError = async () => undefined;
    Object.assign(window, {
      showWarningMessage: async () => answer,
      showInformationMessage: (_text: string, undo: string) => offer(undo),
      showErrorMessage: (text: string) => {
        shownErrors.push(text);
        return answerError();
      },
    });
  });
  afterEach(async () => {
    Object.assign(window, { showWarningMessage, showInformationMessage, showErrorMessage });
    await fixture.close();
  });

  /** The fixture has only the services that a deletion needs. */
  const createActions = (undoMs: number) => new ConversationActions(fixture as unknown as Services, undoMs);
  const isStored = async () => (await fixture.chat.openConversation(id)) !== undefined;
  const countOnService = () => fixture.service.conversations.size;
  /** Returns the ID of a conversation that isn't on the service yet. */
  const addImported = async () => {
    const imported = crypto.randomUUID();
    const bot = fixture.service.bots[0] ?? assert.fail();
    const turns = [{ kind: 'message', id: 'm', text: 'Hello', at: 1 }] as const;
    const others = { name: 'Imported', unread: false, pinned: false, draft: '', createdAt: 1 };
    fixture.chat.importConversation({ id: imported, bot, turns, ...others });
    await fixture.chat.whenSaved(imported);
    await fixture.chat.load();
    return imported;
  };

  it('deletes nothing if the confirmation is canceled', async () => {
    answer = undefined;
    await createActions(0).delete(id);
    assert.deepEqual([await isStored(), countOnService()], [true, 1]);
  });

  for (const given of ['Delete', undefined]) {
    it(`returns the focus to the page that asked for it after the answer ${given ?? 'Cancel'}`, async () => {
      answer = given;
      const steps: string[] = [];
      const { showWarningMessage: confirm } = window;
      Object.assign(window, {
        showWarningMessage: async () => {
          steps.push('question');
          return confirm('');
        },
      });
      const page = {} as HostPage;
      const panel = { returnTo: async (to: HostPage) => void (to === page && steps.push('focus')) };
      const actions = new ConversationActions({ ...fixture, panel } as unknown as Services, NEVER_MS);
      const done = actions.deleteFor(page, [id]);
      await until(() => steps.length === 2);
      assert.deepEqual(steps, ['question', 'focus']);
      await actions.dispose();
      await done;
    });
  }

  it('is sent to the service if the first message was answered while the question was open', async () => {
    const { id: started } = fixture.newConversation();
    Object.assign(window, {
      showWarningMessage: async () => {
        await fixture.replies.send(started, 'First');
        await fixture.ended(started);
        return answer;
      },
    });
    fixture.chat.writer.putDocument(started, {
      ...{ kind: 'document', id: 'd', name: 'plan.pdf', size: 1, sent: 1, at: 1, state: 'attached' },
    });
    await createActions(0).delete(started);
    assert.deepEqual([fixture.chat.listConversations().length, countOnService()], [1, 1]);
  });

  describe('the confirmation names where the conversation is', () => {
    let details: string[];
    beforeEach(() => {
      details = [];
      Object.assign(window, {
        showWarningMessage: async (_question: string, { detail = '' }: vscode.MessageOptions) =>
          void details.push(detail),
      });
    });

    it('says that the conversation is deleted on the service, too', async () => {
      await createActions(0).delete(id);
      assert.deepEqual(details, ['It will be deleted here and on the service.']);
    });

    it('says that the conversation stays on a service that is no longer set', async () => {
      const { id: second } = fixture.newConversation();
      fixture.useBaseUrl('https://other.test');
      await createActions(0).delete(id);
      fixture.chat.writer.putDocument(second, {
        ...{ kind: 'document', id: 'd', name: 'plan.pdf', size: 1, sent: 1, at: 1, state: 'attached' },
      });
      await createActions(0).delete(id, second);
      assert.deepEqual(details, [
        'It will be deleted here, but it stays on another service.',
        '1 will be deleted here, but stays on another service.',
      ]);
    });

    it('doesn’t mention the service if the conversation is gone there', async () => {
      const remote = fixture.chat.getRemotePlace(id);
      if (remote) fixture.chat.update(id, { remote: { ...remote, gone: true } });
      await createActions(0).delete(id);
      assert.deepEqual(details, ['']);
    });
  });

  it('is sent to the service after the time for undo', async () => {
    await createActions(20).delete(id);
    assert.deepEqual([await isStored(), countOnService()], [false, 0]);
  });

  it('is not sent to the service after Undo', async () => {
    let wasHere: boolean | undefined;
    offer = async (undo) => {
      wasHere = await isStored();
      return undo;
    };
    await createActions(NEVER_MS).delete(id);
    assert.deepEqual([wasHere, await isStored(), countOnService()], [false, true, 1]);
    assert.ok(fixture.service.requests.every(({ method }) => method !== 'DELETE'));
  });

  describe('of several conversations', () => {
    let ids: string[];
    let questions: string[];
    beforeEach(async () => {
      const { id: second } = fixture.newConversation();
      await fixture.replies.send(second, 'Hello again');
      await fixture.ended(second);
      ids = [id, second];
      questions = [];
      Object.assign(window, {
        showWarningMessage: async (question: string) => {
          questions.push(question);
          return answer;
        },
      });
    });
    const countStored = () => fixture.chat.listConversations().length;

    it('asks once, ignores ids that don’t exist or come twice, and deletes all on the service', async () => {
      await createActions(0).delete(...ids, id, 'nobody');
      assert.deepEqual(questions, ['Delete 2 conversations?']);
      assert.deepEqual([countStored(), countOnService()], [0, 0]);
    });

    it('deletes those that aren’t open in this window', async () => {
      await Promise.all(ids.map((each) => fixture.chat.whenSaved(each)));
      const other = await fixture.otherWindow();
      await new ConversationActions(other as unknown as Services, 0).delete(...ids);
      assert.deepEqual([other.chat.listConversations().length, countOnService()], [0, 0]);
      await other.close();
    });

    it('is undone for all of them by one Undo', async () => {
      offer = async (undo) => undo;
      await createActions(NEVER_MS).delete(...ids);
      await fixture.chat.readListChanges();
      assert.deepEqual([countStored(), countOnService()], [2, 2]);
    });

    it('is undone for the others if one can’t be restored, and for that one at the next start', async () => {
      offer = async (undo) => {
        storage.refuses = (step, name) => step === 'rename' && name === `${ids[0]}.deleted`;
        return undo;
      };
      await createActions(NEVER_MS).delete(...ids);
      assert.match(
        shownErrors.join('|'),
        /^Couldn’t restore “[^|]*”\. Parley tries again when the window is reloaded\.$/,
      );
      assert.equal(fixture.takeErrors().length, 1);
      await fixture.chat.readListChanges();
      assert.deepEqual([countStored(), countOnService()], [1, 2]);
      const next = await fixture.otherWindow();
      await next.chat.load();
      await next.remote.completeDeletions();
      await next.chat.readListChanges();
      assert.deepEqual([next.chat.listConversations().length, countOnService()], [2, 2]);
      await next.close();
    });

    it('restores those that the service didn’t delete although a file of another one can’t be removed', async () => {
      storage.refuses = (step, name) => step === 'remove' && name.endsWith('.deleted');
      fixture.service.inject({ name: 'status', on: 'DELETE /conversations/{id}', status: 500 });
      await createActions(0).delete(...ids);
      assert.equal(fixture.takeErrors().length, 1);
      await fixture.chat.readListChanges();
      assert.deepEqual([countStored(), countOnService()], [1, 1]);
    });

    it('hides none of them if one can’t be hidden', async () => {
      const hide = fixture.chat.deleteConversation.bind(fixture.chat);
      fixture.chat.deleteConversation = (hidden) => {
        if (hidden === ids[1]) throw new Error('disk full');
        return hide(hidden);
      };
      await assert.rejects(createActions(0).delete(...ids), /disk full/);
      await fixture.chat.readListChanges();
      assert.deepEqual([countStored(), countOnService()], [2, 2]);
    });

    it('restores only those that the service didn’t delete', async () => {
      fixture.service.inject({ name: 'status', on: 'DELETE /conversations/{id}', status: 500 });
      await createActions(0).delete(...ids);
      await fixture.chat.readListChanges();
      assert.equal(countStored(), countOnService());
      assert.equal(shownErrors.length, 1);
    });
  });

  describe('that another window deletes while the question is open', () => {
    let other: ChatFixture;
    let offers: number;
    beforeEach(async () => {
      await fixture.chat.whenSaved(id);
      other = await fixture.otherWindow();
      offers = 0;
      offer = async () => void offers++;
      Object.assign(window, {
        showWarningMessage: async () => {
          await other.chat.deleteConversation(id);
          return answer;
        },
      });
    });
    afterEach(() => other.close());

    it('is left to that window, which offers Undo', async () => {
      await createActions(0).delete(id);
      assert.equal(offers, 0);
      await other.chat.undelete(id);
      assert.deepEqual([await isStored(), countOnService()], [true, 1]);
    });
  });

  it('is not sent to the service if another window has restored it', async () => {
    const other = await fixture.otherWindow();
    offer = async () => {
      await other.chat.undelete(id);
      return undefined;
    };
    await createActions(NEVER_MS).delete(id);
    assert.deepEqual([await isStored(), countOnService()], [true, 1]);
    await other.close();
  });

  it('that another window has completed can’t be undone, which is said', async () => {
    const other = await fixture.otherWindow();
    offer = async (undo) => {
      await other.chat.purge(id);
      return undo;
    };
    await createActions(NEVER_MS).delete(id);
    assert.deepEqual([shownErrors, await isStored()], [['The conversation was deleted.'], false]);
    await other.close();
  });

  it('sends a pending deletion to the service immediately when the window closes', async () => {
    const actions = createActions(NEVER_MS);
    const offered = new Promise<void>((resolve) => {
      offer = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    const done = actions.delete(id);
    await offered;
    assert.equal(countOnService(), 1);
    await actions.dispose();
    await done;
    assert.equal(countOnService(), 0);
  });

  it('is sent to the service on which another window created it just before it was hidden', async () => {
    const imported = await addImported();
    const other = await fixture.otherWindow();
    await other.chat.openConversation(imported);
    const hide = fixture.chat.deleteConversation.bind(fixture.chat);
    fixture.chat.deleteConversation = async (hidden) => {
      await other.replies.send(hidden, 'Hello');
      await other.ended(hidden);
      await other.replies.whenDone(hidden);
      await other.chat.whenSaved(hidden);
      assert.equal(countOnService(), 2);
      return hide(hidden);
    };
    await createActions(0).delete(imported);
    assert.equal(countOnService(), 1);
    await other.close();
  });

  it('is sent to the service even if the disk refused to store where the conversation is', async () => {
    const imported = await addImported();
    storage.refuses = (step, name) => step === 'append' && name.endsWith('.jsonl');
    await fixture.replies.send(imported, 'Hello');
    await fixture.ended(imported);
    assert.equal(countOnService(), 2);
    await createActions(0).delete(imported);
    assert.equal(countOnService(), 1);
  });

  it('is sent to the service when the window closes before the conversation is hidden', async () => {
    const actions = createActions(NEVER_MS);
    const hide = fixture.chat.deleteConversation.bind(fixture.chat);
    let closed: Promise<void> | undefined;
    fixture.chat.deleteConversation = (id) => {
      closed = actions.dispose();
      return hide(id);
    };
    const done = actions.delete(id);
    await until(() => closed !== undefined);
    await closed;
    assert.deepEqual([await isStored(), countOnService()], [false, 0]);
    await done;
  });

  for (const when of ['before', 'after']) {
    it(`is undone if the service fails ${when} the window closes`, async () => {
      const actions = createActions(when === 'before' ? 0 : NEVER_MS);
      let isOffered = false;
      answerError = () => new Promise(() => undefined);
      offer = () => {
        isOffered = true;
        return new Promise(() => undefined);
      };
      fixture.service.inject({ name: 'status', on: 'DELETE /conversations/{id}', status: 500 });
      const done = actions.delete(id);
      await until(() => isOffered && shownErrors.length === (when === 'before' ? 1 : 0));
      await actions.dispose();
      await done;
      assert.deepEqual([await isStored(), countOnService()], [true, 1]);
    });
  }

  it('that fails on the disk does not keep the window from closing', async () => {
    const actions = createActions(NEVER_MS);
    fixture.chat.deleteConversation = async () => {
      throw new Error('disk full');
    };
    const done = assert.rejects(actions.delete(id), /disk full/);
    await actions.dispose();
    await done;
    assert.equal(countOnService(), 1);
  });

  it('restores the conversation if the service fails and Retry is not chosen', async () => {
    const answers = ['Retry', undefined];
    answerError = async () => answers.shift();
    fixture.service.inject({ name: 'status', on: 'DELETE /conversations/{id}', status: 500, times: 2 });
    await createActions(0).delete(id);
    assert.deepEqual([shownErrors.length, await isStored(), countOnService()], [2, true, 1]);
  });
});
