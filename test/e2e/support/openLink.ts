import assert from 'node:assert/strict';
import type { Workbench } from './workbench';

/** Opens a link as the operating system would; `next`: a text of the dialog that follows VS Code's own, if there is one. */
export async function openLink(workbench: Workbench, link: string, next?: string): Promise<void> {
  await workbench.runCommand('Developer: Open URL');
  await workbench.quickInput.type(link);
  // VS Code’s own question.
  assert.match(await workbench.dialog.text(), /Allow 'Parley' extension to open this URI\?/);
  if (next === undefined) await workbench.dialog.press('Open');
  else await workbench.dialog.pressForNext('Open', next);
}
