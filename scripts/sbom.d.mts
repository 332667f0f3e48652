/** Writes what ships besides our own code, by the lock file of `root`, as a CycloneDX bill of materials. */
export function writeSbom(root: string, file: string): Promise<void>;
