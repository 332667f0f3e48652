import { build, type Plugin } from 'esbuild';
import type { Page } from 'playwright-core';
import { newContext } from './browser';

interface PageScript {
  /** Path of the module. */
  readonly entry: string;
  /** Global variable of the page with the module's exports. */
  readonly globalName: string;
  readonly plugins?: Plugin[];
}

const bundles = new Map<string, Promise<string>>();

/** Opens an empty page with a module: code under test, and helpers that run inside the page. */
export async function openScriptPage(script: PageScript): Promise<Page> {
  const key = [script.entry, ...(script.plugins ?? []).map(({ name }) => name)].join();
  const bundle = bundles.get(key) ?? bundleScript(script);
  bundles.set(key, bundle);
  const page = await (await newContext()).newPage();
  await page.setContent('<!doctype html><body></body>');
  await page.addScriptTag({ content: await bundle });
  return page;
}

async function bundleScript({ entry, globalName, plugins = [] }: PageScript): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    outdir: __dirname,
    format: 'iife',
    globalName,
    target: 'es2024',
    plugins,
  });
  return outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
}
