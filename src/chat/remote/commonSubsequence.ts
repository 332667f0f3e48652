/** Limit of the bit vectors, of four bytes each, that a search may take: enough for two lists of 11,000 that differ. */
const MAX_WORDS = 2 ** 22;
const WORD_BITS = 31;
const WORD_MASK = 2 ** WORD_BITS - 1;

type Pairs = readonly (readonly [row: number, column: number])[];

/**
 * Returns the longest common subsequence of two lists as pairs of indexes, in order; a shorter one if thousands of both
 * differ.
 */
export function findCommonSubsequence(rowKeys: readonly number[], columnKeys: readonly number[]): Pairs {
  // Usually all but the last few are equal, so little is left to compare.
  let start = 0;
  while (start < rowKeys.length && rowKeys[start] === columnKeys[start]) start++;
  let [rowEnd, columnEnd] = [rowKeys.length, columnKeys.length];
  while (rowEnd > start && columnEnd > start && rowKeys[rowEnd - 1] === columnKeys[columnEnd - 1]) {
    rowEnd--;
    columnEnd--;
  }
  const isSmall = (columnEnd - start) * Math.ceil((rowEnd - start) / WORD_BITS) <= MAX_WORDS;
  const find = isSmall ? findLongestPairs : findUniquePairs;
  const differing = find(rowKeys.slice(start, rowEnd), columnKeys.slice(start, columnEnd));
  return [
    ...rowKeys.slice(0, start).map((_, index) => [index, index] as const),
    ...differing.map(([row, column]) => [start + row, start + column] as const),
    ...rowKeys.slice(rowEnd).map((_, index) => [rowEnd + index, columnEnd + index] as const),
  ];
}

/**
 * Returns the indexes of a longest common subsequence. A vector for each column has a 0 for each row at which the longest
 * subsequence of the columns and rows so far gets longer (Hyyrö 2004). It takes a 31st of the time and the memory of a table.
 */
function findLongestPairs(rowKeys: readonly number[], columnKeys: readonly number[]): Pairs {
  // From the end, so that the pairs are found from the start.
  const [columns, rows] = [columnKeys.toReversed(), rowKeys.toReversed()];
  const width = Math.ceil(rows.length / WORD_BITS);
  const [equalRows, equalBits] = [groupIndexes(rows), new Map<number, Uint32Array>()];
  const vectors = new Uint32Array((columns.length + 1) * width).fill(WORD_MASK, 0, width);
  columns.forEach((key, column) => {
    const equal = equalBits.get(key) ?? createBits(equalRows.get(key) ?? [], width);
    // Thousands of columns may have a key that thousands of rows have.
    equalBits.set(key, equal);
    let carry = 0;
    for (let word = 0; word < width; word++) {
      const before = vectors[column * width + word] ?? 0;
      const matching = equal[word] ?? 0;
      const sum = before + (before & matching) + carry;
      carry = sum > WORD_MASK ? 1 : 0;
      vectors[(column + 1) * width + word] = ((sum & WORD_MASK) | (before & ~matching)) & WORD_MASK;
    }
  });
  const getsLonger = (row: number, column: number) =>
    (((vectors[(column + 1) * width + Math.floor(row / WORD_BITS)] ?? 0) >> (row % WORD_BITS)) & 1) === 0;
  const pairs: [number, number][] = [];
  let [row, column] = [rows.length - 1, columns.length - 1];
  while (row >= 0 && column >= 0) {
    if (rows[row] === columns[column]) pairs.push([rows.length - 1 - row--, columns.length - 1 - column--]);
    else if (getsLonger(row, column)) column--;
    else row--;
  }
  return pairs;
}

/** Creates a vector with a 1 at each of the indexes. */
function createBits(indexes: readonly number[], words: number): Uint32Array {
  const bits = new Uint32Array(words);
  for (const index of indexes) {
    const word = Math.floor(index / WORD_BITS);
    bits[word] = (bits[word] ?? 0) | (1 << (index % WORD_BITS));
  }
  return bits;
}

function groupIndexes(keys: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  keys.forEach((key, index) => {
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  });
  return groups;
}

/** Returns the indexes of a common subsequence of the keys that occur once in each list, in much less time. */
function findUniquePairs(rowKeys: readonly number[], columnKeys: readonly number[]): Pairs {
  const [rows, columns] = [groupIndexes(rowKeys), groupIndexes(columnKeys)];
  type Chain = { readonly pair: readonly [number, number]; readonly previous: Chain | undefined };
  /** By length: the end of the chain whose last column is the lowest. */
  const chains: Chain[] = [];
  rowKeys.forEach((key, row) => {
    const [column, ...others] = columns.get(key) ?? [];
    if (column === undefined || others.length > 0 || rows.get(key)?.length !== 1) return;
    let [low, high] = [0, chains.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((chains[middle]?.pair[1] ?? 0) < column) low = middle + 1;
      else high = middle;
    }
    chains[low] = { pair: [row, column], previous: chains[low - 1] };
  });
  const pairs: Chain['pair'][] = [];
  for (let chain = chains.at(-1); chain; chain = chain.previous) pairs.push(chain.pair);
  return pairs.reverse();
}
