import path from 'node:path';
import type { Page } from 'playwright-core';
import { compactEntities } from '../../../scripts/esbuild/compactEntities';
import { openScriptPage } from '../support/scriptPage';

/** Opens an empty page in Chromium with the renderer and the test helpers as `window.markdown`. */
export function openMarkdownPage({ anyLink = false } = {}): Promise<Page> {
  return openScriptPage({
    entry: path.join(__dirname, 'pageScript.ts'),
    globalName: 'markdown',
    plugins: [compactEntities, ...(anyLink ? [permissivePolicy] : [])],
  });
}

/** The examples contain relative links and images, which the renderer doesn't allow: this shows what was parsed. */
const permissivePolicy = {
  name: 'permissive policy',
  setup(setup: import('esbuild').PluginBuild) {
    setup.onResolve({ filter: /\/(?:linkPolicy|picture)$/ }, () => ({
      path: path.join(__dirname, 'anyLink.ts'),
    }));
  },
};
