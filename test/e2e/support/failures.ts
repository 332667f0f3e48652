import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { onTestFailure } from '../../support/testFailure';

/** What is looked at when a test fails. */
interface Watched {
  /** The window that is driven. */
  readonly page: Page;
  readonly windows: readonly Page[];
  /** VS Code's log, if it has a server. */
  readonly serverLog?: string;
  restartTrace(file: string): Promise<void>;
}

/**
 * Collects screenshots, logs and a trace when a test fails while this workbench is open. Returns a function
 * that stops it.
 */
export function watchForFailures(workbench: Watched): () => void {
  return onTestFailure(async (folder) => {
    if (workbench.serverLog !== undefined)
      await copyFile(workbench.serverLog, path.join(folder, 'server.log'));
    for (const [index, page] of workbench.windows.entries()) {
      await page.screenshot({ path: path.join(folder, `window-${index + 1}.png`) });
    }
    await writeFile(path.join(folder, 'focus.txt'), await describeFocus(workbench));
    // Printed, for a run whose files can't be looked at.
    for (const line of await listScripts(workbench)) console.error(line);
    await workbench.restartTrace(path.join(folder, 'trace.zip'));
  });
}

/** Describes the focused element of each frame. */
async function describeFocus(workbench: Watched): Promise<string> {
  const lines = workbench.page.frames().map(async (frame) => {
    const focused = await frame.evaluate(() => document.activeElement?.outerHTML.slice(0, 300));
    return `${frame.url()}\n  ${focused}`;
  });
  return (await Promise.all(lines)).join('\n');
}

/** Lists the scripts that Parley's pages have loaded, with their status; one that is missing was never asked for, or not answered. */
async function listScripts({ windows }: Watched): Promise<string[]> {
  const frames = windows.flatMap((window, index) =>
    window.frames().map(async (frame) => {
      const scripts = await frame.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => document.getElementById('app') && name.endsWith('.js'))
          .map(
            (entry) =>
              `${entry.name.split('/').at(-1)} ${(entry as PerformanceResourceTiming).responseStatus}`,
          ),
      );
      return scripts.length > 0
        ? [`Scripts of Parley’s page in window ${index + 1}: ${scripts.join(', ')}`]
        : [];
    }),
  );
  return (await Promise.all(frames)).flat();
}
