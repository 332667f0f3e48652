/** Runs npm in a folder; rejects with a sentence for people. Resolves to what npm wrote to its standard output. */
export function runNpm(args: string[], options: { cwd: string }): Promise<string>;

/** The command line that runs npm, for spawn. */
export function npmCommand(args: readonly string[]): {
  readonly command: string;
  readonly args: readonly string[];
  readonly shell: boolean;
};
