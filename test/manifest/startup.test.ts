import assert from 'node:assert/strict';
import manifest from '../../package.json';
import { type BundleResult, getShippedBuild } from './shippedBuild';

/** The size limit of the script that activation loads. */
const MAX_BYTES = 8_000;
/** The size limit of the script that the first use loads. */
const MAX_FIRST_USE_BYTES = 316_000;
/** Packages that only some commands and replies need. */
const LAZY_PACKAGES = /node_modules\/(?:character-entities|mime|ignore|jsonc-parser|fast-plist)\//;

describe('Activation', () => {
  let builds: Awaited<ReturnType<typeof getShippedBuild>>;

  before(async () => {
    builds = await getShippedBuild();
  });

  it('loads only a few KB of Parley’s own code', () => {
    const { size, inputs } = inspectFile(builds.node, 'dist/extension.js');
    assert.ok(size < MAX_BYTES, `${size} bytes`);
    const foreign = inputs.filter((input) => !/^src\/(extension\.ts|host\/)/.test(input));
    assert.deepEqual(foreign, []);
  });

  it('leaves for later uses what the first use doesn’t need', () => {
    const { size, inputs } = inspectFile(builds.host, 'dist/host/main.cjs');
    assert.ok(size > MAX_BYTES && size < MAX_FIRST_USE_BYTES, `${size} bytes`);
    const early = inputs.filter((input) => LAZY_PACKAGES.test(input));
    assert.deepEqual(early, []);
  });

  it('happens when the user uses Parley, or once VS Code has started, because other programs’ agents can’t activate it', () => {
    const events = ['onFileSystem:parley', 'onUri', 'onWebviewPanel:parley.editor', 'onStartupFinished'];
    assert.deepEqual(manifest.activationEvents, events);
  });
});

/** Returns the size of a file of a bundle, and the sources in it. */
function inspectFile(
  { outputFiles, metafile }: BundleResult,
  name: string,
): { readonly size: number; readonly inputs: readonly string[] } {
  const size = outputFiles.find(({ path }) => path.replaceAll('\\', '/').endsWith(name))?.contents.length;
  return { size: size ?? Number.NaN, inputs: Object.keys(metafile.outputs[name]?.inputs ?? {}) };
}
