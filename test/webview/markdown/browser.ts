import path from 'node:path';
import type { Page } from 'playwright-core';
import { compactEntities } from '../../../scripts/compactEntities';
import { openScriptPage } from '../support/scriptPage';

/** Opens an empty page in Chromium that has the renderer and the tests' helpers as `window.markdown`. */
export function openMarkdownPage({ anyLink = false } = {}): Promise<Page> {
  return openScriptPage({
    entry: path.join(__dirname, 'pageScript.ts'),
    globalName: 'markdown',
    plugins: [compactEntities, ...(anyLink ? [permissivePolicy] : [])],
  });
}

/** The examples link to relative addresses and show images, which the renderer doesn't: what it parsed is shown. */
const permissivePolicy = {
  name: 'permissive policy',
  setup(setup: import('esbuild').PluginBuild) {
    setup.onResolve({ filter: /\/linkPolicy$/ }, () => ({ path: path.join(__dirname, 'anyLink.ts') }));
  },
};
