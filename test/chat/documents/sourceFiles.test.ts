import assert from 'node:assert/strict';
import { SourceFiles } from '../../../src/chat/documents/sourceFiles';
import { findReply } from '../../../src/chat/model/conversation';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { putTurn } from '../support/writing';

const SHA256 = 'a'.repeat(64);
const uri = 'file:///docs/pricing.md';

describe('The files of a reply’s sources', () => {
  let fixture: ChatFixture;
  let sourceFiles: SourceFiles;

  beforeEach(async () => {
    fixture = await startChat();
    sourceFiles = new SourceFiles(fixture.chat);
  });
  afterEach(async () => {
    sourceFiles.dispose();
    await fixture.close();
  });

  it('are found when the ID of a document becomes known after the reply', async () => {
    const { chat } = fixture;
    const { id } = fixture.newConversation();
    const document: DocumentTurn = {
      ...{ kind: 'document', id: 'd', name: 'pricing.md', size: 1, sent: 1, at: 1 },
      ...{ state: 'attached', uri, sha256: SHA256 },
    };
    chat.addDocument(id, document);
    const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: 'Ten', at: 2 } as const;
    const sources = [{ id: 'remote', name: 'pricing.md' }];
    await putTurn(chat, id, { ...reply, ending: 'complete', sources });
    const find = () => findReply(chat.findConversation(id), 'r')?.sourceFiles;
    chat.writer.putDocument(id, { ...document, documentId: 'other' });
    chat.writer.putDocument(id, { ...document, documentId: 'remote' });
    await waitUntil('the file is known', find);
    assert.deepEqual(find(), [{ id: 'remote', uri, sha256: SHA256 }]);
  });
});
