import assert from 'node:assert/strict';
import type { SyncResult } from '../../../src/chat/documentSync/syncRun';
import { showSyncResults } from '../../../src/host/documentSync/syncResults';
import { RecordedWindow } from '../support/recordedWindow';

const done: SyncResult = {
  ...{ uploaded: 2, same: 0, removed: 0, kept: 0 },
  ...{ found: [], refused: [], failed: [], unconfirmed: [], canceled: false },
};

describe('The results of Sync Documents…', () => {
  let recorded: RecordedWindow;
  beforeEach(() => {
    recorded = new RecordedWindow();
  });
  afterEach(() => recorded.dispose());

  it('say what was synced and what was not, if only some sets could be', () => {
    showSyncResults([done, 'otherWindow', 'otherService']);
    const [text = ''] = recorded.texts;
    assert.match(text, /2 documents uploaded\./);
    assert.match(text, /Another window is syncing these documents\./);
    assert.match(text, /Open a conversation with a bot of the documents’ service, then sync again\./);
  });

  it('say that another machine was faster, and what to do', () => {
    showSyncResults([{ ...done, found: ['a.md'] }]);
    assert.match(
      recorded.texts[0] ?? '',
      /2 documents uploaded\. 1 file wasn’t uploaded, because another machine has added a document of its name\. Sync again/,
    );
  });

  it('say nothing of uploads if none could begin', () => {
    showSyncResults(['otherWindow']);
    assert.deepEqual(recorded.texts, ['Another window is syncing these documents.']);
  });
});
