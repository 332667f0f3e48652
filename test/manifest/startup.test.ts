import assert from 'node:assert/strict';
import { build, type Metafile } from 'esbuild';
import manifest from '../../package.json';
import { createShippedBundles } from '../../scripts/bundles';
import { repositoryRoot } from '../vscode/cacheDir';

/** The size limit of the script that activation loads. */
const MAX_BYTES = 8_000;

describe('Activation', () => {
  let outputs: Metafile['outputs'];

  before(async () => {
    const { node } = createShippedBundles(true);
    const built = await build({
      ...node,
      absWorkingDir: repositoryRoot,
      write: false,
      metafile: true,
      logLevel: 'error',
    });
    outputs = built.metafile.outputs;
  });

  it('loads only a few KB of Parley’s own code; the rest is loaded on first use', () => {
    const { bytes = 0, inputs = {} } = outputs['dist/extension.js'] ?? {};
    assert.ok(bytes < MAX_BYTES, `${bytes} bytes`);
    const foreign = Object.keys(inputs).filter((input) => !/^src\/(extension\.ts|host\/)/.test(input));
    assert.deepEqual(foreign, []);
    assert.ok((outputs['dist/host/main.js']?.bytes ?? 0) > MAX_BYTES);
  });

  it('happens only when the user uses Parley, without an event that fires by itself', () => {
    const events = ['onFileSystem:parley', 'onUri', 'onWebviewPanel:parley.editor'];
    assert.deepEqual(manifest.activationEvents, events);
  });
});
