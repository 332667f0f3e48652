import type { BuildOptions } from 'esbuild';

/** The bundles that ship: the extension for both hosts, and the panel's page. */
export function shippedBundles(production: boolean): Record<'node' | 'web' | 'page', BuildOptions>;
