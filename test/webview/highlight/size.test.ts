import assert from 'node:assert/strict';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { createShippedBundles } from '../../../scripts/bundles';

const root = path.join(__dirname, '../../..');

describe("the page's scripts", () => {
  let meta: Metafile;
  let sizes: Map<string, number>;
  /** The files loaded before there is any code block, `main.js` first. */
  let first: string[];

  before(async () => {
    const { metafile, outputFiles } = await build({
      ...createShippedBundles(true).page,
      absWorkingDir: root,
      logLevel: 'error',
      write: false,
      metafile: true,
    });
    meta = metafile;
    sizes = new Map(
      outputFiles.map((file) => [path.basename(file.path), gzipSync(file.contents).byteLength] as const),
    );
    first = ['dist/webview/main.js'];
    for (const file of first) {
      for (const { path: next, kind } of meta.outputs[file]?.imports ?? []) {
        if (kind === 'import-statement' && !first.includes(next)) first.push(next);
      }
    }
  });

  const sum = (files: readonly string[]) =>
    files.reduce((total, file) => total + (sizes.get(path.basename(file)) ?? 0), 0);

  it('start with less than 67 KB (gzip), without what only code needs', () => {
    assert.ok(sum(first) < 67_000, `${sum(first)} bytes`);
    const inputs = first.flatMap((file) => Object.keys(meta.outputs[file]?.inputs ?? {}));
    assert.deepEqual(
      inputs.filter((file) => file.includes('shiki') || file.includes('painter')),
      [],
    );
  });

  it('have a file for each grammar, as text without regular expressions', () => {
    const grammars = Object.entries(meta.outputs).filter(([, { entryPoint }]) =>
      entryPoint?.includes('langs-precompiled'),
    );
    assert.ok(grammars.length >= 40, `${grammars.length} grammars`);
    const inputs = Object.keys(meta.inputs).filter((file) => file.includes('langs-precompiled'));
    assert.deepEqual(
      inputs.filter((file) => !file.endsWith('?grammar')),
      [],
    );
  });
});
