import path from 'node:path';
import { onTestFailure } from '../../support/testFailure';
import { repositoryRoot } from '../../vscode/cacheDir';
import type { Workbench } from './workbench';

/** Keeps a picture of this window for each test that fails while it is open. Returns what ends that. */
export function watchForFailures(workbench: Workbench): () => void {
  return onTestFailure(async (fullTitle) => {
    const name = fullTitle.replace(/[^\p{L}\p{N}]+/gu, '-');
    const file = path.join(repositoryRoot, 'dist/test/screenshots', `${name}.png`);
    try {
      await workbench.screenshot(file);
      console.error(`      What the window showed: ${path.relative(repositoryRoot, file)}`);
    } catch (error) {
      console.error(`      No picture of the window: ${error}`);
    }
  });
}
