import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let files: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

/**
 * The page's files as `npm run build` makes them, in memory: by name, `main.js` and `main.css` among them; with `minify` as
 * they ship. One kind a process.
 */
export function bundledPage({ minify = false } = {}): Promise<ReadonlyMap<string, Uint8Array>> {
  files ??= build({
    entryPoints: { main: path.join(root, 'src/webview/main.tsx') },
    absWorkingDir: root,
    outdir: path.join(root, 'dist/webview'),
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'text' },
    target: 'es2023',
    minify,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': minify ? '"production"' : '"development"' },
  }).then(({ outputFiles }) => new Map(outputFiles.map((file) => [path.basename(file.path), file.contents])));
  return files;
}
