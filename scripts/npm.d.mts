/** Runs npm in a folder; rejects with a sentence for people. Resolves to what npm wrote to its standard output. */
export function runNpm(args: string[], options: { cwd: string }): Promise<string>;
