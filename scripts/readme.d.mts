/** The README with the tables that package.json and package.nls.json make. */
export function readmeWithTables(): Promise<string>;
