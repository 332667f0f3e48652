// Bundles the extension for both hosts, the panel's page and the tests that run inside VS Code.
// Usage: node scripts/run.mjs scripts/build.ts [--production] [--watch]
import { rm } from 'node:fs/promises';
import * as esbuild from 'esbuild';
import { common, mainFields, shippedBundles } from './bundles';

void build(process.argv.includes('--production'), process.argv.includes('--watch'));

async function build(production: boolean, watch: boolean): Promise<void> {
  const bundles: esbuild.BuildOptions[] = Object.values(shippedBundles(production));

  if (!production) {
    bundles.push({
      ...common(production),
      entryPoints: ['test/host/index.ts', 'test/host/**/*.test.ts'],
      outdir: 'dist/test/host',
      platform: 'node',
      mainFields,
      format: 'cjs',
      external: ['vscode', 'mocha'],
    });
  }

  // dist/test keeps what the bundles here don't make: screenshots, and the host tests while another build packages.
  const outputs = [
    'extension.js',
    'extension.js.map',
    'host',
    'web',
    'webview',
    ...(production ? [] : ['test/host']),
  ];
  for (const output of outputs) await rm(`dist/${output}`, { recursive: true, force: true });
  if (watch) {
    for (const bundle of bundles) await (await esbuild.context(bundle)).watch();
  } else {
    const builds = await Promise.allSettled(bundles.map((bundle) => esbuild.build(bundle)));
    // esbuild has printed what is wrong.
    if (builds.some(({ status }) => status === 'rejected')) process.exitCode = 1;
  }
}
