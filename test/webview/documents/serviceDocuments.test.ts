import assert from 'node:assert/strict';
import type { PanelState, ServiceDocumentView } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { document, message, panelState } from '../support/states';

const elsewhere: ServiceDocumentView = { id: 's1', name: 'plan.docx', origin: 'addedElsewhere' };

describePanel('documents that only the service has', {}, (panel) => {
  let id: string;

  const show = async (state: PanelState) => {
    id = await panel.showLoaded(state);
  };
  const row = (name: string) => panel.page.getByRole('row', { name });

  it('are shown in the tray and marked, even if nothing was uploaded here', async () => {
    await show(panelState({ turns: [message('1', 'Hi')], serviceDocuments: [elsewhere] }));
    await row('plan.docx added elsewhere').waitFor();
    await panel.change({
      type: 'serviceDocuments',
      serviceDocuments: [
        { ...elsewhere, status: 'syncing' },
        { id: 's2', name: 'own.txt', origin: 'older' },
      ],
    });
    await row('plan.docx added elsewhere · Converting…').waitFor();
    await row('own.txt older version').waitFor();
    await panel.change({ type: 'serviceDocuments', serviceDocuments: [] });
    assert.equal(await panel.page.getByRole('row').count(), 0);
  });

  it('open by their address, and offer no unavailable action', async () => {
    const documents = [{ ...elsewhere, opens: true } as const, { ...elsewhere, id: 's2', name: 'b.txt' }];
    await show(panelState({ serviceDocuments: documents }));
    await row('plan.docx').getByRole('button').click();
    assert.deepEqual(await panel.intents(), [
      { type: 'openServiceDocument', conversationId: id, documentId: 's1' },
    ]);
    const other = row('b.txt').getByRole('button');
    assert.equal(await other.getAttribute('aria-disabled'), 'true');
    await other.focus();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intents(), []);
    assert.equal(await panel.button('Remove').count(), 0);
  });

  it('are removed if they are older versions and the service supports it', async () => {
    const older: ServiceDocumentView = { id: 's2', name: 'own.txt', origin: 'older', removable: true };
    await show(panelState({ turns: [document('d', { state: 'attached' })], serviceDocuments: [older] }));
    await row('own.txt older version').getByRole('button', { name: 'Remove' }).click();
    assert.deepEqual(await panel.intents(), [
      { type: 'removeServiceDocument', conversationId: id, documentId: 's2' },
    ]);
  });

  it('are excluded from answers and included again where the service offers it', async () => {
    await show(panelState({ serviceDocuments: [{ ...elsewhere, focus: 'included' }] }));
    assert.equal(await panel.button('Include in Answers').count(), 0);
    await row('plan.docx').getByRole('button', { name: 'Exclude from Answers' }).click();
    assert.deepEqual(await panel.intents(), [
      { type: 'includeServiceDocument', conversationId: id, documentId: 's1', on: false },
    ]);
    await panel.change({ type: 'serviceDocuments', serviceDocuments: [{ ...elsewhere, focus: 'excluded' }] });
    await row('plan.docx added elsewhere · excluded').waitFor();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.intents(), [
      { type: 'includeServiceDocument', conversationId: id, documentId: 's1', on: true },
    ]);
  });

  it('are counted with the others when these are collapsed', async () => {
    const turns = [1, 2, 3].map((number) => document(`d${number}`, { state: 'attached' }));
    await show(panelState({ turns, serviceDocuments: [elsewhere] }));
    await panel.page.getByRole('button', { name: '4 documents 1 added elsewhere' }).click();
    await row('plan.docx added elsewhere').waitFor();
  });

  it('show their names with hidden and reordering characters escaped', async () => {
    await show(panelState({ serviceDocuments: [{ ...elsewhere, name: 'plan\u202excod.exe' }] }));
    assert.doesNotMatch(await row('added elsewhere').innerText(), /\u202e/);
  });

  it('can be uploaded again if the conversion failed', async () => {
    const failed = document('d', { state: 'attached', status: 'sync_failed', opens: true });
    await show(panelState({ turns: [failed] }));
    assert.match(await panel.page.getByRole('row').innerText(), /Conversion failed/);
    await panel.button('Upload Again').click();
    assert.deepEqual(await panel.intents(), [{ type: 'updateDocument', conversationId: id, turnId: 'd' }]);
    await panel.change({ type: 'turn', turn: { ...failed, file: 'gone' } });
    assert.equal(await panel.button('Upload Again').count(), 0);
    // A pasted file has no location.
    await panel.change({ type: 'turn', turn: document('d', { state: 'attached', status: 'sync_failed' }) });
    await panel.button('Upload Again').waitFor();
  });
});
