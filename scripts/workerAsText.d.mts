import type { Plugin } from 'esbuild';

/** Bundles what is imported as `./file?text` to one script, and gives its text. */
export const workerAsText: Plugin;
