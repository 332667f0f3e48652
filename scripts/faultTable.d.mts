/** Holds the rows of test/faults.json and the tests of a folder of results side by side. */
export function faultTable(results: string): { readonly table: string; readonly problems: readonly string[] };
