import assert from 'node:assert/strict';
import type { ServiceDocumentView } from '../../../src/shared/view/viewModel';
import { describePanel } from '../support/panel';
import { document, panelState } from '../support/states';

describePanel('thousands of documents', {}, (panel) => {
  const rows = () => panel.page.getByRole('region', { name: 'Documents' }).getByRole('row');
  const createDocuments = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      document(`d${index}`, { state: 'attached', name: `own${index}.md`, opens: true }),
    );
  const getFocusedText = () => panel.page.evaluate(() => window.document.activeElement?.textContent ?? '');

  it('are drawn a hundred at a time, the newest first', async () => {
    const serviceDocuments = Array.from({ length: 150 }, (_, index): ServiceDocumentView => {
      return { id: `s${index}`, name: `theirs${index}.md`, origin: 'addedElsewhere' };
    });
    await panel.snapshot(panelState({ turns: createDocuments(5000), serviceDocuments }));
    const toggle = panel.page.getByRole('button', { name: '5,150 documents' });
    await toggle.waitFor();
    await toggle.click();
    await rows().first().waitFor();
    assert.equal(await rows().count(), 201);
    assert.match(await rows().first().innerText(), /own4900/);
    await panel.button('Show 4,950 more').click();
    await panel.button('Show 4,800 more').waitFor();
    assert.equal(await rows().count(), 351);
    assert.equal(await getFocusedText(), 'Show 4,800 more');
    await toggle.click();
    await toggle.click();
    assert.equal(await rows().count(), 201);
  });

  it('leave the focus on a row when the last ones are shown', async () => {
    await panel.snapshot(panelState({ turns: createDocuments(101) }));
    await panel.page.getByRole('button', { name: '101 documents' }).click();
    await panel.button('Show 1 more').click();
    await rows().filter({ hasText: 'own0.md' }).waitFor();
    assert.equal(await rows().count(), 101);
    assert.match(await getFocusedText(), /own0\.md/);
  });
});
