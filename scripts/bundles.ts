// What is bundled, and how: the extension for both hosts, and the panel's page.
import { readFile } from 'node:fs/promises';
import type { BuildOptions, Plugin } from 'esbuild';
import { compactEntities } from './compactEntities';
import { startInOneFile } from './startInOneFile';
import { workerAsText } from './workerAsText';

/** jsonc-parser's `main` is a module that no bundler can follow. */
export const mainFields = ['module', 'main'];

/** Imports VS Code's API as it is: esbuild's import of a namespace copies its hundreds of names in each file. */
const vscodeAsItIs: Plugin = {
  name: 'vscode-as-it-is',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        "import * as vscode from 'vscode';",
        "import vscode = require('vscode');",
      ),
      loader: 'ts',
    }));
  },
};

/** What each bundle has in common. */
export function common(production: boolean): BuildOptions {
  return {
    bundle: true,
    minify: production,
    sourcemap: production ? false : 'linked',
    target: 'es2023',
    logLevel: 'info',
    define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
  };
}

/** The bundles that ship: the extension for both hosts, and the panel's page. */
export function shippedBundles(production: boolean): Record<'node' | 'web' | 'page', BuildOptions> {
  return {
    node: {
      ...common(production),
      // What activation loads, and what the first use does. The web worker's host can't load a second file.
      entryPoints: { extension: 'src/extension.ts', 'host/main': 'src/host/main.ts' },
      outdir: 'dist',
      platform: 'node',
      mainFields,
      format: 'cjs',
      external: ['vscode', './host/main'],
      // As `require`, which VS Code looks after.
      supported: { 'dynamic-import': false },
      plugins: [vscodeAsItIs],
    },
    web: {
      ...common(production),
      entryPoints: { extension: 'src/extension.ts' },
      outdir: 'dist/web',
      platform: 'browser',
      format: 'cjs',
      external: ['vscode'],
      plugins: [vscodeAsItIs],
    },
    page: {
      ...common(production),
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
      plugins: [compactEntities, workerAsText, startInOneFile],
    },
  };
}
