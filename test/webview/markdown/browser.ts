import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { compactEntities } from '../../../scripts/compactEntities.mjs';
import { chromiumArgs, findChromium } from '../../vscode/chromium';

const here = __dirname;

/** Opens an empty page in Chromium that has the renderer and the tests' helpers as `window.markdown`. */
export async function openMarkdownPage(options: { readonly anyLink?: boolean } = {}): Promise<MarkdownPage> {
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  const page = await browser.newPage();
  await page.setContent('<!doctype html><body></body>');
  const plugins = [compactEntities, ...(options.anyLink ? [permissivePolicy] : [])];
  await page.addScriptTag({ content: await bundle(path.join(here, 'pageScript.ts'), { plugins }) });
  return { page, browser };
}

export interface MarkdownPage {
  readonly page: Page;
  readonly browser: Browser;
}

async function bundle(entry: string, options: BuildOptions): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    outdir: here,
    format: 'iife',
    globalName: 'markdown',
    target: 'es2023',
    ...options,
  });
  return result.outputFiles?.find(({ path: file }) => file.endsWith('.js'))?.text ?? '';
}

/** The examples link to relative addresses and show images, which the renderer doesn't: what it parsed is shown. */
const permissivePolicy = {
  name: 'permissive policy',
  setup(setup: import('esbuild').PluginBuild) {
    setup.onResolve({ filter: /\/linkPolicy$/ }, () => ({ path: path.join(here, 'anyLink.ts') }));
  },
};
