import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createShippedBundles } from '../../../scripts/bundles';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let files: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

/**
 * Returns the page's files as built by `npm run build`, in memory: by name, including `main.js` and `main.css`; with
 * `minify` as they ship. Only one kind per process.
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
