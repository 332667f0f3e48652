import path from 'node:path';
import { repositoryRoot } from '../../vscode/cacheDir';
import type { Workbench } from './workbench';

const open = new Set<Workbench>();

/** Keeps a picture of this window for each test that fails while it is open. Returns what ends that. */
export function watchForFailures(workbench: Workbench): () => void {
  open.add(workbench);
  return () => open.delete(workbench);
}

// A hook at the top level belongs to the whole run; a measurement has none.
globalThis.afterEach?.(async function () {
  const test = this.currentTest;
  if (test?.state !== 'failed') return;
  const name = test.fullTitle().replace(/[^\p{L}\p{N}]+/gu, '-');
  let number = 0;
  for (const workbench of open) {
    const file = path.join(repositoryRoot, 'dist/test/screenshots', `${name}-${++number}.png`);
    try {
      await workbench.screenshot(file);
      console.error(`      What the window showed: ${path.relative(repositoryRoot, file)}`);
    } catch (error) {
      console.error(`      No picture of the window: ${error}`);
    }
  }
});
