import type { Plugin } from 'esbuild';

/** Replaces character-entities by the same map, written for gzip. */
export const compactEntities: Plugin;

/** A module that exports `entities` as `characterEntities`. */
export function compactModule(entities: Readonly<Record<string, string>>): string;
