/** `previous`: compares with the results before; `bots`: asks two bots. */
export type RunKind = 'run' | 'previous' | 'bots';
