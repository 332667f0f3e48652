// The build options of the extension for both hosts and of the panel's page.
import { readFile } from 'node:fs/promises';
import type { BuildOptions, Plugin } from 'esbuild';
import manifest from '../package.json';
import { commonJsChunks } from './esbuild/commonJsChunks';
import { compactEntities } from './esbuild/compactEntities';
import { grammarAsText } from './esbuild/grammarAsText';
import { scriptAsText } from './esbuild/scriptAsText';
import { startInOneFile } from './esbuild/startInOneFile';

/** jsonc-parser's `main` is a UMD module, which bundlers can't analyze. */
export const mainFields = ['module', 'main'];

/**
 * Imports VS Code's API with `require`: for a namespace import, esbuild copies its hundreds of names in each
 * file.
 */
const vscodeRequire: Plugin = {
  name: 'vscode-require',
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

/** The script that the first use loads, which is a bundle of its own. */
const firstUse: Plugin = {
  name: 'first-use',
  setup(build) {
    build.onResolve({ filter: /^\.\/host\/hostMain$/ }, () => ({ path: './host/main.cjs', external: true }));
  },
};

/** Returns the options that all bundles share. */
export function getCommonOptions(production: boolean): BuildOptions {
  return {
    bundle: true,
    minify: production,
    sourcemap: production ? false : 'linked',
    target: 'es2023',
    logLevel: 'info',
    define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
  };
}

/** Creates the options of the bundles that ship: the extension for both hosts, the panel's page, a diagram's, and the MCP server. */
export function createShippedBundles(
  production: boolean,
): Record<'node' | 'host' | 'web' | 'page' | 'diagram' | 'mcp', BuildOptions> {
  return {
    node: {
      ...getCommonOptions(production),
      // What activation needs. The web worker's host can't load a second file.
      entryPoints: { extension: 'src/extension.ts' },
      outdir: 'dist',
      platform: 'node',
      mainFields,
      format: 'cjs',
      external: ['vscode'],
      // Bundled as `require`, which VS Code intercepts.
      supported: { 'dynamic-import': false },
      plugins: [firstUse, vscodeRequire],
    },
    host: {
      ...getCommonOptions(production),
      entryPoints: { main: 'src/host/hostMain.ts' },
      outdir: 'dist/host',
      // vsce warns about more than 100 files that end with .js.
      outExtension: { '.js': '.cjs' },
      platform: 'node',
      mainFields,
      format: 'esm',
      splitting: true,
      external: ['vscode'],
      plugins: [compactEntities, commonJsChunks, startInOneFile, vscodeRequire],
    },
    web: {
      ...getCommonOptions(production),
      entryPoints: { extension: 'src/extension.ts' },
      outdir: 'dist/web',
      platform: 'browser',
      format: 'cjs',
      external: ['vscode'],
      plugins: [compactEntities, vscodeRequire],
    },
    page: {
      ...getCommonOptions(production),
      entryPoints: { main: 'src/webview/pageMain.tsx' },
      outdir: 'dist/webview',
      platform: 'browser',
      format: 'esm',
      splitting: true,
      // Chromium compiles the functions on another thread while it loads a script, not each at its first call.
      banner: { js: '//# allFunctionsCalledOnLoad' },
      // Grammars use regular expressions with the `v` flag.
      target: 'es2024',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      loader: { '.svg': 'text' },
      plugins: [compactEntities, grammarAsText, scriptAsText, startInOneFile],
    },
    diagram: {
      ...getCommonOptions(production),
      entryPoints: { main: 'src/webview/diagrams/diagramMain.ts' },
      outdir: 'dist/diagram',
      outExtension: { '.js': '.mjs' },
      platform: 'browser',
      format: 'esm',
      loader: { '.svg': 'text', '.css': 'text' },
      alias: { katex: './src/webview/diagrams/frame/noKatex.ts' },
      plugins: [scriptAsText],
    },
    mcp: {
      ...getCommonOptions(production),
      // A program of its own, which the extension never loads: agents start it.
      entryPoints: { server: 'src/mcp/main/serverMain.ts' },
      outdir: 'dist/mcp',
      platform: 'node',
      target: 'node20',
      // `npx` starts the file itself.
      banner: { js: '#!/usr/bin/env node' },
      mainFields,
      format: 'cjs',
      define: {
        ...getCommonOptions(production).define,
        PARLEY_VERSION: JSON.stringify(manifest.version),
      },
    },
  };
}
