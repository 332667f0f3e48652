import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFailure } from '../../support/testFailure';
import type { Workbench } from './workbench';

/**
 * Collects screenshots, logs and a trace when a test fails while this workbench is open. Returns a function
 * that stops it.
 */
export function watchForFailures(workbench: Workbench): () => void {
  return onTestFailure(async (folder) => {
    await copyFile(workbench.serverLog, path.join(folder, 'server.log'));
    for (const [index, page] of workbench.windows.entries()) {
      await page.screenshot({ path: path.join(folder, `window-${index + 1}.png`) });
    }
    await writeFile(path.join(folder, 'focus.txt'), await describeFocus(workbench));
    await workbench.restartTrace(path.join(folder, 'trace.zip'));
  });
}

/** Describes the focused element of each frame. */
async function describeFocus(workbench: Workbench): Promise<string> {
  const lines = workbench.page.frames().map(async (frame) => {
    const focused = await frame.evaluate(() => document.activeElement?.outerHTML.slice(0, 300));
    return `${frame.url()}\n  ${focused}`;
  });
  return (await Promise.all(lines)).join('\n');
}
