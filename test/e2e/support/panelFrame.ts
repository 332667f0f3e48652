import type { Frame, Page } from 'playwright-core';
import { Wait } from '../../service/hang';

/**
 * Finds the frame of Parley's page, which is inside VS Code's webview frame, once it has content.
 */
export async function findPanelFrame(page: Page, where: 'view' | 'editor'): Promise<Frame> {
  const wait = new Wait();
  for (;;) {
    const [frame] = await listPanelFrames(page, where);
    if (frame) return frame;
    if (wait.isInVain) {
      const urls = page.frames().map((frame) => frame.url());
      throw new Error(
        `Parley's page in ${where === 'view' ? 'its view' : 'an editor'} isn't there. Frames:\n${urls.join('\n')}`,
      );
    }
    await page.waitForTimeout(50);
  }
}

/** Returns the frames of Parley's visible pages that have content. */
export async function listPanelFrames(page: Page, where: 'view' | 'editor'): Promise<Frame[]> {
  const shown: Frame[] = [];
  for (const frame of page.frames()) if (await isShownParley(frame, where)) shown.push(frame);
  return shown;
}

async function isShownParley(frame: Frame, where: 'view' | 'editor'): Promise<boolean> {
  const outer = frame.parentFrame();
  if (!outer) return false;
  const { searchParams } = new URL(outer.url());
  if (searchParams.get('extensionId') !== 'parley.parley') return false;
  if ((searchParams.get('purpose') === 'webviewView') !== (where === 'view')) return false;
  try {
    // While a page loads, it is a second frame behind the one that it replaces.
    if ((await (await frame.frameElement()).getAttribute('id')) !== 'active-frame') return false;
    if (!(await (await outer.frameElement()).isVisible())) return false;
    return await frame.evaluate(
      () => document.readyState !== 'loading' && document.body.innerText.trim() !== '',
    );
  } catch {
    // The frame was detached during a query, as happens when its webview reloads.
    return false;
  }
}
