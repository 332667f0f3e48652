/**
 * Reads what measurements write with `--json`: objects with numbers, of which those in a list are told apart by
 * their texts and sizes.
 */

/** A number of a measurement in each run, by what it is: `store › rows › list conversations 1000 › ours`. */
export type Figures = ReadonlyMap<string, readonly number[]>;

/** The results of several runs, by the measurement's name. */
export type Results = Readonly<Record<string, readonly unknown[]>>;

export interface Difference {
  readonly what: string;
  /** The median of the new runs, divided by that of the old ones. */
  readonly ratio: number;
  /** How far the runs of either are apart, as a share of their median; undefined for a single run each. */
  readonly noise: number | undefined;
  readonly isWorse: boolean;
}

/** What counts as worse if the noise isn't known. */
const ASSUMED_NOISE = 0.15;
/** Properties that tell the items of a list apart. */
const LABELS = [
  ...['host', 'what', 'name', 'query', 'renderer', 'kind', 'size', 'rate', 'chunk', 'lines', 'turns'],
  // Yes or no.
  ...['everyFrame', 'warm'],
];
/** Properties that no change of the code can make worse. */
const CONSTANTS = new Set([
  'limit',
  'peer',
  'size',
  'count',
  'rate',
  'chunk',
  'lines',
  'turns',
  'starts',
  'hits',
  'kills',
  'grep',
  'reading',
]);

export function getFigures(results: Results): Figures {
  const figures = new Map<string, number[]>();
  const add = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'number') {
      const what = path.join(' › ');
      figures.set(what, [...(figures.get(what) ?? []), value]);
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) add(item, [...path, getLabel(item) ?? String(index)]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) add(item, [...path, key]);
    }
  };
  for (const [name, runs] of Object.entries(results)) for (const run of runs) add(run, [name]);
  return figures;
}

/** Compares the figures that both have. Smaller ones are better. */
export function compareResults(before: Results, after: Results): Difference[] {
  const old = getFigures(before);
  return [...getFigures(after)].flatMap(([what, values]) => {
    const oldValues = old.get(what);
    const oldMedian = getMedian(oldValues ?? []);
    if (!oldValues || CONSTANTS.has(what.split(' › ').at(-1) ?? '') || !(oldMedian > 0)) return [];
    const ratio = getMedian(values) / oldMedian;
    const noise =
      oldValues.length + values.length > 2 ? Math.max(getSpread(oldValues), getSpread(values)) : undefined;
    return [{ what, ratio, noise, isWorse: ratio > 1 + (noise ?? ASSUMED_NOISE) }];
  });
}

function getLabel(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return;
  const properties = item as Readonly<Record<string, unknown>>;
  const labels = LABELS.flatMap((key) => {
    const value = properties[key];
    if (value === true) return [key];
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
  return labels.length > 0 ? labels.join(' ') : undefined;
}

export function getMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle - 1)], sorted[Math.floor(middle)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

function getSpread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / getMedian(values);
}

export function formatNumber(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 3 });
}
