import type { Measured } from './measurer';

/** Prints the mixed replies, each compared with the limit in the same mode. */
export function printMixed(results: readonly Measured[], limit: string, ours: string): void {
  const mixed = results.filter(({ kind }) => kind === 'mixed');
  const rows = mixed.map((result) => {
    const floor = mixed.find((other) => other.name === limit && hasSameMode(other, result));
    const cells = [result.name, `${result.size} KB`, formatMode(result)];
    if (result.ms === undefined) return [...cells, 'not run: it would take too long'];
    return [
      ...cells,
      `${result.ms.toFixed(0)} ms`,
      formatRatio(result.ms, floor?.ms),
      `${result.updates.toFixed(0)} ms`,
      formatRatio(result.updates, floor?.updates),
      `${result.longest.toFixed(1)} ms`,
      result.everyFrame ? `${result.lateFrames}` : '',
    ];
  });
  const head = [
    'renderer',
    'size',
    'updates',
    'main thread',
    '× limit',
    'script+layout',
    '× limit',
    'longest',
  ];
  print([...head, 'late frames'], rows);
  for (const name of [limit, ours]) {
    for (const chunk of [64, 8]) {
      const growth = getGrowthExponent(
        mixed.filter((result) => result.name === name && result.chunk === chunk),
      );
      if (growth !== undefined)
        console.log(`${name}, ${chunk} characters: growth exponent ${growth.toFixed(2)}`);
    }
  }
}

/** Prints one block of 100 KB of each kind, compared with the mixed reply of that size. */
export function printGiants(results: readonly Measured[], ours: string): void {
  const mixed = results.find(
    ({ name, kind, size, chunk, everyFrame }) =>
      name === ours && kind === 'mixed' && size === 100 && chunk === 64 && !everyFrame,
  );
  const rows = results
    .filter(({ kind }) => kind !== 'mixed')
    .map((result) => [
      `one ${result.kind}`,
      `${result.size} KB`,
      `${result.ms?.toFixed(0)} ms`,
      result.ms === undefined ? '' : formatRatio(result.ms, mixed?.ms),
      `${result.longest.toFixed(1)} ms`,
    ]);
  print(['giant block', 'size', 'main thread', '× mixed', 'longest update'], rows);
}

export function printParsers(parsers: Readonly<Record<string, number>>): void {
  const rows = Object.entries(parsers).map(([name, ms]) => [name, `${ms.toFixed(1)} ms`]);
  print(['parser, 100 KB at once', 'time'], rows);
}

function hasSameMode(one: Measured, other: Measured): boolean {
  return one.size === other.size && one.chunk === other.chunk && one.everyFrame === other.everyFrame;
}

function formatRatio(ms: number, base: number | undefined): string {
  return base === undefined ? '' : (ms / base).toFixed(2);
}

function formatMode({ chunk, everyFrame }: Measured): string {
  return `${chunk} characters${everyFrame ? ', 60 frames/s' : ''}`;
}

/** Returns the growth exponent of the time from the smallest to the largest size; 1 is linear. */
function getGrowthExponent(results: readonly Measured[]): number | undefined {
  const sorted = results
    .filter(({ everyFrame }) => !everyFrame)
    .toSorted((one, other) => one.size - other.size);
  const [small, large] = [sorted[0], sorted.at(-1)];
  if (!small?.ms || !large?.ms || small === large) return undefined;
  return Math.log(large.ms / small.ms) / Math.log(large.size / small.size);
}

function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  console.log(`\n${all.map((row) => line(row).trimEnd()).join('\n')}`);
}
