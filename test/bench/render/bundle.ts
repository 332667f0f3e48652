import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const here = __dirname;
const bench = path.join(here, '..');

/** Bundles the page's script, the peers' script and the styles, including the panel's. */
export async function createPageContent(): Promise<{ readonly scripts: string[]; readonly styles: string }> {
  const ours = await bundle('page.ts', 'bench');
  const parsers = await bundle('parsers.mjs', 'parsers');
  const peers = await bundle('peers.mjs', 'peers');
  const root = path.join(here, '../../..');
  const styles = [
    'src/webview/markdown/blocks.css',
    'src/webview/markdown/markdown.css',
    'src/webview/code/code.css',
  ]
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
  const page = 'body { margin: 0; font: 13px/1.5 sans-serif } .scroller { height: 900px; overflow-y: auto }';
  return { scripts: [ours, parsers, peers], styles: `${page}\n${styles}` };
}

async function bundle(entry: string, globalName: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(here, entry)],
    bundle: true,
    write: false,
    outdir: bench,
    minify: true,
    format: 'iife',
    globalName,
    target: 'es2023',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles.find(({ path: file }) => file.endsWith('.js'))?.text ?? '';
}
