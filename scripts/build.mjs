// Bundles the extension for both hosts, the panel's page and the tests that run inside VS Code.
// Usage: node scripts/build.mjs [--production] [--watch]
import { rm } from 'node:fs/promises';
import * as esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  target: 'es2023',
  logLevel: 'info',
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};

/** jsonc-parser's `main` is a module that no bundler can follow. */
const mainFields = ['module', 'main'];

/** @type {esbuild.BuildOptions[]} */
const bundles = [
  {
    ...common,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    platform: 'node',
    mainFields,
    format: 'cjs',
    external: ['vscode'],
  },
  {
    ...common,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist/web',
    platform: 'browser',
    format: 'cjs',
    external: ['vscode'],
  },
  {
    ...common,
    entryPoints: { main: 'src/webview/main.tsx' },
    outdir: 'dist/webview',
    platform: 'browser',
    format: 'esm',
    splitting: true,
    // Grammars are made of regular expressions with the `v` flag.
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'text' },
  },
];

if (!production) {
  bundles.push({
    ...common,
    entryPoints: ['test/host/index.ts', 'test/host/**/*.test.ts'],
    outdir: 'dist/test/host',
    platform: 'node',
    mainFields,
    format: 'cjs',
    external: ['vscode', 'mocha'],
  });
}

// dist/test keeps what the bundles here don't make: screenshots, and the host tests while another build packages.
const outputs = ['extension.js', 'extension.js.map', 'web', 'webview', ...(production ? [] : ['test/host'])];
for (const output of outputs) await rm(`dist/${output}`, { recursive: true, force: true });
if (watch) {
  for (const bundle of bundles) await (await esbuild.context(bundle)).watch();
} else {
  const builds = await Promise.allSettled(bundles.map((bundle) => esbuild.build(bundle)));
  // esbuild has printed what is wrong.
  if (builds.some(({ status }) => status === 'rejected')) process.exitCode = 1;
}
