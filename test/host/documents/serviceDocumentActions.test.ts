import assert from 'node:assert/strict';
import { findDocument } from '../../../src/chat/model/conversation';
import { toConversationView } from '../../../src/host/panel/page/turnView';
import { openBytes } from '../../../src/host/platform/openBytes';
import { confirmed } from '../../chat/support/confirmed';
import { waitUntil } from '../../support/waitUntil';
import { RecordedWindow } from '../support/recordedWindow';
import { type TestServices, useServices } from '../support/testServices';

describe('Actions on documents of the service', () => {
  const startServices = useServices();
  let fixture: TestServices;
  let recorded: RecordedWindow;

  before(async () => {
    fixture = await startServices();
  });
  after(() => fixture.close());
  beforeEach(() => {
    recorded = new RecordedWindow();
  });
  afterEach(() => recorded.dispose());

  it('exclude a document from answers, show an error if that fails, and keep the last document', async () => {
    const { chat, uploads, focusSync } = fixture.services;
    const serviceDocumentActions = await fixture.services.getServiceDocumentActions();
    const { id } = chat.createConversation({ id: 'echo', name: 'Echo' });
    focusSync.setVisible(new Set([id]));
    const find = () => chat.findConversation(id) ?? assert.fail();
    const upload = async (name: string) => {
      const open = () => openBytes(new TextEncoder().encode('Moss is green.'));
      const file = { name, contentType: 'text/plain', opened: open(), reopen: async () => open() };
      const { turnId, finished } = uploads.add(id, confirmed(file));
      await finished;
      const turn = findDocument(find(), turnId) ?? assert.fail();
      chat.writer.putDocument(id, { ...turn, status: 'synced' });
      return { turnId, documentId: turn.documentId };
    };
    const moss = await upload('moss.txt');
    const fern = await upload('fern.txt');
    const getFocus = ({ turnId }: typeof moss) => {
      const turn = toConversationView(find()).turns.find((other) => other.id === turnId);
      return turn?.kind === 'document' ? turn.focus : assert.fail();
    };
    await waitUntil('the focus is offered', () => getFocus(moss) !== undefined);
    const getServiceFocus = () => fixture.service.conversations.get(find().remote?.id ?? '')?.document_ids;

    fixture.service.inject({ name: 'status', on: 'POST /conversations/{id}', status: 403 });
    await serviceDocumentActions.setOwnIncluded(id, moss.turnId, false);
    assert.match(recorded.texts[0] ?? '', /^Couldn’t exclude “moss\.txt” from answers\./);
    assert.deepEqual([getFocus(moss), getServiceFocus()], ['included', [moss.documentId, fern.documentId]]);

    await serviceDocumentActions.setOwnIncluded(id, moss.turnId, false);
    assert.deepEqual([getFocus(moss), getFocus(fern)], ['excluded', undefined]);
    assert.deepEqual(getServiceFocus(), [fern.documentId]);
    assert.equal(recorded.shown.length, 1);

    await serviceDocumentActions.setOwnIncluded(id, fern.turnId, false);
    assert.match(recorded.texts.at(-1) ?? '', /^“fern\.txt” is the only document included in answers/);
    assert.deepEqual(getServiceFocus(), [fern.documentId]);
  });
});
