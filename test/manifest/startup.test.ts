import assert from 'node:assert/strict';
import { build, type Metafile } from 'esbuild';
import manifest from '../../package.json';
import { shippedBundles } from '../../scripts/bundles';
import { repositoryRoot } from '../vscode/cacheDir';

/** Bytes of what activation loads. */
const LIMIT = 8_000;

describe('The start', () => {
  let outputs: Metafile['outputs'];

  before(async () => {
    const { node } = shippedBundles(true);
    const built = await build({
      ...node,
      absWorkingDir: repositoryRoot,
      write: false,
      metafile: true,
      logLevel: 'error',
    });
    outputs = built.metafile.outputs;
  });

  it('loads what registers, a few KB of our own; the rest comes with the first use', () => {
    const { bytes = 0, inputs = {} } = outputs['dist/extension.js'] ?? {};
    assert.ok(bytes < LIMIT, `${bytes} bytes`);
    const foreign = Object.keys(inputs).filter((input) => !/^src\/(extension\.ts|host\/)/.test(input));
    assert.deepEqual(foreign, []);
    assert.ok((outputs['dist/host/main.js']?.bytes ?? 0) > LIMIT);
  });

  it('is for somebody who wants something of Parley: no event wakes it up by itself', () => {
    const events = ['onFileSystem:parley', 'onUri', 'onWebviewPanel:parley.editor'];
    assert.deepEqual(manifest.activationEvents, events);
  });
});
