import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createShippedBundles } from '../../../scripts/bundles';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let files: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

/**
 * The page's files as `npm run build` makes them, in memory: by name, `main.js` and `main.css` among them; with `minify` as
 * they ship. One kind a process.
 */
export function bundledPage({ minify = false } = {}): Promise<ReadonlyMap<string, Uint8Array>> {
  files ??= build({
    ...createShippedBundles(minify).page,
    absWorkingDir: root,
    sourcemap: false,
    write: false,
    logLevel: 'error',
  }).then(
    ({ outputFiles = [] }) => new Map(outputFiles.map((file) => [path.basename(file.path), file.contents])),
  );
  return files;
}
