import assert from 'node:assert/strict';
import { startWorkbench, type Workbench } from './support/workbench';

describe('Parley in a real window', function () {
  this.timeout(120_000);
  let workbench: Workbench;

  before(async () => {
    workbench = await startWorkbench({
      workspaceFiles: { 'notes.txt': 'one\ntwo\nthree\n', 'src/app.ts': 'let a;\n' },
    });
  });

  after(async () => {
    await workbench.stop();
  });

  it('opens from the palette and comes back after its page is thrown away', async () => {
    await workbench.runCommand('Parley: New Conversation');
    const first = await workbench.panel();
    await workbench.reloadWebviews();
    const second = await workbench.panel();
    assert.notEqual(second, first);
  });

  it('offers its upload in the menu of files', async () => {
    const items = await workbench.explorer.openContextMenu(['notes.txt']);
    assert.ok(items.includes('Upload to Conversation'), `The menu has ${items}`);
    await workbench.page.keyboard.press('Escape');
  });

  it('is there again after the window was closed and opened', async () => {
    await workbench.openPage();
    await workbench.runCommand('Parley: New Conversation');
    await workbench.panel();
  });
});
