import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { ConversationStore } from '../../../src/chat/store/store';
import { countTimers, waitForTimers } from '../../support/countTimers';
import { RefusingStorage } from '../support/refusingStorage';
import { createStoreFolder, message, type StoreFolder } from './support/folders';

describe('A store that is closed', () => {
  let folder: StoreFolder;
  let store: ConversationStore;
  let storage: RefusingStorage;

  beforeEach(async () => {
    folder = await createStoreFolder();
    const other = folder.window('other').store;
    await other.acquireLease('c');
    other.createTranscript('c', 1000);
    other.appendToTranscript('c', message('m', 'Hello'));
    await other.flush('c');
    storage = new RefusingStorage(folder.path);
    ({ store } = folder.window('this window', {}, storage));
  });
  afterEach(() => folder.close());

  const append = async () => {
    store.createTranscript('new', 1000);
    store.appendToTranscript('new', message('m', 'Hello'));
    await store.flush('new');
  };

  for (const { while: what, act } of [
    { while: 'it acquires a lease', act: () => store.acquireLease('new') },
    { while: 'it opens what another window is writing', act: () => store.openTranscript('c') },
    { while: 'it deletes a conversation', act: () => append().then(() => store.deleteConversation('new')) },
    {
      while: 'it writes, and can’t',
      act: () => {
        storage.refuses = (step) => step === 'append';
        return assert.rejects(append(), /Refused to append/);
      },
    },
  ])
    for (const isBefore of [true, false])
      it(`leaves no timer that repeats when it is closed ${isBefore ? 'before' : 'while'} ${what}`, async () => {
        // Mocha sets its own timer now.
        await setImmediate();
        const before = countTimers();
        const acting = isBefore ? undefined : act();
        await store.dispose();
        await (acting ?? act());
        await waitForTimers(before);
      });
});
