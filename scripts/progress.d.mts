/** Runs `work` under a line that says it is alive and how long it took. */
export function withProgress<T>(title: string, work: () => Promise<T>): Promise<T>;
