type Collector = (fullTitle: string) => Promise<void>;

const collectors = new Set<Collector>();

/** Has `collect` called after each test that fails, while the state it failed in is still there. Returns what ends that. */
export function onTestFailure(collect: Collector): () => void {
  collectors.add(collect);
  return () => collectors.delete(collect);
}

/** Keeps what explains a failure: screenshots, logs, requests. */
export async function collectFailure(fullTitle: string): Promise<void> {
  for (const collect of collectors) await collect(fullTitle);
}
