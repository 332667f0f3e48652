// Bundles the extension for both hosts, the panel's page, and the tests that run inside VS Code.
// With --production, also writes the notices of third parties.
// Usage: node scripts/run.mjs scripts/build.ts [--production] [--watch]
import { rm, writeFile } from 'node:fs/promises';
import * as esbuild from 'esbuild';
import { createShippedBundles, getCommonOptions, mainFields } from './bundles';
import { createNotices, NOTICES_FILE } from './notices';

void build(process.argv.includes('--production'), process.argv.includes('--watch'));

async function build(production: boolean, watch: boolean): Promise<void> {
  const bundles: esbuild.BuildOptions[] = Object.values(createShippedBundles(production));

  if (!production) {
    bundles.push({
      ...getCommonOptions(production),
      entryPoints: ['test/host/index.ts', 'test/host/**/*.test.ts'],
      outdir: 'dist/test/host',
      platform: 'node',
      mainFields,
      format: 'cjs',
      // One fast-check for all: it fills a table of a million characters when it first makes strings.
      external: ['vscode', 'mocha', 'fast-check'],
    });
  }

  // Keeps the rest of dist/test: screenshots, and the host tests during a production build.
  const outputs = [
    'extension.js',
    'extension.js.map',
    'host',
    'web',
    'webview',
    'diagram',
    'mcp',
    ...(production ? [] : ['test/host']),
  ];
  for (const output of outputs) await rm(`dist/${output}`, { recursive: true, force: true });
  if (watch) {
    for (const bundle of bundles) await (await esbuild.context(bundle)).watch();
  } else {
    const builds = await Promise.allSettled(
      bundles.map((bundle) => esbuild.build({ ...bundle, metafile: true })),
    );
    const metafiles = builds.flatMap((build) => (build.status === 'fulfilled' ? [build.value.metafile] : []));
    // esbuild has already printed the errors.
    if (metafiles.length < builds.length) process.exitCode = 1;
    else if (production) await writeFile(NOTICES_FILE, await createNotices('.', metafiles));
  }
}
